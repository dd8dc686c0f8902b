package svm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
)

// squaredLoss is R(b) of the squared hinge by its definition.
func squaredLoss(p *instance, f []float64, b float64) (loss float64) {
	for i, y := range p.Linear {
		xi := max(0, 1-y*(f[i]+b))
		loss += p.cost(i) * xi * xi
	}
	return loss
}

// squaredSolvers are those that know the squared hinge.
func squaredSolvers(costs Costs, tol float64) map[string]task {
	return map[string]task{
		"smo":               task{SMO{}, Problem{Costs: costs, Loss: SquaredHinge, Tol: tol}},
		"smo, two rows":     task{SMO{}, Problem{Costs: costs, Loss: SquaredHinge, Tol: tol, CacheBytes: 1}},
		"smo, no shrinking": task{SMO{NoShrinking: true}, Problem{Costs: costs, Loss: SquaredHinge, Tol: tol}},
		"dual-coordinate":   task{DualCoordinate{}, Problem{Costs: costs, Loss: SquaredHinge, Tol: tol}},
		"no shrinking": task{DualCoordinate{NoShrinking: true},
			Problem{Costs: costs, Loss: SquaredHinge, Tol: tol}},
		"auto": task{Auto{}, Problem{Costs: costs, Loss: SquaredHinge, Tol: tol}},
	}
}

// checkSquaredCertificate recomputes from the definition all that a solution for the squared hinge claims.
func checkSquaredCertificate(t testing.TB, name string, g *Precomputed, y []float64, costs Costs,
	sol Solution, tol float64) {
	t.Helper()
	p := weighted(y, y, costs)
	f := make([]float64, g.N)
	sum, size, square, linear, ridge := 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range f {
		f[i] = dot(g.row(i), sol.Coef)
		a := y[i] * sol.Coef[i]
		if a < 0 {
			t.Errorf("%s: α[%d] = %v < 0", name, i, a)
		}
		sum += sol.Coef[i]
		size += a
		square += sol.Coef[i] * f[i]
		linear += a
		ridge += a * a / (4 * p.cost(i))
	}
	if math.Abs(sum) > 1e-12*size {
		t.Errorf("%s: Σ y α = %v, want 0", name, sum)
	}
	primal, dual := square/2+squaredLoss(p, f, -sol.Rho), linear-square/2-ridge
	if math.Abs(primal-sol.Primal) > 1e-9*(1e-12+primal) {
		t.Errorf("%s: primal %v, want %v", name, sol.Primal, primal)
	}
	if sol.Dual < dual-1e-9*primal {
		t.Errorf("%s: dual %v, but the coefficients have %v", name, sol.Dual, dual)
	}
	if sol.Gap > tol || math.Abs(sol.Gap-bundle.RelativeGap(sol.Primal, sol.Dual)) > 1e-9 {
		t.Errorf("%s: gap %v, want at most %v and that of %v and %v", name, sol.Gap, tol, sol.Primal, sol.Dual)
	}
}

// TestSquaredHingeAgainstEnumeration: the squared hinge is the problem without margin errors for K + diag(1/(2C)).
func TestSquaredHingeAgainstEnumeration(t *testing.T) {
	for trial := range 30 {
		n := 2 + trial%5
		k, y := points(n, 2, trial%2 == 0, uint64(trial))
		g := rooted(t, k)
		for _, costs := range []Costs{{1, 1}, {0.1, 0.3}, {20, 5}} {
			p := weighted(y, y, costs)
			ridged := &Precomputed{N: n, K: slices.Clone(k.K)}
			for i := range n {
				ridged.K[i*n+i] += 1 / (2 * p.cost(i))
			}
			want := bestByEnumeration(ridged, y, Costs{1e7, 1e7})
			for name, s := range squaredSolvers(costs, 1e-7) {
				sol := mustSolve(t, s, g, y)
				if math.Abs(sol.Dual-want) > 1e-6*want || math.Abs(sol.Primal-want) > 1e-6*want {
					t.Errorf("trial %d, %v, %s: objectives %v and %v, want %v", trial, costs, name,
						sol.Primal, sol.Dual, want)
				}
				checkSquaredCertificate(t, name, k, y, costs, sol, 1e-7)
			}
		}
	}
}

// TestSquaredHingeConditions: at the optimum every coefficient is 2 C ξ (Karush, Kuhn & Tucker), on classes as unlike
// in size as they come.
func TestSquaredHingeConditions(t *testing.T) {
	if testing.Short() {
		t.Skip("it solves for seconds, on one processor")
	}
	g, y := svmtest.Planted(300, 100, 5, 0.2, 0.05, 3)
	g.Own = make([]float64, len(y))
	positives := 0
	for i := range y {
		g.Own[i] = 0.1 * float64(i%7)
		if y[i] > 0 {
			if positives++; positives > 5 {
				y[i] = -1
			}
		}
	}
	k := dense(g)
	for _, c := range []float64{0.01, 1, 100} {
		costs := Costs{c, c / 2}
		p := weighted(y, y, costs)
		for name, s := range squaredSolvers(costs, 1e-9) {
			sol := mustSolve(t, s, g, y)
			checkSquaredCertificate(t, fmt.Sprintf("%s, C %v", name, c), k, y, costs, sol, 1e-9)
			greatest := 0.0
			for i := range y {
				greatest = max(greatest, math.Abs(sol.Coef[i]))
			}
			for i := range y {
				f := dot(k.row(i), sol.Coef) - sol.Rho
				if want := 2 * p.cost(i) * max(0, 1-y[i]*f); math.Abs(y[i]*sol.Coef[i]-want) > 1e-2*greatest {
					t.Errorf("%s, C %v: α[%d] = %v, want %v", name, c, i, y[i]*sol.Coef[i], want)
				}
			}
		}
	}
}

func TestSquaredHingeOnDegenerateData(t *testing.T) {
	if testing.Short() {
		t.Skip("it solves for seconds, on one processor")
	}
	for what, data := range degenerate() {
		g := rooted(t, data.g)
		for _, costs := range []Costs{{1, 1}, {1e-9, 1e-9}, {1e3, 1e3}, {1e-3, 1e3}} {
			for name, s := range squaredSolvers(costs, 0) {
				sol := mustSolve(t, s, g, data.y)
				checkSquaredCertificate(t, fmt.Sprintf("%s, %v, %s", what, costs, name), data.g, data.y, costs, sol, 1)
			}
		}
	}
}

func TestLossErrors(t *testing.T) {
	g, y := svmtest.Planted(20, 40, 3, 0.2, 0.1, 1)
	for _, s := range []task{task{SMO{}, Problem{Loss: "cubed"}}, task{DualCoordinate{}, Problem{Loss: "cubed"}},
		task{Auto{}, Problem{Loss: "cubed"}}} {
		if _, err := s.Solve(context.Background(), g, y); err == nil ||
			!strings.Contains(err.Error(), `Loss = cubed, want one of`) {
			t.Errorf("%T: error %v", s.solver, err)
		}
	}
}

// TestDualCoordinateWithCommonFeatures: what all records have in common competes with the bias, most of all beside a
// rare class.
func TestDualCoordinateWithCommonFeatures(t *testing.T) {
	if testing.Short() {
		t.Skip("it solves for seconds, on one processor")
	}
	g, y := svmtest.Planted(2000, 60, 4, 0.2, 0.02, 3)
	positives := 0
	for i := range y {
		g.IDs[i], g.Values[i] = append(g.IDs[i], int32(g.Features)), append(g.Values[i], 3)
		if y[i] > 0 {
			if positives++; positives > 20 {
				y[i] = -1
			}
		}
	}
	g.Features++
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		if sol := mustSolve(t, task{DualCoordinate{MaxIterations: 300}, Problem{Costs: Costs{0.02, 0.02}, Loss: loss}},
			g, y); sol.Gap > 1e-3 {
			t.Errorf("%s: gap %v after %d passes", loss, sol.Gap, sol.Iterations)
		}
	}
}
