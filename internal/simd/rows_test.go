package simd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRows gathers and scatters rows by each set of loops and by the definition, whose sums have the same order and so
// the same bits.
func TestRows(t *testing.T) {
	defer func(before rowLoops) { rows = before }(rows)
	r := rand.New(rand.NewPCG(16, 4))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	for _, width := range []int{4, 8, 12, 16, 20, 24, 28, 32, 36, 52, 64, 100} {
		for _, n := range []int{0, 1, 2, 7, 30} {
			const most = 9
			table, values, by := random(most*width), random(n), random(width)
			ids := make([]uint32, n)
			for e := range ids {
				ids[e] = r.Uint32N(most)
			}
			sums, moved := make([]float64, width), slices.Clone(table)
			for e, id := range ids {
				for m := range sums {
					sums[m] += float64(table[int(id)*width+m] * values[e])
					moved[int(id)*width+m] += float64(by[m] * values[e])
				}
			}
			for name, loops := range rowSets {
				rows = loops
				got, after := random(width), slices.Clone(table)
				GatherRows(got, table, ids, values)
				checkEqual(t, fmt.Sprintf("%s: %d rows of %d gathered", name, n, width), got, sums)
				ScatterRows(after, ids, values, by)
				checkEqual(t, fmt.Sprintf("%s: %d rows of %d scattered", name, n, width), after, moved)
			}
		}
	}
}
