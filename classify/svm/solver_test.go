package svm_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// points returns the Gaussian Gram matrix of random points in classes that overlap, on a grid if that has a width.
func points(n, dims int, grid float64, seed uint64) (*svm.Precomputed, []float64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		y[i] = float64(1 - 2*(i%2))
		for range dims {
			v := rng.NormFloat64() + 0.4*y[i]
			if grid > 0 {
				v = grid * math.Round(v/grid)
			}
			x[i] = append(x[i], v)
		}
	}
	g := &svm.Precomputed{N: n, K: make([]float64, n*n)}
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

// classes is the problem of two classes at a cost.
func classes(y []float64, c float64) svm.Problem {
	return svm.Problem{Linear: y, Weights: y, Costs: svm.Costs{Positive: c, Negative: c}}
}

func TestClassify(t *testing.T) {
	for want, y := range map[string][]float64{
		"y[1] = 0.5, want +1 or -1": {1, 0.5, 1, -1}, "4 of 4 labels are +1": {1, 1, 1, 1}, "0 of 0 labels": nil,
		"0 of 2 labels are +1": {-1, -1},
	} {
		if _, err := svm.Classify(y, svm.Costs{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	y := []float64{1, -1}
	costs := svm.Costs{Positive: 2, Negative: 3}
	want := svm.Problem{Linear: y, Weights: y, Costs: costs}
	if p, err := svm.Classify(y, costs); err != nil || !reflect.DeepEqual(p, want) {
		t.Errorf("%+v, error %v; want %+v", p, err, want)
	}
}

func TestPrecomputedErrors(t *testing.T) {
	for want, k := range map[string][][]float64{
		"row 1 of the Gram matrix has 1 entries": {{1, 0}, {0}},
		"entry (0, 1) of the Gram matrix is NaN": {{1, math.NaN()}, {0, 1}},
		"want a symmetric matrix":                {{1, 0.5}, {0.4, 1}},
	} {
		if _, err := svm.NewPrecomputed(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestMatrixErrors: entries beside the diagonal are named by those who meet them.
func TestMatrixErrors(t *testing.T) {
	for _, c := range []struct {
		want   string
		solver svm.Solver
		value  float64
	}{
		{"of the Gram matrix is NaN", smo.Solver{}, math.NaN()}, {"of the Gram matrix is -1e+71", smo.Solver{}, -1e71},
		{"product with the Gram matrix is NaN", bundle.Solver{}, math.NaN()},
	} {
		g, y := points(4, 2, 0, 1)
		g.K[2*4+3], g.K[3*4+2], g.K[2*4+1], g.K[1*4+2] = c.value, c.value, c.value, c.value
		if _, err := c.solver.Solve(t.Context(), g, classes(y, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.solver, err, c.want)
		}
	}
	g, y := points(60, 2, 0, 1)
	if _, err := (descent.Solver{}).Solve(t.Context(), g, classes(y, 1)); !errors.Is(err, descent.ErrNoRows) {
		t.Errorf("error %v, want %v", err, descent.ErrNoRows)
	}
}

func TestIndefiniteMatrix(t *testing.T) {
	g, y := points(60, 3, 0, 8)
	for i := range 60 {
		g.K[i*61] -= 0.7 // negative eigenvalues
	}
	p := classes(y, 1)
	p.Tol = 1e-6
	sol := mustSolve(t, smo.Solver{}, g, p)
	f := make([]float64, g.N)
	g.MulVecTo(f, sol.Coef)
	for i := range y { // still a KKT point
		margin, alpha := y[i]*(f[i]-sol.Rho), y[i]*sol.Coef[i]
		if alpha < 1 && margin < 1-1e-2 || alpha > 0 && margin > 1+1e-2 {
			t.Errorf("record %d: margin %v at α = %v", i, margin, alpha)
		}
	}
	negative, labels := &svm.Precomputed{N: 200, K: make([]float64, 200*200)}, make([]float64, 200)
	for i := range 200 {
		negative.K[i*201] = -1
		labels[i] = float64(1 - 2*(i%2))
	}
	if _, err := (bundle.Solver{}).Solve(t.Context(), negative, classes(labels, 1)); !errors.Is(err, svm.ErrIndefinite) {
		t.Errorf("error %v, want %v", err, svm.ErrIndefinite)
	}
	if sol := mustSolve(t, auto.Solver{}, svmtest.Unbased{Gram: negative}, classes(labels, 1)); sol.Solver != "smo" {
		t.Errorf("Auto used %s for an indefinite matrix, want smo", sol.Solver)
	}
}

// roundedGram is a matrix of equal records whose entries beside the diagonal are a unit of rounding too large, as those
// of a normalised kernel may be.
func roundedGram() *svm.Precomputed {
	g := &svm.Precomputed{N: 4, K: slices.Repeat([]float64{1 + 0x1p-52}, 16)}
	for i := range 4 {
		g.K[i*5] = 1
	}
	return g
}

// TestRoundingIsNoCertificate: where rounding of the matrix outweighs the objective, no gap is certified. The optimum
// is 4C, that of no features.
func TestRoundingIsNoCertificate(t *testing.T) {
	for c, certified := range map[float64]bool{1: true, 1e6: true, 1e30: false} {
		if sol := mustSolve(t, smo.Solver{}, roundedGram(), classes([]float64{1, -1, 1, -1}, c)); sol.Gap <= 1e-3 != certified {
			t.Errorf("C = %g: gap %g, primal %g", c, sol.Gap, sol.Primal)
		}
	}
}

// TestRowsAreAskedForOnce while they fit, and the cache changes no bit.
func TestRowsAreAskedForOnce(t *testing.T) {
	g, y := points(200, 3, 0, 6)
	p := classes(y, 10)
	p.Tol = 1e-8
	sol := mustSolve(t, smo.Solver{}, svmtest.RowsOnly{Precomputed: g}, p)
	if sol.Rows > 200 || sol.Products != 0 {
		t.Errorf("%d rows and %d products for 200 records", sol.Rows, sol.Products)
	}
	p.CacheBytes = 8 * 200 * 20
	if thrifty := mustSolve(t, smo.Solver{}, svmtest.RowsOnly{Precomputed: g}, p); !slices.Equal(sol.Coef, thrifty.Coef) {
		t.Error("coefficients depend on the size of the cache")
	}
}

// TestFewSupportVectors compares the support vectors of the best point with those of SMO at the same tolerance: of the
// mean of all reduced solutions, every record was one.
func TestFewSupportVectors(t *testing.T) {
	g, y := points(400, 4, 0, 3)
	for _, c := range []float64{1, 10} {
		p := classes(y, c)
		p.Tol = 1e-4
		got, few := mustSolve(t, bundle.Solver{}, g, p), mustSolve(t, smo.Solver{}, g, p)
		if float64(got.SupportVectors()) > 1.2*float64(few.SupportVectors()) {
			t.Errorf("C = %g: %d support vectors, %d of SMO", c, got.SupportVectors(), few.SupportVectors())
		}
	}
}

// TestGapsClose solves many small problems to a tight gap: points that tie up to rounding are the rule near the
// solution. Some are on a grid, under kernel values times C of 1e8, where the lower bound starts ten million times
// below the upper one.
func TestGapsClose(t *testing.T) {
	for seed := range uint64(long.Or(200, 100)) {
		g, y := points(4+int(seed%27), 2, 0, seed)
		p := classes(y, []float64{3, 100, 0.01}[seed%3])
		p.Tol = 1e-7
		if seed%20 == 0 {
			g, y = points(200, 5, 1, seed)
			p = classes(y, 1e8)
			p.Tol = 1e-3
		}
		for _, s := range []svm.Solver{smo.Solver{}, bundle.Solver{}, bundle.Solver{Sparse: true}} {
			if p.Costs.Positive == 1e8 && s != (bundle.Solver{}) {
				continue
			}
			if sol := mustSolve(t, s, g, p); sol.Gap > p.Tol {
				t.Errorf("%+v, seed %d: gap %v after %d iterations", s, seed, sol.Gap, sol.Iterations)
			}
		}
	}
}

// singlePrecision rounds products to float32, as an index may that keeps its sums so.
type singlePrecision struct{ *svmtest.Gram }

func (g singlePrecision) MulVecTo(dst, v []float64) {
	g.Gram.MulVecTo(dst, v)
	for i, x := range dst {
		dst[i] = float64(float32(x))
	}
}

func TestProductsInSinglePrecision(t *testing.T) {
	g, y := svmtest.Planted(200, 100, 5, 0.2, 0.1, 17)
	for _, c := range []float64{0.1, 1, 100} {
		p := classes(y, c)
		got := mustSolve(t, bundle.Solver{}, singlePrecision{g}, p)
		p.Tol = 1e-8
		want := mustSolve(t, smo.Solver{}, svmtest.Dense(g), p)
		if got.Gap > 1e-3 || math.Abs(got.Primal-want.Primal) > 1.1e-3*want.Primal {
			t.Errorf("C %v: primal %v with gap %v, want %v", c, got.Primal, got.Gap, want.Primal)
		}
	}
}

// TestCommonFeatures: what all records have in common competes with the bias, most of all beside a rare class.
func TestCommonFeatures(t *testing.T) {
	g, y := svmtest.Planted(1000, 60, 4, 0.2, 0.02, 3)
	positives := 0
	for i := range y {
		g.IDs[i], g.Values[i] = append(g.IDs[i], int32(g.Features)), append(g.Values[i], 3)
		if y[i] > 0 {
			if positives++; positives > 10 {
				y[i] = -1
			}
		}
	}
	g.Features++
	p := classes(y, 0.02)
	for _, p.Loss = range []svm.Loss{svm.Hinge, svm.SquaredHinge} {
		if sol := mustSolve(t, descent.Solver{MaxIterations: 300}, g, p); sol.Gap > 1e-3 {
			t.Errorf("%s: gap %v after %d passes", p.Loss, sol.Gap, sol.Iterations)
		}
	}
}

// TestManyRecords has records enough for several processors: the bits are those of one.
func TestManyRecords(t *testing.T) {
	g, y := svmtest.Planted(6000, 60, 5, 0.2, 0.05, 3)
	class := make([]int, len(y))
	for i := range class {
		class[i] = i % 3
	}
	var want []any
	for _, threads := range []int{1, 3} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		joint := must.Get(descent.CrammerSinger{}.Solve(t.Context(), g, svm.MulticlassProblem{Y: class, Classes: 3, Tol: 0.05}))(t)
		p := classes(y, 1)
		p.Tol = 0.01
		planes := mustSolve(t, bundle.Solver{MaxIterations: 100}, g, p)
		descent := mustSolve(t, descent.Solver{}, g, p)
		now := []any{descent, joint, planes}
		if planes.Gap > p.Tol || planes.Dual > descent.Primal || descent.Dual > planes.Primal {
			t.Errorf("planes end at %+v, descent at %+v", planes.Certificate, descent.Certificate)
		}
		if want == nil {
			want = now
		}
		if !reflect.DeepEqual(now, want) {
			t.Errorf("other solutions on %d threads", threads)
		}
	}
}

// favoring is a matrix with feature rows that favours products.
type favoring struct{ *svmtest.Gram }

func (favoring) Traits() stringkernel.Traits { return stringkernel.Traits{FavorsProducts: true} }

func TestAutoChoice(t *testing.T) {
	small, large := svmtest.PairCounts(svmtest.Corpus(50)), svmtest.PairCounts(svmtest.Corpus(51))
	for _, c := range []struct {
		g    stringkernel.Gram
		loss svm.Loss
		want string
	}{
		{svmtest.Dense(small), svm.Hinge, "smo"}, {svmtest.Dense(large), svm.Hinge, "smo"},
		{svmtest.Unbased{Gram: svmtest.Dense(small)}, svm.Hinge, "smo"},
		{svmtest.Unbased{Gram: svmtest.Dense(large)}, svm.Hinge, "cutting-plane"},
		{svmtest.Unbased{Gram: svmtest.Dense(large)}, svm.SquaredHinge, "smo"},
		{svmtest.RowsOnly{Precomputed: svmtest.Dense(large)}, svm.Hinge, "smo"}, {small, svm.Hinge, "smo"}, {large, svm.Hinge, "dual-coordinate"},
		{favoring{large}, svm.Hinge, "cutting-plane"}, {favoring{large}, svm.SquaredHinge, "dual-coordinate"},
	} {
		y := slices.Repeat([]float64{1, -1}, 26)[:c.g.Len()]
		p := classes(y, 0.01)
		p.Loss = c.loss
		uses := map[string]svm.Access{"smo": svm.Rows, "cutting-plane": svm.Products, "dual-coordinate": svm.Features}
		if got := svm.UsesOf(auto.Solver{}, c.g, p); got != uses[c.want] {
			t.Errorf("%T of %d, %s: uses %v, want %v", c.g, c.g.Len(), c.loss, got, uses[c.want])
		}
		if sol := mustSolve(t, auto.Solver{}, c.g, p); sol.Solver != c.want || sol.Reason == "" {
			t.Errorf("%T of %d, %s: %s (%s), want %s", c.g, c.g.Len(), c.loss, sol.Solver, sol.Reason, c.want)
		}
	}
}

// lowRank is the matrix of n random records of a few features whose classes overlap, by turns, or are apart.
func lowRank(n, rank int, overlap bool) (*svmtest.Gram, []float64) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(rank)))
	g, y := &svmtest.Gram{Features: rank}, make([]float64, n)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		var ids []int32
		var row []float64
		for d := range rank {
			ids, row = append(ids, int32(d)), append(row, rng.NormFloat64())
		}
		if !overlap && row[0]*y[i] < 0.1 {
			row[0] = 0.1*y[i] - row[0]
		}
		g.IDs, g.Values = append(g.IDs, ids), append(g.Values, row)
	}
	return g, y
}

// TestAutoFinishesWithPlanes: overlapping records of few dimensions at a great cost take other solvers too many steps.
func TestAutoFinishesWithPlanes(t *testing.T) {
	few, y := lowRank(40, 3, true)
	many, labels := lowRank(400, 12, true)
	for _, c := range []struct {
		g       stringkernel.Gram
		y       []float64
		cost    float64
		after   string
		instead svm.Solver
	}{
		{svmtest.Dense(few), y, 1e6, "smo left a gap", smo.Solver{MaxIterations: 100_000}},
		{svmtest.RowsOnly{Precomputed: svmtest.Dense(few)}, y, 1e6, "smo left a gap", smo.Solver{MaxIterations: 100_000}},
		{many, labels, 100, "after 300 passes", descent.Solver{MaxIterations: 300}},
	} {
		if alone := mustSolve(t, c.instead, c.g, classes(c.y, c.cost)); alone.Gap <= 1e-3 {
			t.Fatalf("%s alone closes the gap, %g", c.instead, alone.Gap)
		}
		reports := 0
		p := classes(c.y, c.cost)
		p.Progress = func(r svm.Progress) {
			if r.Done {
				reports++
			}
		}
		sol := mustSolve(t, auto.Solver{}, c.g, p)
		if sol.Gap > 1e-3 || sol.Solver != "cutting-plane" || !strings.Contains(sol.Reason, c.after) || reports != 1 {
			t.Errorf("gap %g by %s (%s), %d last reports", sol.Gap, sol.Solver, sol.Reason, reports)
		}
	}
}

// TestAutoAtGreatCosts: where classes are apart, no coefficient reaches its bound, and greater costs have the same
// solution, until the rounding of margins costs more than the tolerance. Auto then stops, as its gap shows.
func TestAutoAtGreatCosts(t *testing.T) {
	features, y := lowRank(60, 3, false)
	g := svmtest.Dense(features)
	want := mustSolve(t, auto.Solver{}, g, classes(y, 1e6))
	for _, c := range []float64{1e9, 1e12} {
		if sol := mustSolve(t, auto.Solver{}, g, classes(y, c)); sol.Gap > 1e-3 ||
			math.Abs(sol.Primal-want.Primal) > 2e-3*want.Primal {
			t.Errorf("C = %g: gap %g, objective %v, want %v", c, sol.Gap, sol.Primal, want.Primal)
		}
	}
	if sol := mustSolve(t, auto.Solver{}, g, classes(y, 1e30)); !(sol.Gap > 1e-3) {
		t.Errorf("C = 1e30: gap %g, which float64 cannot tell", sol.Gap)
	}
}

// partInMemory is a matrix that says that it is in memory.
type partInMemory struct{ *svm.Precomputed }

// TestHold: rows are held where there is memory, and no matrix in memory is copied.
func TestHold(t *testing.T) {
	p, _ := points(60, 2, 0, 3)
	part, g := partInMemory{p}, svmtest.RowsOnly{Precomputed: p}
	if held, _ := svm.Hold(t.Context(), part); held != part {
		t.Errorf("a part of a matrix in memory is copied to a %T", held)
	}
	if held, err := svm.Hold(t.Context(), g); err != nil || !reflect.DeepEqual(held, p) {
		t.Errorf("%T, error %v; want rows in memory", held, err)
	}
	defer memory.SetLimit(memory.SetLimit(1000))
	if held, err := svm.Hold(t.Context(), g); err != nil || held != g {
		t.Errorf("%T, error %v; want the matrix itself", held, err)
	}
}

// TestStartOfMore starts from the solution of a problem of more records.
func TestStartOfMore(t *testing.T) {
	g, y := svmtest.Planted(400, 100, 5, 0.2, 0.1, 3)
	const left = 320
	part := &svmtest.Gram{Features: g.Features, IDs: g.IDs[:left], Values: g.Values[:left]}
	for _, loss := range []svm.Loss{svm.Hinge, svm.SquaredHinge} {
		all, p := classes(y, 1), classes(y[:left], 1)
		all.Loss, p.Loss = loss, loss
		like := mustSolve(t, descent.Solver{}, g, all)
		cold := mustSolve(t, descent.Solver{}, part, p)
		start := slices.Clone(like.Coef[:left])
		dual.Repair(p, start)
		p.Start = start
		warm := mustSolve(t, descent.Solver{}, part, p)
		if math.Abs(warm.Primal-cold.Primal) > 1e-3*cold.Primal || warm.Gap > 1e-3 || warm.Iterations >= cold.Iterations {
			t.Errorf("%s: %+v after %d passes, from zeros %+v after %d", loss, warm.Certificate, warm.Iterations,
				cold.Certificate, cold.Iterations)
		}
	}
}

// TestRepair makes any coefficients a start that is not refused, and leaves feasible ones.
func TestRepair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, y := svmtest.Planted(rapid.IntRange(2, 20).Draw(t, "n"), 20, 2, 0, 0, 1)
		cost := rapid.Float64Range(1e-3, 1e3)
		p := svm.Problem{Linear: y, Weights: y, Costs: svm.Costs{Positive: cost.Draw(t, "C+"), Negative: cost.Draw(t, "C-")}}
		p.Loss = rapid.SampledFrom([]svm.Loss{svm.Hinge, svm.SquaredHinge}).Draw(t, "loss")
		p.Start = make([]float64, len(y))
		for i := range p.Start {
			p.Start[i] = rapid.Float64Range(-1e4, 1e4).Draw(t, "β")
		}
		dual.Repair(p, p.Start)
		must.Get((descent.Solver{MaxIterations: 1}).Solve(t.Context(), g, p))(t)
		again := slices.Clone(p.Start)
		dual.Repair(p, again)
		for i, b := range p.Start {
			if math.Abs(again[i]-b) > 1e-9*max(p.Costs.Positive, p.Costs.Negative) {
				t.Fatalf("a feasible β[%d] = %v becomes %v", i, b, again[i])
			}
		}
	})
}
