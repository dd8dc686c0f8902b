package spectrum_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestRestoreRefuses(t *testing.T) {
	k := spectrum.Kernel{K: 2, Alphabet: stringkernel.Protein}
	array := func(name string, data any) stringkernel.Array { return stringkernel.Array{Name: name, Data: data} }
	good := []stringkernel.Array{
		array("outputs", []int32{2}),
		array("codes.2", []uint64{0, 33, 19<<5 | 19}),
		array("values.2", []float64{1, 2, 3, 4, 5, 6}),
	}
	must.Get(k.Restore(good))(t)
	for _, c := range []struct {
		why  string
		at   int
		data any
		want string
	}{
		{"no outputs", 0, []int32{}, "want one int32"},
		{"two outputs", 0, []int32{1, 2}, "want one int32"},
		{"outputs of another type", 0, []uint8{2}, "want one int32"},
		{"zero outputs", 0, []int32{0}, "want one int32 from 1"},
		{"negative outputs", 0, []int32{-2}, "want one int32 from 1"},
		{"too many outputs", 0, []int32{math.MaxInt32}, "want one int32 from 1 to 1048576"},
		{"outputs that do not divide", 0, []int32{4}, "6 numbers, want 3 rows of 4"},
		{"codes of another type", 1, []int32{1, 2, 3}, "want uint64"},
		{"equal codes", 1, []uint64{0, 33, 33}, "does not ascend"},
		{"descending codes", 1, []uint64{34, 33, 32}, "does not ascend"},
		{"a letter beyond the alphabet", 1, []uint64{0, 20, 33}, "not a k-mer"},
		{"a first letter beyond the alphabet", 1, []uint64{0, 33, 20 << 5}, "not a k-mer"},
		{"a k-mer too long", 1, []uint64{0, 33, 1 << 10}, "not a k-mer"},
		{"too few codes", 1, []uint64{0, 33}, "6 numbers, want 2 rows of 2"},
		{"values of another type", 2, []int32{1}, "want float64"},
		{"too few values", 2, []float64{1, 2, 3, 4, 5}, "5 numbers, want 3 rows of 2"},
		{"a NaN", 2, []float64{1, 2, 3, math.NaN(), 5, 6}, "number 3 is NaN"},
		{"an infinity", 2, []float64{1, 2, 3, 4, 5, math.Inf(-1)}, "number 5 is -Inf"},
		{"nothing", 2, nil, "missing"},
	} {
		bad := slices.Clone(good)
		bad[c.at].Data = c.data
		if _, err := k.Restore(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.why, err, c.want)
		}
	}
	for why, arrays := range map[string][]stringkernel.Array{
		"none":          nil,
		"a missing one": good[:2],
		"one too many":  append(slices.Clone(good), array("codes.3", []uint64{})),
		"one twice":     append(slices.Clone(good), good[0]),
		"other lengths": {good[0], array("codes.3", []uint64{}), array("values.3", []float64{})},
	} {
		if _, err := k.Restore(arrays); err == nil {
			t.Errorf("%s: taken", why)
		}
	}
	if _, err := (spectrum.Kernel{K: 2, Bounded: true, Alphabet: stringkernel.Protein}).Restore(good); err == nil {
		t.Error("a bounded kernel takes the arrays of a plain one")
	}
}
