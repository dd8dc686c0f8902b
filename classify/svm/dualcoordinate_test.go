package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
)

// rooted returns explicit rows of a positive semidefinite matrix: those of its symmetric square root.
func rooted(t testing.TB, g *Precomputed) *svmtest.Gram {
	t.Helper()
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(g.N, append([]float64(nil), g.K...)), true) {
		t.Fatal("no eigenvectors")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	out := &svmtest.Gram{Features: g.N}
	for i := range g.N {
		var ids []int32
		var row []float64
		for f, value := range values {
			ids, row = append(ids, int32(f)), append(row, math.Sqrt(max(0, value))*vectors.At(i, f))
		}
		out.IDs, out.Values = append(out.IDs, ids), append(out.Values, row)
	}
	return out
}

// coordinateSolvers returns dual coordinate descent with its options both ways.
func coordinateSolvers(costs Costs, tol float64) map[string]task {
	return map[string]task{
		"dual-coordinate": task{DualCoordinate{}, Problem{Costs: costs, Tol: tol}},
		"no shrinking":    task{DualCoordinate{NoShrinking: true}, Problem{Costs: costs, Tol: tol}},
		"another order":   task{DualCoordinate{Seed: 5}, Problem{Costs: costs, Tol: tol}},
	}
}

func TestDualCoordinateAgainstEnumeration(t *testing.T) {
	for trial := range 40 {
		n := 2 + trial%5
		k, y := points(n, 2, trial%2 == 0, uint64(trial))
		g := rooted(t, k)
		for _, costs := range []Costs{{1, 1}, {0.1, 0.3}, {20, 5}} {
			want := bestByEnumeration(k, y, costs)
			for name, s := range coordinateSolvers(costs, 1e-7) {
				sol := mustSolve(t, s, g, y)
				if math.Abs(sol.Dual-want) > 1e-6*want || math.Abs(sol.Primal-want) > 1e-6*want {
					t.Errorf("trial %d, %v, %s: objectives %v and %v after %d passes, want %v", trial, costs, name,
						sol.Primal, sol.Dual, sol.Iterations, want)
				}
			}
		}
	}
}

func TestDualCoordinateAgainstSMO(t *testing.T) {
	for _, flipped := range []float64{0, 0.1} {
		g, y := svmtest.Planted(400, 100, 5, 0.2, flipped, 3)
		g.Own = make([]float64, 400)
		for i := range g.Own {
			g.Own[i] = 0.1 * float64(i%7)
		}
		k := dense(g)
		for _, c := range []float64{0.01, 0.1, 1, 10} {
			costs := Costs{c, c / 2}
			want := mustSolve(t, task{SMO{}, Problem{Costs: costs, Tol: 1e-8}}, k, y)
			for name, s := range coordinateSolvers(costs, 0) {
				sol := mustSolve(t, s, g, y)
				checkCertificate(t, fmt.Sprintf("%s, C %v", name, c), k, y, costs, sol, 1e-3)
				if math.Abs(sol.Primal-want.Primal) > 1e-3*want.Primal || sol.Solver != "dual-coordinate" {
					t.Errorf("%s, C %v: primal %v, want %v", name, c, sol.Primal, want.Primal)
				}
			}
			tight := mustSolve(t, task{DualCoordinate{}, Problem{Costs: costs, Tol: 1e-6}}, g, y)
			checkCertificate(t, "tight", k, y, costs, tight, 1e-6)
			if math.Abs(tight.Primal-want.Primal) > 2e-6*want.Primal || math.Abs(tight.Rho-want.Rho) > 1e-2 {
				t.Errorf("C %v: primal %v, rho %v, want %v, %v", c, tight.Primal, tight.Rho, want.Primal, want.Rho)
			}
		}
	}
}

// Records that are screened out by several processors change nothing but the time: the coefficients have the same bits
// on one, the objective is that of the cutting planes, and that is so with every loss.
func TestDualCoordinateScreens(t *testing.T) {
	g, y := svmtest.Planted(10_000, 60, 5, 0.2, 0.05, 3)
	for _, loss := range []Loss{SquaredHinge, Hinge} {
		if testing.Short() && loss == Hinge {
			continue
		}
		p := Problem{Linear: y, Weights: y, Loss: loss}
		solve := func(processors int, s DualCoordinate) Solution {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			sol, err := s.Solve(t.Context(), g, p)
			if err != nil {
				t.Fatal(err)
			}
			return sol
		}
		sol := solve(1, DualCoordinate{})
		if again := solve(3, DualCoordinate{}); !reflect.DeepEqual(again, sol) {
			t.Errorf("%s: other coefficients on 3 processors", loss)
		}
		want := solve(1, DualCoordinate{NoShrinking: true})
		if loss == Hinge {
			want = mustSolve(t, task{CuttingPlane{}, Problem{}}, g, y)
		}
		if sol.Gap > 1e-3 || sol.Dual > want.Primal || sol.Primal < want.Dual {
			t.Errorf("%s: objectives %v and %v, want between %v and %v", loss, sol.Primal, sol.Dual, want.Primal, want.Dual)
		}
	}
}

// TestDualCoordinateOnDegenerateData: whatever is there to work with, the point is feasible and the certificate true.
// Where kernel values times C are extreme, coordinate descent may stop short of Tol; Auto then does not.
func TestDualCoordinateOnDegenerateData(t *testing.T) {
	for what, data := range degenerate() {
		g := rooted(t, data.g)
		for _, costs := range []Costs{{1, 1}, {1e-9, 1e-9}, {1e5, 1e5}, {1e-3, 1e3}} {
			name := fmt.Sprintf("%s, %v", what, costs)
			checkCertificate(t, name, data.g, data.y, costs,
				mustSolve(t, task{DualCoordinate{}, Problem{Costs: costs}}, g, data.y), 1)
			problem := Problem{Linear: data.y, Weights: data.y, Costs: costs}
			sol, err := DualCoordinate{MaxIterations: autoPasses}.Solve(t.Context(), g, problem)
			if err == nil && sol.Gap > defaultTol {
				sol, err = Auto{}.continued(t.Context(), g, problem, sol)
			}
			if err != nil {
				t.Fatal(err)
			}
			checkCertificate(t, name+", auto", data.g, data.y, costs, sol, 1e-3)
		}
	}
}

func TestDualCoordinateObjectiveIgnoresTheOrderOfRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, y := svmtest.Planted(rapid.IntRange(4, 60).Draw(t, "n"), 30, 3, 0.2, 0.1, rapid.Uint64().Draw(t, "seed"))
		y[0], y[1] = 1, -1
		costs := Costs{3, 1}
		moved, labels := &svmtest.Gram{Features: g.Features}, make([]float64, len(y))
		for j, i := range rapid.Permutation(indices(len(y))).Draw(t, "order") {
			moved.IDs, moved.Values = append(moved.IDs, g.IDs[i]), append(moved.Values, g.Values[i])
			labels[j] = y[i]
		}
		a, errA := task{DualCoordinate{}, Problem{Costs: costs, Tol: 1e-4}}.Solve(context.Background(), g, y)
		b, errB := task{DualCoordinate{}, Problem{Costs: costs, Tol: 1e-4}}.Solve(context.Background(), moved, labels)
		if errA != nil || errB != nil || a.Gap > 1e-4 || b.Gap > 1e-4 || math.Abs(a.Dual-b.Dual) > 1e-4*a.Primal {
			t.Fatalf("%v (gap %v), %v (gap %v) after a permutation (%v, %v)", a.Dual, a.Gap, b.Dual, b.Gap, errA, errB)
		}
	})
}

func TestDualCoordinateIsDeterministic(t *testing.T) {
	g, y := svmtest.Planted(700, 60, 4, 0.2, 0.1, 3)
	a, b := mustSolve(t, task{DualCoordinate{Seed: 7}, Problem{}}, g, y), mustSolve(t,
		task{DualCoordinate{Seed: 7}, Problem{}}, g, y)
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs differ")
	}
}

func TestDualCoordinateErrors(t *testing.T) {
	g, y := svmtest.Planted(20, 40, 3, 0.2, 0.1, 1)
	k := dense(g)
	if _, err := (task{DualCoordinate{}, Problem{}}).Solve(context.Background(), k, y); !errors.Is(err, ErrNoRows) {
		t.Errorf("error %v, want %v", err, ErrNoRows)
	}
	unfair := make([]float64, 20)
	unfair[1] = y[1]
	infinite, _ := svmtest.Planted(20, 40, 3, 0.2, 0.1, 1)
	infinite.Values[3][0] = math.NaN()
	for want, s := range map[string]task{
		"MaxIterations = -1":              task{DualCoordinate{MaxIterations: -1}, Problem{}},
		"Tol = 1":                         task{DualCoordinate{}, Problem{Tol: 1}},
		"Costs.Positive = -1":             task{DualCoordinate{}, Problem{Costs: Costs{Positive: -1}}},
		"Start has 2 coefficients for 20": task{DualCoordinate{}, Problem{Start: make([]float64, 2)}},
		"Start sums to":                   task{DualCoordinate{}, Problem{Start: unfair}},
		"want a signed coefficient between": task{CuttingPlane{},
			Problem{Start: append([]float64{5 * y[0]}, make([]float64, 19)...)}},
		"want a signed coefficient between -": task{CuttingPlane{},
			Problem{Start: append(make([]float64, 19), math.NaN())}},
	} {
		if _, err := s.Solve(context.Background(), g, y); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := (task{DualCoordinate{}, Problem{}}).Solve(context.Background(), infinite, y); err == nil ||
		!strings.Contains(err.Error(), "(3, 3) of the Gram matrix is NaN") {
		t.Errorf("error %v for a NaN feature", err)
	}
}

func TestDualCoordinateStopsWhenToldTo(t *testing.T) {
	g, y := svmtest.Planted(600, 60, 4, 0.2, 0.1, 3)
	ctx, cancel := context.WithCancel(context.Background())
	passes := 0
	s := task{DualCoordinate{}, Problem{Tol: 1e-12, Progress: func(p Progress) {
		if passes++; passes == 3 {
			cancel()
		}
	}}}
	if _, err := s.Solve(ctx, g, y); !errors.Is(err, context.Canceled) || passes != 3 {
		t.Errorf("error %v after %d passes", err, passes)
	}
	limited := mustSolve(t, task{DualCoordinate{MaxIterations: 2}, Problem{Costs: Costs{10, 10}}}, g, y)
	if limited.Iterations != 2 || limited.Gap <= 1e-3 {
		t.Errorf("gap %v after %d passes", limited.Gap, limited.Iterations)
	}
	checkCertificate(t, "limited", dense(g), y, Costs{10, 10}, limited, 1)
	if sol := mustSolve(t, task{DualCoordinate{}, Problem{Tol: 1e-17}}, g, y); sol.Gap > 1e-9 {
		t.Errorf("gap %v at the limits of float64", sol.Gap)
	}
}

func TestDualCoordinateProgressEndsWithTheSolution(t *testing.T) {
	g, y := svmtest.Planted(300, 60, 4, 0.2, 0.1, 3)
	var last Progress
	done := 0
	record := func(p Progress) {
		last = p
		if p.Done {
			done++
		}
	}
	for _, s := range []task{task{DualCoordinate{}, Problem{Progress: record}}, task{Auto{}, Problem{Progress: record}},
		task{Auto{}, Problem{Costs: Costs{1e4, 1e4}, Tol: 1e-5, Progress: record}}} {
		done = 0
		sol := mustSolve(t, s, g, y)
		if done != 1 || !last.Done || last.Iterations != sol.Iterations || last.Primal != sol.Primal ||
			last.Dual != sol.Dual || last.Solver != sol.Solver {
			t.Errorf("%T: last report %+v for solution %v %v", s.solver, last, sol.Primal, sol.Dual)
		}
	}
}

// TestAutoFinishesWithPlanes: more overlapping records than features at a great C is what coordinate descent is slow
// on.
func TestAutoFinishesWithPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	g, y := &svmtest.Gram{Features: 12}, make([]float64, 400)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		var ids []int32
		var values []float64
		for f := range 12 {
			ids, values = append(ids, int32(f)), append(values, rng.NormFloat64()+0.2*y[i])
		}
		g.IDs, g.Values = append(g.IDs, ids), append(g.Values, values)
	}
	costs := Costs{100, 100}
	sol := mustSolve(t, task{Auto{}, Problem{Costs: costs}}, g, y)
	if sol.Solver != "cutting-plane" || !strings.Contains(sol.Reason, "after 300 passes") {
		t.Errorf("solver %s: %s", sol.Solver, sol.Reason)
	}
	checkCertificate(t, "auto", dense(g), y, costs, sol, 1e-3)
}

func TestStart(t *testing.T) {
	g, y := svmtest.Planted(400, 100, 5, 0.2, 0.1, 3)
	k := dense(g)
	before := mustSolve(t, task{SMO{}, Problem{Costs: Costs{1, 1}, Tol: 1e-6}}, k, y)
	zeros := make([]float64, len(y))
	for _, c := range []float64{1, 1.5, 5} {
		costs := Costs{c, c}
		want := mustSolve(t, task{SMO{}, Problem{Costs: costs, Tol: 1e-8}}, k, y)
		for _, start := range [][]float64{before.Coef, zeros} {
			for _, s := range []task{
				task{CuttingPlane{}, Problem{Costs: costs, Start: start}},
				task{CuttingPlane{Sparse: true}, Problem{Costs: costs, Start: start, Tol: 1e-5}},
				task{DualCoordinate{}, Problem{Costs: costs, Start: start}},
			} {
				sol := mustSolve(t, s, g, y)
				checkCertificate(t, fmt.Sprintf("%T, C %v", s.solver, c), k, y, costs, sol, 1e-3)
				if math.Abs(sol.Primal-want.Primal) > 1e-3*want.Primal {
					t.Errorf("%T, C %v: primal %v, want %v", s.solver, c, sol.Primal, want.Primal)
				}
			}
		}
	}
	// From a solution there is nothing to do but to prove it.
	if sol := mustSolve(t, task{CuttingPlane{}, Problem{Start: before.Coef}}, g, y); sol.Products > 4 {
		t.Errorf("%d products from the solution", sol.Products)
	}
	if sol := mustSolve(t, task{DualCoordinate{}, Problem{Start: before.Coef}}, g, y); sol.Iterations > 2 {
		t.Errorf("%d passes from the solution", sol.Iterations)
	}
}

// TestLike starts from the solution of a problem of more records, whose bias is taken over.
func TestLike(t *testing.T) {
	g, y := svmtest.Planted(600, 100, 5, 0.2, 0.1, 3)
	left := 480
	part := &svmtest.Gram{Features: g.Features, IDs: g.IDs[:left], Values: g.Values[:left]}
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		all := mustSolve(t, task{DualCoordinate{}, Problem{Loss: loss}}, g, y)
		if all.Mean <= 0 {
			t.Fatalf("mean %v of kernel values", all.Mean)
		}
		like, start := all, slices.Clone(all.Coef[:left])
		like.Scores = all.Scores[:left]
		weighted(y[:left], y[:left], Costs{1, 1}).Problem.Repair(start)
		cold := mustSolve(t, task{DualCoordinate{}, Problem{Loss: loss}}, part, y[:left])
		warm := mustSolve(t, task{DualCoordinate{}, Problem{Loss: loss, Start: start, Like: &like}}, part, y[:left])
		if math.Abs(warm.Primal-cold.Primal) > 1e-3*cold.Primal || warm.Gap > 1e-3 || warm.Mean != all.Mean {
			t.Errorf("%s: %+v, from zeros %+v", loss, warm.Certificate, cold.Certificate)
		}
		if warm.Iterations >= cold.Iterations {
			t.Errorf("%s: %d passes, from zeros %d", loss, warm.Iterations, cold.Iterations)
		}
	}
}

func TestBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, y := svmtest.Planted(rapid.IntRange(2, 20).Draw(t, "n"), 20, 2, 0, 0, 1)
		p := weighted(y, y, Costs{rapid.Float64Range(1e-3, 1e3).Draw(t, "C+"),
			rapid.Float64Range(1e-3, 1e3).Draw(t, "C-")})
		beta := make([]float64, len(y))
		for i := range beta {
			lo, hi := p.box(i)
			beta[i] = min(hi, max(lo, y[i]*rapid.Float64Range(-1, 2).Draw(t, "α")*p.cost(i)))
		}
		p.balance(beta)
		if err := p.checkStart(beta); err != nil {
			t.Fatal(err)
		}
	})
}

func TestRepair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, y := svmtest.Planted(rapid.IntRange(2, 20).Draw(t, "n"), 20, 2, 0, 0, 1)
		p := weighted(y, y, Costs{rapid.Float64Range(1e-3, 1e3).Draw(t, "C+"),
			rapid.Float64Range(1e-3, 1e3).Draw(t, "C-")})
		p.Loss = rapid.SampledFrom([]Loss{Hinge, SquaredHinge}).Draw(t, "loss")
		beta := make([]float64, len(y))
		for i := range beta {
			beta[i] = rapid.Float64Range(-1e4, 1e4).Draw(t, "β")
		}
		p.Repair(beta)
		if err := p.checkStart(beta); err != nil {
			t.Fatal(err)
		}
		again := slices.Clone(beta)
		p.Repair(again)
		for i, b := range beta {
			if math.Abs(again[i]-b) > 1e-9*p.cost(i) {
				t.Fatalf("a feasible β[%d] = %v becomes %v", i, b, again[i])
			}
		}
	})
}
