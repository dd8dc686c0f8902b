package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// reseal returns the file with another header text, whose checksum is right.
func reseal(data []byte, edit func(text string) string) []byte {
	size := binary.LittleEndian.Uint32(data[12:])
	end := int64(prologueSize) + int64(size)
	text := edit(string(data[prologueSize:end]))
	out := append([]byte(nil), data[:12]...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum([]byte(text), castagnoli))
	out = append(out, text...)
	out = append(out, make([]byte, padding(int64(len(out))))...)
	return append(out, data[end+padding(end):]...)
}

// Headers that a hostile writer would seal with a right checksum. Each is one replacement in the header of a good
// model.
var hostileHeaders = []struct{ why, from, to, want string }{
	{"not JSON", `{"generator"`, `["generator"`, "invalid character"},
	{"an unknown field", `{"generator"`, `{"extra":1,"generator"`, `unknown field "extra"`},
	{"an unknown field of the decision", `"scheme"`, `"extra":1,"scheme"`, `unknown field "extra"`},
	{"an unknown field of a machine", `"rho"`, `"extra":1,"rho"`, `unknown field "extra"`},
	{"an unknown field of an array", `"crc32c"`, `"extra":1,"crc32c"`, `unknown field "extra"`},
	{"an unknown field of the kernel", `"normalize"`, `"extra":1,"normalize"`, `unknown field "extra"`},
	{"a field of a newer version", `"generator":{"version":"`, `"generator":{"extra":1,"version":"9`,
		`unknown field "extra" (written by seqsvm 9`},
	{"a key twice", `"rho":0.25`, `"rho":0.25,"rho":7`, `"decision.machines[0].rho" occurs twice`},
	{"a key twice, once escaped", `"rho":0.25`, `"rho":0.25,"r\u0068o":7`, `"decision.machines[0].rho" occurs twice`},
	{"a key twice, once in capitals", `"rho":0.25`, `"rho":0.25,"RHO":7`, `"decision.machines[0].RHO" occurs twice`},
	{"a parameter twice", `"k":2`, `"k":2,"k":3`, `"kernel.terms[0].params.k" occurs twice`},
	{"a null rho", `"rho":0.25`, `"rho":null`, `"decision.machines[0].rho" is null`},
	{"a null in a list", `["no","yes"]`, `["no","yes",null]`, `"decision.classes[2]" is null`},
	{"a null of an array", `"count":1`, `"count":null`, `"arrays[0].count" is null`},
	{"no UTF-8", `"no"`, "\"n\xff\"", "not UTF-8"},

	{"no kernel", `"kernel":{"terms":[{"name":"spectrum","params":{"k":2,"alphabet":"dna"}}],"normalize":false},`, ``,
		"no kernel"},
	{"no terms", `[{"name":"spectrum","params":{"k":2,"alphabet":"dna"}}]`, `[]`, "no kernel"},
	{"terms that are no list", `[{"name":"spectrum","params":{"k":2,"alphabet":"dna"}}]`, `7`,
		"kernel terms: missing, want a list"},
	{"an unknown kernel", `"name":"spectrum","params"`, `"name":"spectral","params"`, `unknown kernel "spectral"`},
	{"no parameters", `,"params":{"k":2,"alphabet":"dna"}`, ``, "lacks the field params"},
	{"null parameters", `{"k":2,"alphabet":"dna"}`, `null`, `"kernel.terms[0].params" is null`},
	{"an unknown parameter", `"k":2`, `"kk":2`, `unknown field "kk"`},
	{"k = 0", `"k":2`, `"k":0`, "spectrum: k = 0, want 1…32"},
	{"k too large", `"k":2`, `"k":33`, "spectrum: k = 33, want 1…32"},
	{"k negative", `"k":2`, `"k":-2`, "spectrum: k = -2"},
	{"k a fraction", `"k":2`, `"k":2.5`, "cannot unmarshal number 2.5"},
	{"k beyond integers", `"k":2`, `"k":9223372036854775808`, "cannot unmarshal number"},
	{"an unknown alphabet", `"alphabet":"dna"`, `"alphabet":"klingon"`, `alphabet "klingon" is unknown`},
	{"both strands of protein", `"params":{"k":2,"alphabet":"dna"}`, `"rc":true,"params":{"k":2,"alphabet":"protein"}`,
		"no complement"},
	{"another k than the arrays", `"k":2`, `"k":3`, `array "codes.3" is missing`},
	{"bounded over plain arrays", `"k":2`, `"k":2,"bounded":true`, `array "codes.1" is missing`},
	{"two terms over one's arrays", `"terms":[`, `"terms":[{"name":"spectrum","params":{"k":2,"alphabet":"dna"}},`,
		"belongs to none of the 2 terms"},
	{"a kernel that does not compile", `{"name":"spectrum","params":{"k":2,"alphabet":"dna"}}`,
		`{"name":"substring","params":{"weight":"constant","unit":"rune"}}`, "cannot be restored"},
	{"a kernel that wants a reference", `{"name":"spectrum","params":{"k":2,"alphabet":"dna"}}`,
		`{"name":"substring","params":{"weight":"tfidf"}}`, "needs a reference corpus"},

	{"no decision", `"decision"`, `"x":0,"decision"`, `unknown field "x"`},
	{"a decision of another type", `"decision":{`, `"decision":7,"decision2":{`, "unknown field"},
	{"one class", `["no","yes"]`, `["no"]`, "1 classes, want at least two"},
	{"equal classes", `["no","yes"]`, `["no","no"]`, "duplicate class"},
	{"a class too many", `["no","yes"]`, `["no","yes","maybe"]`, "scheme two-class for 3 classes"},
	{"classes null", `["no","yes"]`, `null`, `"decision.classes" is null`},
	{"an unknown scheme", `"two-class"`, `"all-pairs"`, `scheme "all-pairs" is unknown`},
	{"one-vs-one with one machine", `["no","yes"],"scheme":"two-class"`, `["a","b","c"],"scheme":"one-vs-one"`,
		"1 machines for one-vs-one with 3 classes, want 3"},
	{"one-vs-rest with one machine", `["no","yes"],"scheme":"two-class"`, `["a","b","c"],"scheme":"one-vs-rest"`,
		"1 machines for one-vs-rest with 3 classes, want 3"},
	{"the positive class out of range", `"two-class","positive":1`, `"two-class","positive":2`, "positive class 2"},
	{"the positive class negative", `"two-class","positive":1`, `"two-class","positive":-1`, "positive class -1"},
	{"a machine out of range", `[{"positive":1,"negative":0`, `[{"positive":7,"negative":0`,
		"decides between classes 7 and 0"},
	{"a machine of one class", `[{"positive":1,"negative":0`, `[{"positive":1,"negative":1`,
		"between class 1 and itself"},
	{"no machines", `"machines":[{`, `"machines":[],"x":[{`, "unknown field"},
	{"machines that are no list", `"machines":[`, `"machines":null,"m":[`, `"decision.machines" is null`},
	{"a class without name", `["no","yes"]`, `["no",""]`, "class 1 has no name"},
	{"a class that is no text", `["no","yes"]`, `["no",1]`,
		"cannot unmarshal number into Go struct field .Rule.classes"},
	{"rho beyond float64", `"rho":0.25`, `"rho":1e999`, "cannot unmarshal number 1e999"},
	{"rho not a number", `"rho":0.25`, `"rho":NaN`, "invalid character"},
	{"a sigmoid of another type", `"rho":0.25`, `"rho":0.25,"sigmoid":7`, "cannot unmarshal number"},

	{"not compiled", `"compiled":true`, `"compiled":false`, `array "support/letters" is missing`},
	{"no arrays", `"arrays":[{`, `"arrays":[],"x":[{`, "unknown field"},
	{"an unknown type", `"type":"int32"`, `"type":"int31"`, `unknown type "int31"`},
	{"another type", `"name":"scorer/outputs","type":"int32","count":1`,
		`"name":"scorer/outputs","type":"uint8","count":4`, "want one int32"},
	{"a negative count", `"type":"int32","count":1`, `"type":"int32","count":-1`, "-1 values at offset 0"},
	{"a huge count", `"type":"int32","count":1`, `"type":"int32","count":9223372036854775807`,
		"9223372036854775807 values of int32"},
	{"a count beyond integers", `"type":"int32","count":1`, `"type":"int32","count":1e300`, "cannot unmarshal number"},
	{"another count", `"type":"int32","count":1`, `"type":"int32","count":0`, "does not match its checksum"},
	{"a negative offset", `"count":1,"offset":0`, `"count":1,"offset":-64`,
		"at offset -64, want 0 or more at offset 0"},
	{"an overlap", `"offset":64`, `"offset":0`, "want 0 or more at offset 64"},
	{"a gap", `"offset":64`, `"offset":128`, "want 0 or more at offset 64"},
	{"a huge offset", `"offset":64`, `"offset":9223372036854775744`, "want 0 or more at offset 64"},
	{"a checksum that is negative", `"crc32c":`, `"crc32c":-`, "cannot unmarshal number"},
	{"a name twice", `"scorer/values.2"`, `"scorer/codes.2"`, "is a duplicate"},
	{"no name", `"scorer/values.2"`, `""`, "has no name"},
	{"a name with no place", `"scorer/values.2"`, `"values.2"`, `unexpected array "values.2"`},
	{"a support array", `"scorer/values.2"`, `"support/letters"`, `unexpected array "support/letters"`},
	{"a reference not asked for", `"scorer/values.2"`, `"reference/letters"`,
		`array "reference/letters" is of float64, want uint8`},
	{"an unknown array of the scorer", `"scorer/values.2"`, `"scorer/values.3"`, `array "values.2" is missing`},
}

func TestHostileHeaders(t *testing.T) {
	good := write(t, tinySpectrum(t))
	must.Succeed(t, load(good))
	for _, c := range hostileHeaders {
		data := reseal(good, func(text string) string {
			edited := strings.Replace(text, c.from, c.to, 1)
			if edited == text {
				t.Fatalf("%s: %s is not in %s", c.why, c.from, text)
			}
			return edited
		})
		checkRefused(t, c.why, data, c.want)
	}
	for _, c := range []struct{ why, text, want string }{
		{"no header", ``, "JSON ends too early"},
		{"half a header", `{"generator":`, "JSON ends too early"},
		{"a header of nothing", `{}`, "decision: missing"},
		{"a null header", `null`, "the text is null"},
		{"deep nesting", strings.Repeat("[", 1<<20), "exceeded max depth"},
		{"deep parameters", `{"kernel":{"terms":[{"name":"spectrum","params":` + strings.Repeat(`{"k":`, 1<<18) +
			`}]}}`, "exceeded max depth"},
		{"a number in place of a header", `7`, "cannot unmarshal number"},
	} {
		checkRefused(t, c.why, reseal(good, func(string) string { return c.text }), c.want)
	}
	checkRefused(t, "more behind the header", reseal(good, func(text string) string { return text + "{}" }),
		"more than one JSON value")
}

// checkRefused expects an error of one line that holds want.
func checkRefused(t *testing.T, why string, data []byte, want string) {
	t.Helper()
	err := load(data)
	switch {
	case err == nil:
		t.Errorf("%s: taken", why)
	case !strings.Contains(err.Error(), want):
		t.Errorf("%s: %v, want %s", why, err, want)
	case strings.Contains(err.Error(), "\n"):
		t.Errorf("%s: the message has several lines: %v", why, err)
	}
}

func TestHostileArrays(t *testing.T) {
	array := func(name string, data any) stringkernel.Array { return stringkernel.Array{Name: name, Data: data} }
	m := tinySubstring(t)
	good := m.fileArrays() // support/letters, support/ends, coef/0, reference/letters, reference/ends
	for _, c := range []struct {
		why  string
		at   int
		with stringkernel.Array
		want string
	}{
		{"letters of another type", 0, array("support/letters", []int32{65}),
			`array "support/letters" is of int32, want uint8`},
		{"ends of another type", 1, array("support/ends", []int32{7, 10}),
			`array "support/ends" is of int32, want uint64`},
		{"no letters", 0, array("letters", []byte("GATTACACAT")), `array "support/letters" is missing`},
		{"no ends", 1, array("ends", []uint64{7, 10}), `array "support/ends" is missing`},
		{"letters too few", 0, array("support/letters", []byte("GATTACA")), "sequence 1 ends at 10, want 7 to 7"},
		{"letters too many", 0, array("support/letters", []byte("GATTACACATS")),
			"the last sequence ends at 10 of 11 letters"},
		{"descending ends", 1, array("support/ends", []uint64{10, 7}), "sequence 1 ends at 7, want 10 to 10"},
		{"a huge end", 1, array("support/ends", []uint64{math.MaxUint64, 10}),
			"sequence 0 ends at 18446744073709551615"},
		{"no sequences but letters", 1, array("support/ends", []uint64{}), "the last sequence ends at 0 of 10 letters"},
		{"no coefficients", 2, array("coef/1", []float64{1, -1}), `array "coef/0" is missing`},
		{"coefficients of another type", 2, array("coef/0", []uint64{1, 2}),
			`array "coef/0" is of uint64, want float64`},
		{"too few coefficients", 2, array("coef/0", []float64{1}), "1 coefficients for 2 support vectors"},
		{"too many coefficients", 2, array("coef/0", []float64{1, 2, 3}), "3 coefficients for 2 support vectors"},
		{"a coefficient NaN", 2, array("coef/0", []float64{1, math.NaN()}), "coefficient 1 of machine 0 is NaN"},
		{"a coefficient infinite", 2, array("coef/0", []float64{math.Inf(-1), 1}),
			"coefficient 0 of machine 0 is -Inf"},
		{"no reference", 3, array("other", []byte{}), "needs a reference corpus"},
		{"half a reference", 4, array("other", []byte{}), `array "reference/ends" is missing`},
		{"reference ends too far", 4, array("reference/ends", []uint64{7, 11}), "sequence 1 ends at 11"},
	} {
		bad := append([]stringkernel.Array(nil), good...)
		bad[c.at] = c.with
		data := writeUnchecked(t, m, bad)
		if c.why == "no reference" {
			data = writeUnchecked(t, m, bad[:3])
		}
		checkRefused(t, c.why, data, c.want)
	}
	checkRefused(t, "an array too many", writeUnchecked(t, m, append(good[:5:5], array("coef/1", []float64{1, 2}))),
		`unexpected array "coef/1"`)
	checkRefused(t, "a scorer too many", writeUnchecked(t, m, append(good[:5:5], array("scorer/outputs", []int32{1}))),
		`unexpected array "scorer/outputs"`)

	of := tinyClasses(t)
	classed := of.fileArrays() // the same and reference/classes
	checkRefused(t, "no classes", writeUnchecked(t, of, classed[:5]), `array "reference/classes" is missing`)
	checkRefused(t, "too few classes", writeUnchecked(t, of, append(classed[:5:5], array("reference/classes", []int32{1}))),
		`array "reference/classes" has 1 classes of 2 records`)

	plain := tiny(t, false, "substring:alphabet=dna")
	checkRefused(t, "a reference for nothing", writeUnchecked(t, plain, append(plain.fileArrays(), good[3:]...)),
		"needs no reference corpus")

	sorted := tiny(t, false, "substring:alphabet=dna")
	place := slices.IndexFunc(sorted.fileArrays(), func(a stringkernel.Array) bool { return a.Name == "scorer/layout" })
	for why, c := range map[string]struct {
		array int
		data  any
		want  string
	}{
		"two numbers of a layout": {place, []int32{8, 1}, "want three numbers"},
		"all nodes have numbers":  {place, []int32{1, 1, 1}, "want three numbers"},
		"few nodes have numbers":  {place, []int32{1 << 20, 1, 1}, "want three numbers"},
		"numbers of no bytes":     {place, []int32{8, 0, 1}, "common prefixes of 0 bytes"},
		"numbers of many bytes":   {place, []int32{8, 1, 1 << 30}, "documents of 1073741824"},
		"blocks cut":              {place + 1, make([]uint8, 64), "blocks of 64 bytes for 10 ranks, want"},
		"blocks of ones":          {place + 1, bytes.Repeat([]uint8{255}, 192), "block 0: "},
		"too few terms":           {place + 2, []float64{1}, `array "terms" has 1 numbers, want 4 rows`},
		"terms that are not":      {place + 2, []float64{1, math.NaN(), 1, 1}, `array "terms": value 1 is NaN`},
	} {
		arrays := sorted.fileArrays()
		arrays[c.array].Data = c.data
		checkRefused(t, why, writeUnchecked(t, sorted, arrays), c.want)
	}

	spectrum := tinySpectrum(t)
	for why, data := range map[string]any{"NaN": []float64{1, math.NaN(), 1, 1},
		"+Inf": []float64{math.Inf(1), 1, 1, 1}} {
		arrays := spectrum.fileArrays()
		arrays[2].Data = data
		file := writeUnchecked(t, spectrum, arrays)
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), `array "values.2": value `) ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("%s: read before a scorer is made: %v", why, err)
		}
	}
	arrays := spectrum.fileArrays()
	arrays[0].Data = []int32{2}
	arrays[2].Data = make([]float64, 8)
	checkRefused(t, "another number of outputs", writeUnchecked(t, spectrum, arrays),
		"a scorer of 2 outputs for 1 machines")
}

// A file with many machines and letters, whose weights of features for machines exceed the memory limit.
func TestHostileMerge(t *testing.T) {
	const classes = 60
	m := tinySubstring(t)
	d := &m.Decision
	d.Scheme, d.Classes, d.Machines, m.Coef = decide.OneVsRest, nil, nil, nil
	for c := range classes {
		d.Classes = append(d.Classes, fmt.Sprint("class ", c))
		d.Machines = append(d.Machines, decide.Binary{Positive: c, Negative: decide.Rest, Solver: "smo"})
		m.Coef = append(m.Coef, []float64{1, -1})
	}
	data := write(t, m)
	must.Succeed(t, load(data))
	heaptest.Limit(t, 1<<12)
	var large *memory.Error
	if err := load(data); !errors.As(err, &large) {
		t.Errorf("error %v, want that it takes too much memory", err)
	}
}
