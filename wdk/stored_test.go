package wdk_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

// TestStoredForm: windows of short words have one, which the suite restores.
func TestStoredForm(t *testing.T) {
	sv := randomWindows(5, 30, 0)
	for _, c := range []struct {
		k  wdk.Kernel
		ok bool
	}{
		{wdk.Kernel{D: 1, Alphabet: stringkernel.DNA}, true},
		{wdk.Kernel{D: 6, Shift: 2, Alphabet: stringkernel.DNA}, true},
		{wdk.Kernel{D: 2, Alphabet: stringkernel.Protein}, true},
		{wdk.Kernel{D: 20, Alphabet: stringkernel.DNA}, false},
		{wdk.Kernel{D: 2}, false},
	} {
		s := must.Get(stringkernel.Merge(t.Context(), c.k, sv, make([]float64, sv.Len())))(t)
		if ok := c.k.Arrays(s) != nil; ok != c.ok {
			t.Fatalf("%+v: stored form %v, want %v", c.k, ok, c.ok)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	k := wdk.Kernel{D: 2, Alphabet: stringkernel.DNA}
	good := func() []stringkernel.Array { // positions of 4 + 16, 4 + 16 and 4 words
		return []stringkernel.Array{
			{Name: "layout", Data: []int32{1, 3}},
			{Name: "values", Data: make([]float64, 44)},
		}
	}
	must.Get(k.Restore(good()))(t)
	for _, c := range []struct {
		want   string
		kernel wdk.Kernel
		spoil  func(a []stringkernel.Array) []stringkernel.Array
	}{
		{"array \"layout\" is missing", k, func(a []stringkernel.Array) []stringkernel.Array { return nil }},
		{"array \"values\" is missing", k, func(a []stringkernel.Array) []stringkernel.Array { return a[:1] }},
		{"array \"layout\" is of float64, want int32", k,
			func(a []stringkernel.Array) []stringkernel.Array { a[0].Data = []float64{1, 3}; return a }},
		{"want two int32", k, func(a []stringkernel.Array) []stringkernel.Array { a[0].Data = []int32{1}; return a }},
		{"array \"values\" is of int32, want float64", k,
			func(a []stringkernel.Array) []stringkernel.Array { a[1].Data = []int32{1}; return a }},
		{"0 outputs", k, func(a []stringkernel.Array) []stringkernel.Array { a[0].Data = []int32{0, 3}; return a }},
		{"-1 outputs", k, func(a []stringkernel.Array) []stringkernel.Array { a[0].Data = []int32{-1, 3}; return a }},
		{"windows of 0 letters", k,
			func(a []stringkernel.Array) []stringkernel.Array { a[0].Data = []int32{1, 0}; return a }},
		{"windows of 2147483647 letters", k,
			func(a []stringkernel.Array) []stringkernel.Array { a[0].Data = []int32{1, math.MaxInt32}; return a }},
		{"44 numbers, want 64 rows of 1", k,
			func(a []stringkernel.Array) []stringkernel.Array { a[0].Data = []int32{1, 4}; return a }},
		{"number 7 is NaN", k, func(a []stringkernel.Array) []stringkernel.Array {
			a[1].Data.([]float64)[7] = math.NaN()
			return a
		}},
		{"number 0 is +Inf", k,
			func(a []stringkernel.Array) []stringkernel.Array { a[1].Data.([]float64)[0] = math.Inf(1); return a }},
		{"but the kernel has 2 weights", wdk.Kernel{D: 2, Weights: []float64{1, 1}, Alphabet: stringkernel.DNA},
			func(a []stringkernel.Array) []stringkernel.Array { return a }},
		{"no stored form", wdk.Kernel{D: 2}, func(a []stringkernel.Array) []stringkernel.Array { return a }},
		{"tables of k-mers of 20 letters", wdk.Kernel{D: 20, Alphabet: stringkernel.DNA},
			func(a []stringkernel.Array) []stringkernel.Array {
				return []stringkernel.Array{{Name: "layout", Data: []int32{1, 30}},
					{Name: "values", Data: make([]float64, 200)}}
			}},
		{"d = 0", wdk.Kernel{Alphabet: stringkernel.DNA}, func(a []stringkernel.Array) []stringkernel.Array { return a }},
	} {
		if _, err := c.kernel.Restore(c.spoil(good())); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
