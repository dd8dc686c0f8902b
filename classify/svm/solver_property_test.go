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
		solver     Solver
		g          stringkernel.Gram
		y          []float64
	}{
		{"no matrix", "no Gram matrix", SMO{}, nil, y},
		{"no matrix", "no Gram matrix", Auto{}, nil, y},
		{"lengths", "3 labels for a Gram matrix of 4 rows", CuttingPlane{}, good, y[:3]},
		{"label", "y[1] = 0.5, want +1 or -1", SMO{}, good, []float64{1, 0.5, 1, -1}},
		{"one class", "4 of 4 labels are +1", CuttingPlane{}, good, []float64{1, 1, 1, 1}},
		{"no records", "0 of 0 labels", SMO{}, &Precomputed{}, nil},
		{"negative C", "Costs.Negative = -1, want > 0", SMO{Costs: Costs{1, -1}}, good, y},
		{"infinite C", "Costs.Positive = +Inf", CuttingPlane{Costs: Costs{Positive: math.Inf(1)}}, good, y},
		{"NaN C", "Costs.Positive = NaN", SMO{Costs: Costs{Positive: math.NaN()}}, good, y},
		{"tolerance", "Tol = -1", CuttingPlane{Tol: -1}, good, y},
		{"tolerance", "Tol = NaN", SMO{Tol: math.NaN()}, good, y},
		{"cache", "CacheBytes = -5", SMO{CacheBytes: -5}, good, y},
		{"iterations", "MaxIterations = -1", CuttingPlane{MaxIterations: -1}, good, y},
		{"iterations", "MaxIterations = -1", SMO{MaxIterations: -1}, good, y},
		{"NaN in a row", "row 2 of the Gram matrix is NaN", SMO{}, nan, y},
		{"NaN in a product", "product with the Gram matrix is NaN", CuttingPlane{}, nan, y},
		{"infinite diagonal", "entry (0, 0) of the Gram matrix is +Inf", SMO{}, infinite, y},
		{"infinite diagonal", "is +Inf", CuttingPlane{}, infinite, y},
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
	for name, make := range map[string]func(func(Progress)) Solver{
		"smo":           func(p func(Progress)) Solver { return SMO{Tol: 1e-12, Progress: p} },
		"cutting-plane": func(p func(Progress)) Solver { return CuttingPlane{Tol: 1e-12, Progress: p} },
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
		_, err := SMO{Tol: 1e-9, CacheBytes: 1}.Solve(ctx, rows, y)
		if !errors.Is(err, context.Canceled) || rows.late > 2 {
			t.Fatalf("cancelled at row %d: error %v after %d more rows", until+1, err, rows.late)
		}
		cancel()
	}
}

func TestIterationLimits(t *testing.T) {
	g, y := points(80, 3, true, 2)
	for name, s := range map[string]Solver{"smo": SMO{MaxIterations: 5}, "cutting-plane": CuttingPlane{MaxIterations: 3}} {
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
	for _, s := range []Solver{SMO{Progress: record}, CuttingPlane{Progress: record}} {
		calls, done = 0, 0
		sol := mustSolve(t, s, g, y)
		if done != 1 || !last.Done || last.Iterations != sol.Iterations || last.Primal != sol.Primal || last.Dual != sol.Dual || last.Solver != sol.Solver {
			t.Errorf("%T: last report %+v of %d for solution %v %v", s, last, calls, sol.Primal, sol.Dual)
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
	sol := mustSolve(t, SMO{Costs: Costs{10, 10}, Tol: 1e-8}, g, y)
	if sol.Rows > 200 || sol.Products != 0 {
		t.Errorf("%d rows and %d products for 200 records", sol.Rows, sol.Products)
	}
	thrifty := mustSolve(t, SMO{Costs: Costs{10, 10}, Tol: 1e-8, CacheBytes: 8 * 200 * 20}, g, y)
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
		want string
	}{
		{small, "smo"}, {large, "smo"}, {svmtest.Unbased{Gram: small}, "smo"}, {svmtest.Unbased{Gram: large}, "cutting-plane"},
		{Restrict(large, indices(51)), "smo"}, {Restrict(svmtest.Unbased{Gram: large}, indices(51)), "cutting-plane"},
		{stringkernel.DirectGram{Corpus: svmtest.Corpus(150)}, "smo"},
		{svmtest.PairCounts(svmtest.Corpus(50)), "smo"}, {svmtest.PairCounts(svmtest.Corpus(51)), "dual-coordinate"},
		{Restrict(svmtest.PairCounts(svmtest.Corpus(80)), indices(51)), "dual-coordinate"}, {svmtest.Unbased{Gram: svmtest.PairCounts(svmtest.Corpus(80))}, "cutting-plane"},
	} {
		if name, reason := (Auto{}).Choice(c.g); name != c.want || reason == "" {
			t.Errorf("%T of %d: %s (%s), want %s", c.g, c.g.Len(), name, reason, c.want)
		}
	}
}

func TestSubGram(t *testing.T) {
	whole, _ := points(12, 3, true, 3)
	index := []int{7, 0, 11, 4}
	g := Restrict(whole, index)
	row, diag, product := make([]float64, 4), make([]float64, 4), make([]float64, 4)
	v := []float64{1, -2, 0, 3}
	g.Diag(diag)
	g.MulVecTo(product, v)
	if stringkernel.FeatureRowsOf(g) != nil {
		t.Error("a dense matrix has rows")
	}
	for a, i := range index {
		g.Row(row, a)
		want := 0.0
		for b, j := range index {
			if row[b] != whole.K[i*12+j] {
				t.Errorf("entry (%d, %d) = %v, want %v", a, b, row[b], whole.K[i*12+j])
			}
			want += v[b] * whole.K[i*12+j]
		}
		if diag[a] != whole.K[i*13] || math.Abs(product[a]-want) > 1e-12 {
			t.Errorf("diagonal %v, product %v, want %v, %v", diag[a], product[a], whole.K[i*13], want)
		}
	}
}

// TestSubRows compares the rows of some records with those of all.
func TestSubRows(t *testing.T) {
	whole, _ := svmtest.Planted(12, 30, 3, 0.2, 0.1, 3)
	whole.Own = []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	index := []int{7, 0, 11, 4}
	g := Restrict(whole, index)
	rows, row, own := stringkernel.FeatureRowsOf(g), make([]float64, 4), make([]float64, 4)
	rows.Own(own)
	for a := range index {
		table := make([]float64, rows.Width())
		rows.Scatter(table, a, 1)
		g.Row(row, a)
		for b, want := range row {
			got := rows.Gather(table, b)
			if a == b {
				got += own[a]
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("entry (%d, %d) = %v, want %v", a, b, got, want)
			}
		}
		ids, values := rows.AppendRow(nil, nil, a)
		if len(ids) != len(whole.IDs[index[a]]) || dot(values, values)+own[a]-row[a] > 1e-12 {
			t.Errorf("row %d lists %v, %v", a, ids, values)
		}
	}
}

// TestGapsClose solves many small problems to a tight gap: points that tie up to rounding are the rule near the solution.
func TestGapsClose(t *testing.T) {
	const tol = 1e-7
	for seed := range uint64(1200) {
		g, y := points(4+int(seed%27), 2, seed%2 == 0, seed)
		costs := []Costs{{3, 1}, {100, 100}, {0.01, 0.01}}[seed%3]
		for name, s := range map[string]Solver{
			"smo":           SMO{Costs: costs, Tol: tol},
			"cutting-plane": CuttingPlane{Costs: costs, Tol: tol},
			"sparse planes": CuttingPlane{Costs: costs, Tol: tol, Sparse: true},
		} {
			if sol := mustSolve(t, s, g, y); sol.Gap > tol {
				t.Errorf("%s, seed %d: gap %v after %d iterations", name, seed, sol.Gap, sol.Iterations)
			}
		}
	}
}

// TestCuttingPlaneOnGreatKernelValues: points on a grid, some with both labels, under kernel values times C of 1e8, where
// the lower bound starts ten million times below the upper one.
func TestCuttingPlaneOnGreatKernelValues(t *testing.T) {
	const n = 200
	for seed := range uint64(10) {
		g, y := gridPoints(n, seed)
		for i := range g.K {
			g.K[i] *= 1e8
		}
		if sol := mustSolve(t, CuttingPlane{}, g, y); sol.Gap > 1e-3 {
			t.Errorf("seed %d: gap %v after %d iterations", seed, sol.Gap, sol.Iterations)
		}
	}
}

// TestCuttingPlaneAtTheLimitsOfFloat64: with kernel values times C of 1e14 the gap may stay open, but not without an answer.
func TestCuttingPlaneAtTheLimitsOfFloat64(t *testing.T) {
	for seed := range uint64(5) {
		g, y := points(100, 5, true, seed)
		for i := range g.K {
			g.K[i] *= 1e8
		}
		if sol := mustSolve(t, CuttingPlane{Costs: Costs{1e6, 1e6}}, g, y); !(sol.Gap < 0.5) {
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
		want := mustSolve(t, SMO{Costs: costs, Tol: 1e-8}, g, y)
		got := mustSolve(t, CuttingPlane{Costs: costs}, singlePrecision{g}, y)
		if got.Gap > 1e-3 || math.Abs(got.Primal-want.Primal) > 1.1e-3*want.Primal {
			t.Errorf("C %v: primal %v with gap %v, want %v", c, got.Primal, got.Gap, want.Primal)
		}
	}
}
