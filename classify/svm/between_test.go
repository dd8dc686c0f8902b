package svm

import (
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
)

// blocked are rows in memory, in three blocks.
type blocked struct{ Walk }

func (blocked) Blocks() []int { return []int{100, 150, 400} }

// TestBetween compares the point between two certificates with points all along the line, and its scores with fresh
// ones.
func TestBetween(t *testing.T) {
	g, y := svmtest.Planted(400, 60, 5, 0.2, 0.1, 3)
	rows, _, err := rowsOf(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []float64{0.1, 1, 10} {
		d, err := DualCoordinate{}.Descent(t.Context(), blocked{rows}, Problem{Linear: y, Weights: y, Costs: Costs{c, c / 2}})
		if err != nil {
			t.Fatal(err)
		}
		r := d.run
		var from []float64
		for pass := range 6 {
			if err := r.pass(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := r.certificate(t.Context()); err != nil {
				t.Fatal(err)
			}
			best, beta, f := math.Inf(1), make([]float64, len(y)), make([]float64, len(y))
			primal := func(of []float64) float64 {
				table := make([]float64, rows.Width())
				if err := rows.Sum(t.Context(), table, of); err != nil {
					t.Fatal(err)
				}
				if err := rows.Score(t.Context(), f, table); err != nil {
					t.Fatal(err)
				}
				return r.certify(of, f).Primal
			}
			for step := 0; step <= 100 && pass > 0; step++ {
				for i, b := range r.beta {
					beta[i] = from[i] + float64(step)/100*(b-from[i])
				}
				best = min(best, primal(beta))
			}
			if now := r.now.Primal; now > best*(1+1e-3) || math.Abs(primal(r.now.Coef)-now) > 1e-9*now {
				t.Errorf("C %v, pass %d: primal value %v, along the line %v, afresh %v", c, pass, now, best,
					primal(r.now.Coef))
			}
			r.keep()
			from = slices.Clone(r.best.Coef)
		}
	}
}
