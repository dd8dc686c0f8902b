package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestSolverErrors(t *testing.T) {
	good, y := points(4, 2, false, 1)
	nan, _ := points(4, 2, false, 1)
	nan.K[2*4+3] = math.NaN()
	infinite, _ := points(4, 2, false, 1)
	infinite.K[0] = math.Inf(1)
	for _, c := range []struct {
		what, want string
		solver     task
		g          stringkernel.Gram
		y          []float64
	}{
		{"no matrix", "no Gram matrix", task{SMO{}, Problem{}}, nil, y},
		{"no matrix", "no Gram matrix", task{Auto{}, Problem{}}, nil, y},
		{"lengths", "3 linear terms and 3 weights for a Gram matrix of 4 rows", task{CuttingPlane{}, Problem{}}, good,
			y[:3]},
		{"label", "y[1] = 0.5, want +1 or -1", task{SMO{}, Problem{}}, good, []float64{1, 0.5, 1, -1}},
		{"one class", "4 of 4 labels are +1", task{CuttingPlane{}, Problem{}}, good, []float64{1, 1, 1, 1}},
		{"no records", "0 of 0 labels", task{SMO{}, Problem{}}, &Precomputed{}, nil},
		{"negative C", "Costs.Negative = -1, want > 0", task{SMO{}, Problem{Costs: Costs{1, -1}}}, good, y},
		{"infinite C", "Costs.Positive = +Inf", task{CuttingPlane{}, Problem{Costs: Costs{Positive: math.Inf(1)}}},
			good, y},
		{"NaN C", "Costs.Positive = NaN", task{SMO{}, Problem{Costs: Costs{Positive: math.NaN()}}}, good, y},
		{"tolerance", "Tol = -1", task{CuttingPlane{}, Problem{Tol: -1}}, good, y},
		{"tolerance", "Tol = NaN", task{SMO{}, Problem{Tol: math.NaN()}}, good, y},
		{"cache", "CacheBytes = -5", task{SMO{}, Problem{CacheBytes: -5}}, good, y},
		{"iterations", "MaxIterations = -1", task{CuttingPlane{MaxIterations: -1}, Problem{}}, good, y},
		{"iterations", "MaxIterations = -1", task{SMO{MaxIterations: -1}, Problem{}}, good, y},
		{"NaN in a row", "row 2 of the Gram matrix is NaN", task{SMO{}, Problem{}}, nan, y},
		{"NaN in a product", "product with the Gram matrix is NaN", task{CuttingPlane{}, Problem{}}, nan, y},
		{"infinite diagonal", "entry (0, 0) of the Gram matrix is +Inf", task{SMO{}, Problem{}}, infinite, y},
		{"infinite diagonal", "is +Inf", task{CuttingPlane{}, Problem{}}, infinite, y},
	} {
		_, err := c.solver.Solve(context.Background(), c.g, c.y)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.what, err, c.want)
		}
	}
}

func TestPrecomputedErrors(t *testing.T) {
	for want, k := range map[string][][]float64{
		"row 1 of the Gram matrix has 1 entries": {{1, 0}, {0}},
		"entry (0, 1) of the Gram matrix is NaN": {{1, math.NaN()}, {0, 1}},
		"want a symmetric matrix":                {{1, 0.5}, {0.4, 1}},
	} {
		if _, err := NewPrecomputed(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestSolversStopWhenCancelled(t *testing.T) {
	g, y := points(50, 3, true, 2)
	ctx, cancel := context.WithCancel(context.Background())
	for name, make := range map[string]func(func(Progress)) task{
		"smo":           func(p func(Progress)) task { return task{SMO{}, Problem{Tol: 1e-12, Progress: p}} },
		"cutting-plane": func(p func(Progress)) task { return task{CuttingPlane{}, Problem{Tol: 1e-12, Progress: p}} },
	} {
		running, stop := context.WithCancel(context.Background())
		s := make(func(Progress) { stop() })
		if _, err := s.Solve(running, g, y); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled on the way: error %v", name, err)
		}
		stop()
	}
	cancel()
	for name, s := range solvers(Costs{}, 0) {
		if _, err := s.Solve(ctx, g, y); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// slowRows is a row-based matrix that ends a context at a certain row and counts those asked for afterwards.
type slowRows struct {
	*Precomputed
	end   func()
	until int // rows before the end
	late  int
}

func (g *slowRows) Row(dst []float64, i int) {
	if g.until--; g.until == 0 {
		g.end()
	} else if g.until < 0 {
		g.late++
	}
	g.Precomputed.Row(dst, i)
}

// TestSMOStopsWithinAStep: where a row takes a second, a cancelled run must not ask for many more.
func TestSMOStopsWithinAStep(t *testing.T) {
	g, y := points(80, 3, true, 2)
	for until := range 400 {
		ctx, cancel := context.WithCancel(context.Background())
		rows := &slowRows{Precomputed: g, end: cancel, until: until + 1}
		_, err := task{SMO{}, Problem{Tol: 1e-9, CacheBytes: 1}}.Solve(ctx, rows, y)
		if !errors.Is(err, context.Canceled) || rows.late > 2 {
			t.Fatalf("cancelled at row %d: error %v after %d more rows", until+1, err, rows.late)
		}
		cancel()
	}
}

func TestIterationLimits(t *testing.T) {
	g, y := points(80, 3, true, 2)
	for name, s := range map[string]task{"smo": task{SMO{MaxIterations: 5}, Problem{}},
		"cutting-plane": task{CuttingPlane{MaxIterations: 3}, Problem{}}} {
		sol := mustSolve(t, s, g, y)
		if sol.Gap <= 1e-3 || math.IsNaN(sol.Gap) || sol.Iterations > 5 {
			t.Errorf("%s: gap %v after %d iterations", name, sol.Gap, sol.Iterations)
		}
		checkCertificate(t, name, g, y, Costs{1, 1}, sol, 1)
	}
	// A gap below what float64 can show ends with the best there is.
	for name, s := range solvers(Costs{1000, 1000}, 1e-17) {
		if sol := mustSolve(t, s, g, y); sol.Gap > 1e-6 {
			t.Errorf("%s: gap %v", name, sol.Gap)
		}
	}
}

func TestProgressEndsWithTheSolution(t *testing.T) {
	g, y := points(80, 3, true, 4)
	var last Progress
	calls, done := 0, 0
	record := func(p Progress) {
		last = p
		calls++
		if p.Done {
			done++
		}
	}
	for _, s := range []task{task{SMO{}, Problem{Progress: record}}, task{CuttingPlane{}, Problem{Progress: record}}} {
		calls, done = 0, 0
		sol := mustSolve(t, s, g, y)
		if done != 1 || !last.Done || last.Iterations != sol.Iterations || last.Primal != sol.Primal ||
			last.Dual != sol.Dual || last.Solver != sol.Solver {
			t.Errorf("%T: last report %+v of %d for solution %v %v", s.solver, last, calls, sol.Primal, sol.Dual)
		}
	}
}

func TestObjectiveIgnoresTheOrderOfRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 30).Draw(t, "n")
		g, y := points(n, 2, rapid.Bool().Draw(t, "gaussian"), rapid.Uint64().Draw(t, "seed"))
		order := rapid.Permutation(indices(n)).Draw(t, "order")
		moved, labels := &Precomputed{N: n, K: make([]float64, n*n)}, make([]float64, n)
		for i, a := range order {
			labels[i] = y[a]
			for j, b := range order {
				moved.K[i*n+j] = g.K[a*n+b]
			}
		}
		for name, s := range solvers(Costs{3, 1}, 1e-7) {
			a, errA := s.Solve(context.Background(), g, y)
			b, errB := s.Solve(context.Background(), moved, labels)
			if errA != nil || errB != nil || math.Abs(a.Dual-b.Dual) > 1e-6*a.Primal {
				t.Fatalf("%s: %v, %v after a permutation (%v, %v)", name, a.Dual, b.Dual, errA, errB)
			}
		}
	})
}

// TestObjectiveScales: kernel values times s and costs divided by s divide the objective by s.
func TestObjectiveScales(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, y := points(20, 2, true, rapid.Uint64().Draw(t, "seed"))
		s := math.Exp(rapid.Float64Range(-20, 20).Draw(t, "log s"))
		scaled := &Precomputed{N: g.N, K: make([]float64, len(g.K))}
		for i, v := range g.K {
			scaled.K[i] = s * v
		}
		for name := range solvers(Costs{}, 0) {
			a, errA := solvers(Costs{2, 5}, 1e-7)[name].Solve(context.Background(), g, y)
			b, errB := solvers(Costs{2 / s, 5 / s}, 1e-7)[name].Solve(context.Background(), scaled, y)
			if errA != nil || errB != nil || math.Abs(a.Primal-s*b.Primal) > 1e-6*a.Primal {
				t.Fatalf("%s, s = %v: %v, %v (%v, %v)", name, s, a.Primal, s*b.Primal, errA, errB)
			}
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestSMOAsksForRowsOnceWhileTheyFit(t *testing.T) {
	all, y := points(200, 3, true, 6)
	g := copied{all}
	sol := mustSolve(t, task{SMO{}, Problem{Costs: Costs{10, 10}, Tol: 1e-8}}, g, y)
	if sol.Rows > 200 || sol.Products != 0 {
		t.Errorf("%d rows and %d products for 200 records", sol.Rows, sol.Products)
	}
	thrifty := mustSolve(t, task{SMO{}, Problem{Costs: Costs{10, 10}, Tol: 1e-8, CacheBytes: 8 * 200 * 20}}, g, y)
	for i := range sol.Coef {
		if sol.Coef[i] != thrifty.Coef[i] {
			t.Fatalf("coefficient %d depends on the size of the cache: %v, %v", i, sol.Coef[i], thrifty.Coef[i])
		}
	}
}

func TestAutoChoice(t *testing.T) {
	small, _ := points(50, 2, true, 1)
	large, _ := points(51, 2, true, 1)
	for _, c := range []struct {
		g    stringkernel.Gram
		want Solver
	}{
		{small, SMO{}}, {large, SMO{}}, {svmtest.Unbased{Gram: small}, SMO{}},
		{svmtest.Unbased{Gram: large}, CuttingPlane{}},
		{stringkernel.DirectGram{Corpus: svmtest.Corpus(150)}, SMO{}},
		{svmtest.PairCounts(svmtest.Corpus(50)), SMO{}}, {svmtest.PairCounts(svmtest.Corpus(51)), DualCoordinate{}},
		{svmtest.Unbased{Gram: svmtest.PairCounts(svmtest.Corpus(80))}, CuttingPlane{}},
	} {
		if s, reason := (Auto{}).choose(c.g, Problem{}); s != c.want || reason == "" {
			t.Errorf("%T of %d: %T (%s), want %T", c.g, c.g.Len(), s, reason, c.want)
		}
	}
}

// TestGapsClose solves many small problems to a tight gap: points that tie up to rounding are the rule near the
// solution.
func TestGapsClose(t *testing.T) {
	const tol = 1e-7
	for seed := range uint64(1200) {
		g, y := points(4+int(seed%27), 2, seed%2 == 0, seed)
		costs := []Costs{{3, 1}, {100, 100}, {0.01, 0.01}}[seed%3]
		for name, s := range map[string]task{
			"smo":           task{SMO{}, Problem{Costs: costs, Tol: tol}},
			"cutting-plane": task{CuttingPlane{}, Problem{Costs: costs, Tol: tol}},
			"sparse planes": task{CuttingPlane{Sparse: true}, Problem{Costs: costs, Tol: tol}},
		} {
			if sol := mustSolve(t, s, g, y); sol.Gap > tol {
				t.Errorf("%s, seed %d: gap %v after %d iterations", name, seed, sol.Gap, sol.Iterations)
			}
		}
	}
}

// TestCuttingPlaneOnGreatKernelValues: points on a grid, some with both labels, under kernel values times C of 1e8,
// where the lower bound starts ten million times below the upper one.
func TestCuttingPlaneOnGreatKernelValues(t *testing.T) {
	const n = 200
	for seed := range uint64(10) {
		g, y := gridPoints(n, seed)
		for i := range g.K {
			g.K[i] *= 1e8
		}
		if sol := mustSolve(t, task{CuttingPlane{}, Problem{}}, g, y); sol.Gap > 1e-3 {
			t.Errorf("seed %d: gap %v after %d iterations", seed, sol.Gap, sol.Iterations)
		}
	}
}

// TestCuttingPlaneAtTheLimitsOfFloat64: with kernel values times C of 1e14 the gap may stay open, but not without an
// answer.
func TestCuttingPlaneAtTheLimitsOfFloat64(t *testing.T) {
	for seed := range uint64(5) {
		g, y := points(60, 5, true, seed)
		for i := range g.K {
			g.K[i] *= 1e8
		}
		if sol := mustSolve(t, task{CuttingPlane{}, Problem{Costs: Costs{1e6, 1e6}}}, g, y); !(sol.Gap < 0.5) {
			t.Errorf("seed %d: gap %v", seed, sol.Gap)
		}
	}
}

// gridPoints returns the Gaussian Gram matrix of random points of integer coordinates, many of which coincide.
func gridPoints(n int, seed uint64) (*Precomputed, []float64) {
	rng := rand.New(rand.NewPCG(seed, 19))
	x, y := make([][5]float64, n), make([]float64, n)
	for i := range x {
		y[i] = float64(1 - 2*(i%2))
		for d := range x[i] {
			x[i][d] = math.Round(rng.NormFloat64() + 0.4*y[i])
		}
	}
	g := &Precomputed{N: n, K: make([]float64, n*n)}
	for i, a := range x {
		for j, b := range x {
			square := 0.0
			for d := range a {
				square += (a[d] - b[d]) * (a[d] - b[d])
			}
			g.K[i*n+j] = math.Exp(-square / 2)
		}
	}
	return g, y
}

// singlePrecision rounds products to float32, as an index may that keeps its sums so.
type singlePrecision struct{ *svmtest.Gram }

func (g singlePrecision) MulVecTo(dst, v []float64) {
	g.Gram.MulVecTo(dst, v)
	for i, x := range dst {
		dst[i] = float64(float32(x))
	}
}

func TestCuttingPlaneOnProductsInSinglePrecision(t *testing.T) {
	g, y := svmtest.Planted(300, 100, 5, 0.2, 0.1, 17)
	for _, c := range []float64{0.1, 1, 10, 100} {
		costs := Costs{c, c}
		want := mustSolve(t, task{SMO{}, Problem{Costs: costs, Tol: 1e-8}}, g, y)
		got := mustSolve(t, task{CuttingPlane{}, Problem{Costs: costs}}, singlePrecision{g}, y)
		if got.Gap > 1e-3 || math.Abs(got.Primal-want.Primal) > 1.1e-3*want.Primal {
			t.Errorf("C %v: primal %v with gap %v, want %v", c, got.Primal, got.Gap, want.Primal)
		}
	}
}
