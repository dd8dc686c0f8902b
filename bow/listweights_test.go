package bow_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// What a file says of lists is an error or a scorer that works.
func TestRestoreListsRefuses(t *testing.T) {
	good := map[string]any{
		"outputs": []int32{3}, "sparse.rows": []uint8{1, 0, 2, 0, 2}, "sparse.values": []float64{1, -1, 2},
		"terms": []uint8("abc"), "ends": []uint64{1, 2, 3}, "pairs": []uint64{1},
		"factors": []float64{1, 2, 0.5, 3}, "rows": []float64{4, 5, 6},
		"lists": []uint8{0, 1, 3, 0, 0, 1, 1, 2, 1, 0}, "values": []float64{7},
	}
	restore := func(name string, data any) (stringkernel.Scorer, error) {
		var arrays []stringkernel.Array
		for n, d := range good {
			if n == name {
				d = data
			}
			arrays = append(arrays, stringkernel.Array{Name: n, Data: d})
		}
		return bow.Kernel{NGram: "1-2"}.Restore(arrays)
	}
	s := must.Get(restore("", nil))(t)
	got := make([]float64, 3) // a: 4, 5, 6; b: none; c: half of 1, 0, 0 and 7 of −1, 0, 2; a b: 3 of −1, 0, 2
	if s.ScoreTo(got, []byte("a b c")); !reflect.DeepEqual(got, []float64{4 + 0.5*(0.5-7) - 3*3, 5, 6 + 0.5*14 + 3*6}) {
		t.Errorf("scores %v", got)
	}
	for _, c := range []struct {
		name string
		data any
		want string
	}{
		{"factors", []float64{1, 2, 3}, "3 numbers, want 4 rows of 1"},
		{"rows", []float64{4, 5}, "2 numbers, want 1 rows of 3"},
		{"values", []float64{}, "the value of feature 2 is not there"},
		{"values", []float64{7, 8}, "0 bytes and 1 values are left"},
		{"lists", []uint8{0, 1, 3, 0, 0, 2, 1, 2, 1, 0}, "feature 2 is in support vector 2 of 2"},
		{"lists", []uint8{0, 1, 3, 0, 0, 1}, "the value of feature 3 is not there"},
		{"lists", []uint8{0, 1, 3, 0, 0, 1, 1, 2, 1, 0, 9}, "1 bytes and 0 values are left"},
		{"lists", []uint8{}, "3 numbers, want 0 rows of 3"},
		{"sparse.rows", []uint8{1, 0, 2, 0, 3}, "want 1 to 2"},
		{"lists", nil, "missing"},
	} {
		if _, err := restore(c.name, c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %q", c.name, c.data, err, c.want)
		}
	}
}
