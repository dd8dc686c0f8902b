package risk

import (
	"testing"

	"pgregory.net/rapid"
)

// squaredLoss is R(b) by its definition.
func squaredLoss(p *Hinges, f []float64, b float64) (loss float64) {
	for i, y := range p.Points {
		xi := max(0, 1-y*(f[i]+b))
		loss += p.Cost(i) * xi * xi
	}
	return loss
}

func TestSquaredBiasMinimisesTheLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		spread := rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "spread")
		y, f := make([]float64, n), make([]float64, n)
		for i := range y {
			y[i] = rapid.SampledFrom([]float64{-1, 1}).Draw(t, "y")
			f[i] = float64(rapid.IntRange(-spread, spread).Draw(t, "f")) / 4
		}
		y[0], y[1] = 1, -1
		cost := rapid.SampledFrom([]float64{1e-6, 0.1, 1, 3, 1e6})
		p := &Hinges{Points: y, Weights: y, Costs: Costs{cost.Draw(t, "C+"), cost.Draw(t, "C-")}, Squared: true}
		b := p.Bias(f)
		// The loss is convex: what is no worse than both neighbours is a minimum.
		at := squaredLoss(p, f, b)
		for _, step := range []float64{1e-6, 1e-3, 1} {
			if near := min(squaredLoss(p, f, b-step), squaredLoss(p, f, b+step)); near < at*(1-1e-9) {
				t.Fatalf("loss %v at b = %v, but %v nearby", at, b, near)
			}
		}
	})
}
