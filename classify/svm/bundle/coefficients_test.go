package bundle

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Pieces of packed coefficients are the coefficients, from wherever they begin, and inner products have the same bits,
// however many coefficients have a value of their own.
func TestCoefficients(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for own, packed := range map[float64]bool{0: true, 0.1: true, 0.4: true, 0.6: false, 1: false} {
		a, f := make([]float64, 1000), make([]float64, 1000)
		for i := range a {
			a[i], f[i] = float64(rng.IntN(3)), rng.NormFloat64()
			if rng.Float64() < own {
				a[i] = rng.NormFloat64()
			}
		}
		c := newCoefficients(a)
		if got, want := c.dot(f), vectors.Dot(a, f); got != want || (c.code != nil) != packed {
			t.Errorf("%v: product %v, want %v; packed %v", own, got, want, c.code != nil)
		}
		for _, bounds := range [][2]int{{0, 1000}, {17, 900}, {255, 257}, {5, 5}} {
			got := make([]float64, 1000)
			c.each(bounds[0], bounds[1], func(at int, piece []float64) { copy(got[at:], piece) })
			if lo, hi := bounds[0], bounds[1]; !slices.Equal(got[lo:hi], a[lo:hi]) || !vectors.Zero(got[:lo], got[hi:]) {
				t.Errorf("%v: other coefficients in %v", own, bounds)
			}
		}
	}
}
