package rows

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Rows of occurrences multiply to what the function makes of rows of counts, and so do those of other rows, as far as
// occurrences have numbers, with them.
func TestOccurrencesAgreeWithDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom([]stringkernel.Count{stringkernel.CountMin, stringkernel.CountChi2}).Draw(t, "f")
		n, width := rapid.IntRange(0, 8).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "width")
		count := rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 3, 7, 30})
		draw := func() []int { return rapid.SliceOfN(count, width, width).Draw(t, "counts") }
		dense := make([][]int, n)
		for i := range dense {
			dense[i] = draw()
		}
		rows := Collect(context.Background(), n, width, func(r *Rows, lo, hi int) {
			for i := lo; i < hi; i++ {
				addCounts(r, dense[i])
			}
		})
		o := must.Get(NewOccurrences(f, width, n, rows.Row))(t)
		expanded := must.Get(o.Rows(context.Background(), rows))(t)
		if again, err := RestoreOccurrences(f, o.Counts()); err != nil || !slices.Equal(again.ends, o.ends) {
			t.Fatalf("%v restored to %v, %v", o.ends, again, err)
		}
		other, query := New(1, 0, width), draw()
		addCounts(other, query)
		table := make([]float64, o.Width())
		ids, values := o.Row(other.Row)(0)
		for e, id := range ids {
			table[id] += values[e]
		}
		for i := range n {
			near(t, "query", expanded.Gather(table, i), denseProduct(f, dense[i], query))
			sums := make([]float64, expanded.Width())
			expanded.Scatter(sums, i, 1)
			for j := range n {
				near(t, "rows", expanded.Gather(sums, j), denseProduct(f, dense[i], dense[j]))
			}
		}
	})
}

func addCounts(r *Rows, counts []int) {
	for j, n := range counts {
		if n > 0 {
			r.Add(int32(j), float64(n))
		}
	}
	r.End()
}

func denseProduct(f stringkernel.Count, a, b []int) (sum float64) {
	for j, n := range a {
		sum += f.Pair(n, b[j])
	}
	return sum
}

func TestOccurrencesAreBounded(t *testing.T) {
	for want, counts := range map[string][]int32{
		"-1 occurrences of feature 1":       {0, -1},
		"more than 2147483646 occurrences ": {math.MaxInt32, math.MaxInt32},
	} {
		if _, err := RestoreOccurrences(stringkernel.CountMin, counts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", counts, err, want)
		}
	}
}
