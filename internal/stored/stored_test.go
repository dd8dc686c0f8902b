package stored_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Arrays that are written are read back; the first thing wrong is the error, whatever is read after it.
func TestArrays(t *testing.T) {
	var terms intern.Terms
	for _, w := range []string{"b", "", "aa"} {
		terms.Add([]byte(w))
	}
	good := func() map[string]any {
		named := map[string]any{"table": []float64{1, 2, 3, 4, 5, 6}}
		for _, a := range append(stored.Terms(&terms, "text", "ends"), stored.Outputs(2)) {
			named[a.Name] = a.Data
		}
		return named
	}
	read := func(named map[string]any, more ...stringkernel.Array) (back intern.Terms, err error) {
		arrays := more
		for name, data := range named {
			arrays = append(arrays, stringkernel.Array{Name: name, Data: data})
		}
		a := stored.Read(arrays)
		outputs := a.Outputs()
		a.Terms(&back, "text", "ends", 0, 3)
		a.Table("table", 3, outputs)
		return back, a.Close()
	}
	back, err := read(good())
	if err != nil || string(back.Text) != string(terms.Text) || back.Len() != 3 || string(back.At(2)) != "aa" {
		t.Fatalf("%+v, %v", back, err)
	}
	for _, c := range []struct {
		name string
		data any
		want string
	}{
		{"more", []uint8{}, `unexpected array "more"`},
		{"outputs", nil, `array "outputs": want one int32 from 1 to 1048576`},
		{"outputs", []int32{0}, "want one int32"},
		{"outputs", []int32{3}, `array "table" has 6 numbers, want 3 rows of 3`},
		{"text", []int32{1}, `array "text" is of int32, want uint8`},
		{"text", []uint8("bb"), `array "text": `},
		{"ends", []uint64{1, 1, 3, 3}, `array "ends" has 4 entries, want at most 3`},
		{"table", []uint64{1}, `array "table" is of uint64, want float64`},
		{"table", []float64{1, 2, 3, 4, 5}, "5 numbers, want 3 rows of 2"},
		{"table", []float64{1, 2, 3, 4, math.NaN(), 6}, "number 4 is NaN, want a finite one"},
		{"table", []float64{math.Inf(1), 2, 3, 4, math.NaN(), 6}, "number 0 is +Inf, want a finite one"},
	} {
		bad := good()
		bad[c.name] = c.data
		if _, err := read(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %v: error %v, want %q", c.name, c.data, err, c.want)
		}
	}
	if _, err := read(good(), stored.Outputs(2)); err == nil ||
		!strings.Contains(err.Error(), `duplicate array "outputs"`) {
		t.Errorf("error %v, want one of the duplicate", err)
	}
}
