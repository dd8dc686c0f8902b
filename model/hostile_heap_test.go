//go:build heap

package model

import (
	"runtime"
	"strings"
	"testing"
)

// Files that claim much or hold many small things: memory stays in proportion to the file.
func TestHeapOfHostileFiles(t *testing.T) {
	good := write(t, tinySpectrum(t))
	const many = 1_000_000
	edit := func(from, to string) []byte {
		return reseal(good, func(text string) string { return strings.Replace(text, from, to, 1) })
	}
	list := func(element string) string { return strings.Repeat(element+",", many) }
	machine := `{"positive":1,"negative":0,`
	for _, c := range []struct {
		why  string
		data []byte
	}{
		{"a huge count", edit(`"type":"int32","count":1`, `"type":"int32","count":4611686018427387904`)},
		{"10⁶ empty machines", edit(machine, list(`{}`)+machine)},
		{"10⁶ machines", edit(machine, list(`{"negative":1}`)+machine)},
		{"10⁶ machines of 1,500 classes", edit(`["no","yes"],"scheme":"two-class","positive":1,"machines":[`,
			`["no","yes"`+strings.Repeat(`,"a"`,
				1500)+`],"scheme":"one-vs-one","positive":1,"machines":[`+list(`{"negative":1}`))},
		{"10⁶ empty classes", edit(`["no",`, `["no",`+list(`""`))},
		{"10⁶ classes", edit(`["no",`, `["no",`+list(`"a"`))},
		{"10⁶ empty arrays", edit(`"arrays":[`, `"arrays":[`+list(`{}`))},
		{"10⁶ arrays of one name", edit(`"arrays":[`, `"arrays":[`+list(`{"name":"a","type":"uint8"}`))},
		{"10⁶ terms", edit(`"terms":[`, `"terms":[`+list(`{"name":"spectrum","params":{"k":1}}`))},
		{"10⁶ parameters", edit(`"k":2`, list(`"k":2`)+`"k":0`)},
		{"10⁶ weights", edit(`"params":{"k":2,"alphabet":"dna"}`,
			`"params":{"weight":"length","weights":[`+list(`1`)+`1]}`)},
		{"a long string", edit(`"two-class"`, `"`+strings.Repeat("x", many)+`"`)},
		{"deep nesting", edit(`"params":{`, `"params":`+strings.Repeat("[", many)+`{`)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := load(c.data)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: taken", c.why)
		}
		taken, size := after.TotalAlloc-before.TotalAlloc, uint64(len(c.data))
		t.Logf("%-30s %9d bytes, %10d taken in all (%.1f): %.100v", c.why, size, taken, float64(taken)/float64(size),
			err)
		if taken > 64*size+1<<20 { // in all, most of it garbage soon
			t.Errorf("%s: %d bytes taken for a file of %d", c.why, taken, size)
		}
	}
}
