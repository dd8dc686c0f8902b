package svm

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// lowRank is the matrix of n random records of a few features whose classes overlap, by turns.
func lowRank(n, rank int, overlap bool) (*Precomputed, []float64) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(rank)))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		y[i] = float64(1 - 2*(i%2))
		for range rank {
			x[i] = append(x[i], rng.NormFloat64())
		}
		if !overlap && x[i][0]*y[i] < 0.1 {
			x[i][0] = 0.1*y[i] - x[i][0]
		}
	}
	p := &Precomputed{N: n, K: make([]float64, n*n)}
	for i := range x {
		for j := range x {
			for d := range rank {
				p.K[i*n+j] += float64(x[i][d] * x[j][d])
			}
		}
	}
	return p, y
}

// rowsOnly hides that a matrix is in memory.
type rowsOnly struct{ *Precomputed }

func (rowsOnly) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }

// partInMemory is a matrix that says that it is in memory.
type partInMemory struct{ *Precomputed }

// Overlapping records of few dimensions at a great cost take SMO too many steps. Auto then takes cutting
// planes, whose certificate is that of the same problem.
func TestAutoFinishesWithPlanesAfterSMO(t *testing.T) {
	if testing.Short() {
		t.Skip("it solves for seconds, on one processor")
	}
	for _, c := range []struct{ n, rank int }{{40, 1}, {40, 3}} {
		p, y := lowRank(c.n, c.rank, true)
		costs := Costs{1e6, 1e6}
		alone := mustSolve(t, task{SMO{MaxIterations: 100_000}, Problem{Costs: costs}}, p, y)
		if alone.Gap <= defaultTol {
			t.Fatalf("n = %d, rank %d: SMO alone closes the gap, %g", c.n, c.rank, alone.Gap)
		}
		for _, g := range []stringkernel.Gram{p, rowsOnly{p}} {
			sol := mustSolve(t, task{Auto{}, Problem{Costs: costs}}, g, y)
			if sol.Gap > defaultTol || sol.Solver != "cutting-plane" || sol.Reason == "" {
				t.Errorf("n = %d, rank %d: gap %g by %s (%s)", c.n, c.rank, sol.Gap, sol.Solver, sol.Reason)
			}
			checkCertificate(t, "auto", p, y, costs, sol, defaultTol)
		}
	}
}

// favoring is a matrix with feature rows that favours products.
type favoring struct{ *svmtest.Gram }

func (favoring) Traits() stringkernel.Traits { return stringkernel.Traits{FavorsProducts: true} }

func TestAutoAsksForFavouredProducts(t *testing.T) {
	g, y := svmtest.Planted(100, 40, 3, 0.1, 0.1, 1)
	for _, c := range []struct {
		gram stringkernel.Gram
		loss Loss
		want string
	}{{g, Hinge, "dual-coordinate"}, {favoring{g}, Hinge, "cutting-plane"}, {favoring{g}, SquaredHinge, "dual-coordinate"}} {
		if sol := mustSolve(t, task{Auto{}, Problem{Loss: c.loss}}, c.gram, y); sol.Solver != c.want {
			t.Errorf("%T, %s: solved by %s, want %s", c.gram, c.loss, sol.Solver, c.want)
		}
	}
}

// Where classes are apart, no coefficient reaches its bound, and greater costs have the same solution, until the
// rounding of margins costs more than the tolerance. Auto then stops, as its gap shows.
func TestAutoAtGreatCosts(t *testing.T) {
	p, y := lowRank(60, 3, false)
	want := mustSolve(t, task{Auto{}, Problem{Costs: Costs{1e6, 1e6}}}, p, y)
	for _, cost := range []float64{1e9, 1e12} {
		sol := mustSolve(t, task{Auto{}, Problem{Costs: Costs{cost, cost}}}, p, y)
		if sol.Gap > defaultTol || bundle.RelativeGap(max(sol.Primal, want.Primal),
			min(sol.Primal, want.Primal)) > 2*defaultTol {
			t.Errorf("C = %g: gap %g, objective %v, want %v", cost, sol.Gap, sol.Primal, want.Primal)
		}
	}
	if sol := mustSolve(t, task{Auto{}, Problem{Costs: Costs{1e30, 1e30}}}, p, y); !(sol.Gap > defaultTol) {
		t.Errorf("C = 1e30: gap %g, which float64 cannot tell", sol.Gap)
	}
}

// TestHeldRowsAreNotCopied: the matrix is the memory that whole problems take, and cutting planes that take over copy
// nothing of a part either.
func TestHeldRowsAreNotCopied(t *testing.T) {
	p, _ := points(60, 2, true, 3)
	cache := newRowCache(p, 1)
	for _, i := range []int{7, 3, 59, 7} {
		row, err := cache.get(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		if &row[0] != &p.K[i*60] {
			t.Errorf("row %d is a copy", i)
		}
	}
	part := partInMemory{p}
	if g, _ := Hold(context.Background(), part); g != part {
		t.Errorf("a part of a matrix in memory is copied to a %T", g)
	}
}

// TestHoldCountsMemory: a matrix that the limit has no space for is not held.
func TestHoldCountsMemory(t *testing.T) {
	p, _ := points(60, 2, true, 3)
	g := rowsOnly{p}
	if held, err := Hold(context.Background(), g); err != nil || !inMemory(held) {
		t.Errorf("%T, error %v; want rows in memory", held, err)
	}
	defer memory.SetLimit(memory.SetLimit(1000))
	if held, err := Hold(context.Background(), g); err != nil || inMemory(held) {
		t.Errorf("%T, error %v; want the matrix itself", held, err)
	}
}
