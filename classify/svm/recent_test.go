package svm

import (
	"context"
	"testing"

	"github.com/seqsvm/seqsvm/classify/risk"
)

// TestGoalIsSparser counts coefficients of points that have 9 or 18 of them, and of goals with fewer.
func TestGoalIsSparser(t *testing.T) {
	near := &risk.Hinges{}
	for _, c := range []struct {
		proximal   risk.Proximal
		best, goal int
		want       bool
	}{{near, 9, 8, false}, {near, 9, 7, true}, {near, 18, 16, false}, {near, 18, 15, true}, {nil, 18, 1, false}} {
		s := &coefficients{proximal: c.proximal, best: newPoint(20), goal: newPoint(20)}
		for i := range c.best {
			s.best.coef[i] = -1
		}
		for i := range c.goal {
			s.goal.coef[19-i] = 0.5
		}
		if got := s.goalIsSparser(); got != c.want {
			t.Errorf("%d coefficients of the goal, %d of the best point: %v", c.goal, c.best, got)
		}
	}
}

// TestFewSupportVectors compares the support vectors of the best point with those of SMO at the same tolerance: of the
// mean of all reduced solutions, every record was one.
func TestFewSupportVectors(t *testing.T) {
	for _, c := range []float64{1, 10} {
		count := func(s Solver) int {
			g, y := points(600, 4, true, 3)
			sol, err := task{s, Problem{Costs: Costs{c, c}, Tol: 1e-4}}.Solve(context.Background(), g, y)
			if err != nil {
				t.Fatal(err)
			}
			return sol.SupportVectors()
		}
		if got, few := count(CuttingPlane{}), count(SMO{}); float64(got) > 1.2*float64(few) {
			t.Errorf("C = %g: %d support vectors, %d of SMO", c, got, few)
		}
	}
}
