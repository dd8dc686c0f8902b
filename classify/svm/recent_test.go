package svm

import (
	"context"
	"testing"
)

// TestFewSupportVectors compares the support vectors of the best point with those of SMO at the same tolerance: of the
// mean of all reduced solutions, every record was one.
func TestFewSupportVectors(t *testing.T) {
	for _, c := range []float64{1, 10} {
		count := func(s Solver) (n int) {
			g, y := points(600, 4, true, 3)
			sol, err := task{s, Problem{Costs: Costs{c, c}, Tol: 1e-4}}.Solve(context.Background(), g, y)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range sol.Coef {
				if a != 0 {
					n++
				}
			}
			return n
		}
		if got, few := count(CuttingPlane{}), count(SMO{}); float64(got) > 1.2*float64(few) {
			t.Errorf("C = %g: %d support vectors, %d of SMO", c, got, few)
		}
	}
}
