package sharded

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCentre compares with exact sums: up to the quanta where all planes are recent, or the weights of old ones fall
// alike, whatever those of recent ones do.
func TestCentre(t *testing.T) {
	const n = 300
	rng := rand.New(rand.NewPCG(1, 2))
	c, planes, weights := newCentre(n), [][]float64(nil), []float64(nil)
	for count := range 4 * recentPlanes {
		a := make([]float64, n)
		scale := math.Exp(4 * rng.NormFloat64())
		for i := range a {
			a[i] = scale * rng.NormFloat64()
		}
		c.add(a)
		planes, weights = append(planes, a), append(weights, 0)
		factor := 0.2 + rng.Float64()
		var support []int
		var shares []float64
		for k := range weights {
			if k <= count-recentPlanes {
				weights[k] *= factor
			} else {
				weights[k] = float64(rng.IntN(3))
			}
			if weights[k] > 0 {
				support, shares = append(support, k), append(shares, weights[k])
			}
		}
		c.follow(support, shares, count+1)
		got := c.coefficients()
		for i := range n {
			want, slack := 0.0, 0.0
			for k, a := range planes {
				greatest := 0.0
				for _, x := range a {
					greatest = max(greatest, math.Abs(x))
				}
				want += weights[k] * a[i]
				slack += weights[k] * greatest * (0.5/quanta + 1e-6)
			}
			if !(math.Abs(got[i]-want) <= slack) {
				t.Fatalf("%d planes: coefficient %d is %v, want %v ± %v", count+1, i, got[i], want, slack)
			}
		}
	}
}

// TestCentreOfNothing has planes of zeros, and none.
func TestCentreOfNothing(t *testing.T) {
	c := newCentre(3)
	for range 2 * recentPlanes {
		for _, x := range c.coefficients() {
			if x != 0 {
				t.Fatalf("coefficient %v, want 0", x)
			}
		}
		c.add(make([]float64, 3))
		c.follow([]int{0}, []float64{1}, len(c.recent))
	}
}
