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
		dense, scale := make([][]int, n), make([]float64, width)
		for i := range dense {
			dense[i] = draw()
		}
		for j := range scale {
			scale[j] = rapid.Float64Range(0.5, 2).Draw(t, "scale")
		}
		rows := Collect(context.Background(), n, width, func(r *Rows, lo, hi int) {
			for i := lo; i < hi; i++ {
				addCounts(r, dense[i])
			}
		})
		expanded := must.Get(rows.Occurrences(context.Background(), f, scale))(t)
		o := must.Get(NewOccurrences(f, width, n, rows.Row))(t)
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
		unscaled := must.Get(rows.Occurrences(context.Background(), f, nil))(t)
		for i := range n {
			near(t, "query", unscaled.Gather(table, i), denseProduct(f, dense[i], query, nil))
			scaled := make([]float64, expanded.Width())
			expanded.Scatter(scaled, i, 1)
			for j := range n {
				near(t, "rows", expanded.Gather(scaled, j), denseProduct(f, dense[i], dense[j], scale))
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

func denseProduct(f stringkernel.Count, a, b []int, scale []float64) (sum float64) {
	for j, n := range a {
		value := f.Pair(n, b[j])
		if scale != nil {
			value *= scale[j] * scale[j]
		}
		sum += value
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
