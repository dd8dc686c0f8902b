package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
)

// unbiased are solvers of each loss.
func unbiased(loss Loss) map[string]Solver {
	solvers := map[string]Solver{
		"smo": SMO{}, "smo, no shrinking": SMO{NoShrinking: true}, "auto": Auto{}, "dual-coordinate": DualCoordinate{},
		"no shrinking": DualCoordinate{NoShrinking: true},
	}
	if loss == Hinge {
		solvers["cutting-plane"], solvers["sparse"] = CuttingPlane{}, CuttingPlane{Sparse: true}
	}
	return solvers
}

// unbiasedObjectives are the primal and the dual without a bias, by their definitions.
func unbiasedObjectives(g *Precomputed, y, coef []float64, c Costs, loss Loss) (primal, dual float64) {
	f := make([]float64, g.N)
	g.MulVecTo(f, coef)
	for i, a := range coef {
		cost := c.Positive
		if y[i] < 0 {
			cost = c.Negative
		}
		e := max(0, 1-y[i]*f[i])
		dual += y[i] * a
		if loss == SquaredHinge {
			e *= e
			dual -= a * a / (4 * cost)
		}
		primal += cost * e
	}
	square := dot(coef, f)
	return primal + square/2, dual - square/2
}

// TestNoBiasByDefinition: each solver's point has the objectives that it claims, which meet.
func TestNoBiasByDefinition(t *testing.T) {
	for trial := range 24 {
		k, y := points(3+4*trial, 2+trial%3, trial%2 == 0, uint64(trial))
		if trial%4 == 0 { // a record without features
			for j := range k.N {
				k.K[j], k.K[j*k.N] = 0, 0
			}
		}
		g := rooted(t, k)
		for _, costs := range []Costs{{1, 1}, {0.1, 0.3}, {20, 5}} {
			for _, loss := range []Loss{Hinge, SquaredHinge} {
				best, bound := math.Inf(1), math.Inf(-1)
				for name, s := range unbiased(loss) {
					p, err := Classify(y, costs)
					if err != nil {
						t.Fatal(err)
					}
					p.NoBias, p.Loss, p.Tol = true, loss, 1e-7
					sol, err := s.Solve(context.Background(), g, p)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					primal, dual := unbiasedObjectives(k, y, sol.Coef, costs, loss)
					best, bound = min(best, primal), max(bound, sol.Dual) // the dual bound may be another point's
					slow := sol.Solver == nameDualCoordinate && sol.Iterations >= usualPasses
					if slack := 1e-9 * (1 + primal); sol.Rho != 0 || math.Abs(sol.Primal-primal) > slack ||
						sol.Dual < dual-slack || primal-sol.Dual > 1.1e-7*primal && !slow {
						t.Errorf("trial %d, %v, %s, %s: ρ %v, objectives %v and %v, want 0, %v and %v", trial, costs, loss, name,
							sol.Rho, sol.Primal, sol.Dual, primal, dual)
					}
					for i, a := range sol.Coef {
						slack := 1e-12 * p.cost(i)
						if lo, hi := p.box(i); a < lo-slack || a > hi+slack {
							t.Errorf("trial %d, %s, %s: coefficient %d is %v", trial, loss, name, i, a)
						}
					}
				}
				if bound > best*(1+1e-9) {
					t.Errorf("trial %d, %v, %s: a bound of %v is above the objective %v", trial, costs, loss, bound, best)
				}
			}
		}
	}
}

// TestNoBiasOfOneLabel: without a bias there is something to learn of one class, and a start needs not sum to 0.
func TestNoBiasOfOneLabel(t *testing.T) {
	g, y := points(20, 2, true, 3)
	for i := range y {
		y[i] = 1
	}
	p := Problem{Linear: y, Weights: y, NoBias: true, Tol: 1e-6}
	want := -1.0
	for name, s := range unbiased(Hinge) {
		sol, err := s.Solve(context.Background(), rooted(t, g), p)
		if err != nil {
			t.Fatal(err)
		}
		if want < 0 {
			want = sol.Primal
		}
		if sol.Gap > 1e-6 || math.Abs(sol.Primal-want) > 2e-6*want {
			t.Errorf("%s: primal %v, others %v, gap %v", name, sol.Primal, want, sol.Gap)
		}
		if p.Start == nil && sol.Solver == nameCuttingPlane {
			p.Start = sol.Coef
		}
	}
	p.Sum = 1
	if _, err := (SMO{}).Solve(context.Background(), g, p); err == nil {
		t.Error("no error for a sum without a bias")
	}
}

// TestNoBiasAgainstLIBLINEAR compares with LIBLINEAR's -B -1.
func TestNoBiasAgainstLIBLINEAR(t *testing.T) {
	program := liblinear(t)
	rng := rand.New(rand.NewPCG(5, 3))
	g, y := &svmtest.Gram{Features: 90}, []float64(nil)
	for i := range 150 {
		var ids []int32
		var values []float64
		label := float64(1 - 2*((i+i/3)%2))
		for f := range g.Features {
			if rng.IntN(8) == 0 {
				ids, values = append(ids, int32(f)), append(values, rng.Float64()+0.2*label+0.5)
			}
		}
		g.IDs, g.Values, y = append(g.IDs, ids), append(g.Values, values), append(y, label)
	}
	for _, costs := range []Costs{{0.1, 0.1}, {1, 1}} {
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			want := liblinearObjective(t, program, g, y, costs, loss)
			for name, s := range unbiased(loss) {
				p, err := Classify(y, costs)
				if err != nil {
					t.Fatal(err)
				}
				p.NoBias, p.Loss, p.Tol = true, loss, 1e-7
				sol, err := s.Solve(context.Background(), g, p)
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(sol.Primal-want) > 1e-5*want {
					t.Errorf("%s, %v, %s: primal %v, LIBLINEAR %v", name, costs, loss, sol.Primal, want)
				}
			}
		}
	}
}
