package decide

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestCouplingMinimises compares with the objective all around.
func TestCouplingMinimises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 6).Draw(t, "k")
		r := make([][]float64, k)
		for i := range r {
			r[i] = make([]float64, k)
		}
		for i := range k {
			for j := range i {
				r[i][j] = rapid.Float64Range(0.001, 0.999).Draw(t, "r")
				r[j][i] = 1 - r[i][j]
			}
		}
		objective := func(p []float64) (sum float64) {
			for i := range k {
				for j := range k {
					if i != j {
						sum += math.Pow(r[j][i]*p[i]-r[i][j]*p[j], 2)
					}
				}
			}
			return sum
		}
		p := couplePairs(r)
		total := 0.0
		for _, v := range p {
			if v < 0 {
				t.Fatalf("p = %v", p)
			}
			total += v
		}
		if math.Abs(total-1) > 1e-12 {
			t.Fatalf("Σ p = %v", total)
		}
		best := objective(p)
		for i := range k {
			for j := range k {
				moved := append([]float64(nil), p...)
				h := min(1e-3, p[i])
				moved[i] -= h
				moved[j] += h
				if objective(moved) < best-1e-9 {
					t.Fatalf("p = %v: moving %v from %d to %d improves %v to %v", p, h, i, j, best, objective(moved))
				}
			}
		}
	})
}
