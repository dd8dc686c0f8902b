package simd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAddScaled adds vectors by each set of loops and by the definition, whose sums have the same order and so the
// same bits.
func TestAddScaled(t *testing.T) {
	defer func(before func(dst []float64, vectors [][]float64, from int, weights []float64)) {
		addScaled = before
	}(addScaled)
	r := rand.New(rand.NewPCG(26, 11))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	for _, n := range []int{0, 1, 4, 15, 16, 17, 32, 100} {
		for _, count := range []int{0, 1, 2, 9} {
			from, weights, before := r.IntN(5), random(count), random(n)
			vectors := make([][]float64, count)
			for s := range vectors {
				vectors[s] = random(from + n + s)
			}
			want := slices.Clone(before)
			for i := range want {
				for s, v := range vectors {
					want[i] += float64(weights[s] * v[from+i])
				}
			}
			for name, loop := range scaledSets {
				addScaled = loop
				got := slices.Clone(before)
				AddScaled(got, vectors, from, weights)
				checkEqual(t, fmt.Sprintf("%s: %d vectors of %d from %d", name, count, n, from), got, want)
			}
		}
	}
}
