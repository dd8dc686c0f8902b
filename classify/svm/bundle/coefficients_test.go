package bundle

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Pieces of packed coefficients are the coefficients, from wherever they begin, and inner products have the same bits,
// whatever part of the coefficients has a value of its own.
func TestCoefficients(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, own := range []float64{0, 0.1, 0.4, 1} {
		for _, values := range []int{3, 20} {
			a, f := make([]float64, 1000), make([]float64, 1000)
			for i := range a {
				a[i], f[i] = float64(rng.IntN(values)), rng.NormFloat64()
				if rng.Float64() < own {
					a[i] = rng.NormFloat64()
				}
			}
			c := newCoefficients(a)
			if packed := c.code != nil; packed != (own < 0.5 && values == 3) {
				t.Errorf("%v with values of their own, %d others: packed %v", own, values, packed)
			}
			for _, bounds := range [][2]int{{0, 1000}, {17, 900}, {255, 257}, {5, 5}} {
				var got []float64
				c.each(bounds[0], bounds[1], func(at int, piece []float64) {
					if at != bounds[0]+len(got) {
						t.Errorf("a piece of record %d, want %d", at, bounds[0]+len(got))
					}
					got = append(got, piece...)
				})
				if !slices.Equal(got, a[bounds[0]:bounds[1]]) {
					t.Errorf("%v, %d: other coefficients in %v", own, values, bounds)
				}
			}
			if got, want := c.dot(f), vectors.Dot(a, f); got != want {
				t.Errorf("%v, %d: product %v, want %v", own, values, got, want)
			}
		}
	}
}
