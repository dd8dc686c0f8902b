package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// solvers returns both solvers, and SMO with its options the other way.
func solvers(costs Costs, tol float64) map[string]task {
	return map[string]task{
		"smo":               task{SMO{}, Problem{Costs: costs, Tol: tol}},
		"smo, two rows":     task{twoRows{}, Problem{Costs: costs, Tol: tol, CacheBytes: 1}},
		"smo, no shrinking": task{SMO{NoShrinking: true}, Problem{Costs: costs, Tol: tol}},
		"cutting-plane":     task{CuttingPlane{}, Problem{Costs: costs, Tol: tol}},
		"sparse planes":     task{CuttingPlane{Sparse: true}, Problem{Costs: costs, Tol: tol}},
		"auto":              task{Auto{}, Problem{Costs: costs, Tol: tol}},
	}
}

// copied is a matrix whose rows have to be copied to be kept.
type copied struct{ *Precomputed }

// twoRows is SMO with a cache of two rows.
type twoRows struct{ SMO }

func (s twoRows) Solve(ctx context.Context, g stringkernel.Gram, p Problem) (Solution, error) {
	if whole, ok := g.(*Precomputed); ok {
		g = copied{whole}
	}
	return s.SMO.Solve(ctx, g, p)
}

// task is a solver and what a two-class problem has besides its labels.
type task struct {
	solver  Solver
	problem Problem
}

func (s task) Solve(ctx context.Context, g stringkernel.Gram, y []float64) (Solution, error) {
	p, err := Classify(y, s.problem.Costs)
	if err != nil {
		return Solution{}, err
	}
	p.Loss, p.Tol, p.Start, p.Like = s.problem.Loss, s.problem.Tol, s.problem.Start, s.problem.Like
	p.CacheBytes, p.Progress = s.problem.CacheBytes, s.problem.Progress
	return s.solver.Solve(ctx, g, p)
}

// points returns the Gram matrix of random points with labels that overlap: linear, or Gaussian of width 1.
func points(n, dims int, gaussian bool, seed uint64) (*Precomputed, []float64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		y[i] = float64(1 - 2*(i%2))
		x[i] = make([]float64, dims)
		for d := range x[i] {
			x[i][d] = rng.NormFloat64() + 0.4*y[i]
		}
	}
	p := &Precomputed{N: n, K: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			if !gaussian {
				p.K[i*n+j] = dot(x[i], x[j])
				continue
			}
			square := 0.0
			for d := range dims {
				square += (x[i][d] - x[j][d]) * (x[i][d] - x[j][d])
			}
			p.K[i*n+j] = math.Exp(-square / 2)
		}
	}
	return p, y
}

func mustSolve(t testing.TB, s task, g stringkernel.Gram, y []float64) Solution {
	t.Helper()
	sol, err := s.Solve(context.Background(), g, y)
	if err != nil {
		t.Fatalf("%T: %v", s.solver, err)
	}
	return sol
}

// checkCertificate recomputes from the definition all that a solution claims.
func checkCertificate(t testing.TB, name string, g *Precomputed, y []float64, costs Costs, sol Solution, tol float64) {
	t.Helper()
	p := weighted(y, y, costs)
	f := make([]float64, g.N)
	sum, size, square, alphas := 0.0, 0.0, 0.0, 0.0
	for i := range f {
		f[i] = dot(g.row(i), sol.Coef)
		sum += sol.Coef[i]
		size += math.Abs(sol.Coef[i])
		if a := y[i] * sol.Coef[i]; a < -1e-12*p.cost(i) || a > p.cost(i)*(1+1e-12) {
			t.Errorf("%s: α[%d] = %v outside [0, %v]", name, i, a, p.cost(i))
		}
	}
	for i := range f {
		square += sol.Coef[i] * f[i]
		alphas += y[i] * sol.Coef[i]
	}
	if math.Abs(sum) > 1e-12*size {
		t.Errorf("%s: Σ y α = %v, want 0", name, sum)
	}
	primal, dual := square/2+biasLoss(p, f, -sol.Rho), alphas-square/2
	if math.Abs(primal-sol.Primal) > 1e-9*(1e-12+math.Abs(primal)) {
		t.Errorf("%s: primal %v, want %v", name, sol.Primal, primal)
	}
	if sol.Dual < dual-1e-9*math.Abs(primal) {
		t.Errorf("%s: dual %v, but the coefficients have %v", name, sol.Dual, dual)
	}
	if sol.Gap > tol || math.Abs(sol.Gap-bundle.RelativeGap(sol.Primal, sol.Dual)) > 1e-9 {
		t.Errorf("%s: gap %v, want at most %v and that of %v and %v", name, sol.Gap, tol, sol.Primal, sol.Dual)
	}
}

// bestByEnumeration solves a tiny dual exactly: every coefficient is at 0, at C, or free, and the free ones solve a
// linear system with the bias as multiplier.
func bestByEnumeration(g *Precomputed, y []float64, costs Costs) float64 {
	n := g.N
	p := weighted(y, y, costs)
	best := math.Inf(-1)
	states := 1
	for range n {
		states *= 3
	}
	for code := range states {
		beta := make([]float64, n)
		var free []int
		for i, c := 0, code; i < n; i, c = i+1, c/3 {
			switch c % 3 {
			case 1:
				beta[i] = y[i] * p.cost(i)
			case 2:
				free = append(free, i)
			}
		}
		if !freeToStationary(g, y, beta, free) {
			continue
		}
		value, sum, feasible := 0.0, 0.0, true
		for i := range n {
			value += y[i]*beta[i] - beta[i]*dot(g.row(i), beta)/2
			sum += beta[i]
			feasible = feasible && y[i]*beta[i] >= -1e-9 && y[i]*beta[i] <= p.cost(i)+1e-9
		}
		if feasible && math.Abs(sum) < 1e-9 {
			best = max(best, value)
		}
	}
	return best
}

func freeToStationary(g *Precomputed, y, beta []float64, free []int) bool {
	k := len(free)
	if k == 0 {
		return true
	}
	a, rhs := mat.NewDense(k+1, k+1, nil), mat.NewVecDense(k+1, nil)
	fixed := 0.0
	for _, b := range beta {
		fixed += b
	}
	for i, r := range free {
		for j, c := range free {
			a.Set(i, j, g.row(r)[c])
		}
		a.Set(i, k, 1)
		a.Set(k, i, 1)
		rhs.SetVec(i, y[r]-dot(g.row(r), beta))
	}
	rhs.SetVec(k, -fixed)
	var x mat.VecDense
	if x.SolveVec(a, rhs) != nil {
		return false
	}
	for i, r := range free {
		beta[r] = x.AtVec(i)
	}
	return true
}

func TestSolversAgainstEnumeration(t *testing.T) {
	for trial := range 40 {
		n := 2 + trial%5
		g, y := points(n, 2, trial%2 == 0, uint64(trial))
		for _, costs := range []Costs{{1, 1}, {0.1, 0.3}, {20, 5}} {
			want := bestByEnumeration(g, y, costs)
			for name, s := range solvers(costs, 1e-9) {
				sol := mustSolve(t, s, g, y)
				if math.Abs(sol.Dual-want) > 1e-8*want || math.Abs(sol.Primal-want) > 1e-8*want {
					t.Errorf("trial %d, %s: objectives %v and %v, want %v", trial, name, sol.Primal, sol.Dual, want)
				}
			}
		}
	}
}

func TestCertificates(t *testing.T) {
	for _, gaussian := range []bool{false, true} {
		for _, costs := range []Costs{{1, 1}, {0.01, 0.02}, {30, 3}} {
			g, y := points(150, 3, gaussian, 11)
			for _, tol := range []float64{1e-2, 1e-3, 1e-6} {
				for name, s := range solvers(costs, tol) {
					checkCertificate(t, fmt.Sprintf("%s, gaussian %v, %v, tol %v", name, gaussian, costs, tol), g, y,
						costs, mustSolve(t, s, g, y), tol)
				}
			}
		}
	}
}

// TestSMOMeetsKKT checks the conditions record by record: at 0 the margin is at least 1, at C at most 1, between them
// 1.
func TestSMOMeetsKKT(t *testing.T) {
	g, y := points(120, 3, true, 5)
	sol := mustSolve(t, task{SMO{}, Problem{Costs: Costs{2, 2}, Tol: 1e-10}}, g, y)
	for i := range y {
		margin, alpha := y[i]*(dot(g.row(i), sol.Coef)-sol.Rho), y[i]*sol.Coef[i]
		if alpha < 2 && margin < 1-1e-4 || alpha > 0 && margin > 1+1e-4 {
			t.Errorf("record %d: margin %v at α = %v", i, margin, alpha)
		}
	}
}

func TestSolversAgreeOnPlantedMotifs(t *testing.T) {
	for _, flipped := range []float64{0, 0.1} {
		g, y := svmtest.Planted(250, 100, 5, 0.2, flipped, 3)
		k := dense(g)
		for _, c := range []float64{0.1, 1, 10} {
			costs := Costs{c, c / 2}
			reference := mustSolve(t, task{SMO{}, Problem{Costs: costs, Tol: 1e-8}}, k, y)
			for name, s := range solvers(costs, 0) {
				sol := mustSolve(t, s, g, y)
				checkCertificate(t, name, k, y, costs, sol, 1e-3)
				if math.Abs(sol.Primal-reference.Primal) > 1e-3*reference.Primal {
					t.Errorf("%s, C %v: primal %v, want %v", name, c, sol.Primal, reference.Primal)
				}
			}
			tight := mustSolve(t, task{CuttingPlane{}, Problem{Costs: costs, Tol: 1e-6}}, g, y)
			if math.Abs(tight.Primal-reference.Primal) > 2e-6*reference.Primal ||
				math.Abs(tight.Rho-reference.Rho) > 1e-2 {
				t.Errorf("C %v: primal %v, rho %v, want %v, %v", c, tight.Primal, tight.Rho,
					reference.Primal, reference.Rho)
			}
		}
	}
}

// degenerate lists matrices that leave solvers little to work with.
func degenerate() map[string]struct {
	g *Precomputed
	y []float64
} {
	alternate := func(n int) []float64 {
		y := make([]float64, n)
		for i := range y {
			y[i] = float64(1 - 2*(i%2))
		}
		return y
	}
	ones := &Precomputed{N: 6, K: make([]float64, 36)}
	for i := range ones.K {
		ones.K[i] = 1
	}
	identity, onePositive := &Precomputed{N: 9, K: make([]float64, 81)}, []float64{1, -1, -1, -1, -1, -1, -1, -1, -1}
	for i := range 9 {
		identity.K[i*10] = 1
	}
	someEmpty, y := points(20, 2, false, 1)
	for i := range 20 {
		for j := range 20 {
			if i%4 < 2 || j%4 < 2 {
				someEmpty.K[i*20+j] = 0
			}
		}
	}
	type instance = struct {
		g *Precomputed
		y []float64
	}
	return map[string]instance{
		"all zero":                  {&Precomputed{N: 5, K: make([]float64, 25)}, alternate(5)},
		"all equal, labels differ":  {ones, alternate(6)},
		"one positive":              {identity, onePositive},
		"half without features":     {someEmpty, y},
		"two records":               {&Precomputed{N: 2, K: []float64{1, 0, 0, 1}}, alternate(2)},
		"two equal records":         {&Precomputed{N: 2, K: []float64{1, 1, 1, 1}}, alternate(2)},
		"tiny kernel values":        {&Precomputed{N: 2, K: []float64{1e-200, 0, 0, 1e-200}}, alternate(2)},
		"kernel values of all size": {&Precomputed{N: 3, K: []float64{1e8, 0, 0, 0, 1, 0, 0, 0, 1e-8}}, alternate(3)},
	}
}

func TestDegenerateData(t *testing.T) {
	for what, data := range degenerate() {
		for _, costs := range []Costs{{1, 1}, {1e-9, 1e-9}, {1e5, 1e5}, {1e-3, 1e3}} {
			for name, s := range solvers(costs, 0) {
				sol := mustSolve(t, s, data.g, data.y)
				checkCertificate(t, fmt.Sprintf("%s, %s, %v", what, name, costs), data.g, data.y, costs, sol, 1e-3)
			}
		}
	}
}

func TestIndefiniteMatrix(t *testing.T) {
	g, y := points(60, 3, true, 8)
	for i := range 60 {
		g.K[i*61] -= 0.7 // negative eigenvalues
	}
	sol := mustSolve(t, task{SMO{}, Problem{Tol: 1e-6}}, g, y)
	for i := range y { // still a KKT point
		margin, alpha := y[i]*(dot(g.row(i), sol.Coef)-sol.Rho), y[i]*sol.Coef[i]
		if alpha < 1 && margin < 1-1e-2 || alpha > 0 && margin > 1+1e-2 {
			t.Errorf("record %d: margin %v at α = %v", i, margin, alpha)
		}
	}
	negative := &Precomputed{N: 200, K: make([]float64, 200*200)}
	labels := make([]float64, 200)
	for i := range 200 {
		negative.K[i*201] = -1
		labels[i] = float64(1 - 2*(i%2))
	}
	if _, err := (task{CuttingPlane{}, Problem{}}).Solve(context.Background(), negative, labels); !errors.Is(err,
		ErrIndefinite) {
		t.Errorf("error %v, want %v", err, ErrIndefinite)
	}
	if sol := mustSolve(t, task{Auto{}, Problem{}}, svmtest.Unbased{Gram: negative}, labels); sol.Solver != "smo" {
		t.Errorf("Auto used %s for an indefinite matrix, want smo", sol.Solver)
	}
}
