package svm

import (
	"context"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Auto solves with [SMO], [DualCoordinate] or [CuttingPlane], whichever needs less of what the Gram matrix is good at:
//
//   - SMO, if a product costs as much as the rows of the non-zero coefficients ([stringkernel.DirectGram], [Precomputed], and whatever
//     says so by [stringkernel.Traits], and what a [classify.Trainer] holds in memory for all of its problems): it asks for every row at most once while they fit in the cache, where the cutting planes would
//     ask for most of them in each of 10 to 300 products;
//   - SMO, if there are at most 50 records: it then asks for no more rows than the cutting planes ask for products;
//   - DualCoordinate, if the matrix has explicit feature rows ([stringkernel.FeatureRowsOf]); and CuttingPlane from where it stands,
//     if it has not reached Tol after 300 passes, which happens where C times K_ii is 10 or more and there are more records
//     than features;
//   - SMO, if the loss is the squared hinge, which the cutting planes do not know; DualCoordinate then has no need of them, since the ridge
//     of that loss bounds the number of its passes;
//   - CuttingPlane in place of SMO if that has not reached Tol after a million steps and a hundred for each record, which happens where C times K_ii is large and K has a low rank; and SMO
//     to the end of its own steps if that does not help. This takes the hinge, and fast products or at most 4,000 records, whose rows are then held in memory;
//   - CuttingPlane otherwise; and SMO after all, if that meets a matrix that is not positive semidefinite.
//
// Measured on planted motifs (BenchmarkSolversOnSpectrum: 200 letters, normalised spectrum kernel, 10 % wrong labels, relative gap 1e-3;
// milliseconds of DualCoordinate / CuttingPlane on two processors, of which the former uses one):
//
//	         k = 6                               k = 8
//	n        C = 1     C = 10      C = 100       C = 1      C = 10      C = 100
//	1,000    4 / 7     9 / 43      12 / 79       2 / 8      3 / 20      5 / 37
//	3,000    9 / 20    35 / 141    54 / 523      7 / 23     9 / 122     12 / 303
//	10,000   16 / 54   104 / 259   799 / 1803    28 / 96    49 / 726    64 / 4123
//
// Where 300 passes do not suffice, the cutting planes need a hundredth to a half of the products they need from zeros: at n = 10,000, k = 6,
// C = 100 the two together take 1.0 to 1.1 s on two such sets, the descent alone 0.8 and 1.7 s, the planes alone 1.6 and 1.8 s.
//
// SMO takes 18 to 100 ms at n = 500 and 240 to 690 ms at n = 2,000 with products of linear time. With the same matrix precomputed it is
// within a factor of about two of the cutting planes, ahead as a rule and with fewer support vectors.
type Auto struct {
	Costs      Costs          // zero: 1 for both classes
	Loss       string         // LossHinge (also if empty) or LossSquaredHinge
	Tol        float64        // relative gap to stop at; zero: 1e-3
	CacheBytes int64          // of SMO; zero: 256 MiB
	Seed       uint64         // of DualCoordinate
	Sparse     bool           // of CuttingPlane
	Start      []float64      // of DualCoordinate and CuttingPlane, see there; SMO starts from zeros
	Progress   func(Progress) // may be nil
}

// autoPasses is how many passes Auto gives dual coordinate descent before it takes cutting planes.
const autoPasses = 300

// autoSteps, and autoStepsPerRecord for each record, is how many steps Auto gives SMO before it takes cutting planes.
const (
	autoSteps          = 1_000_000
	autoStepsPerRecord = 100
)

// mostHeld is the greatest number of records whose matrix of rows Auto holds in memory for the cutting planes: 128 MB. It must not depend on CacheBytes, which changes no result.
const mostHeld = 4000

// smallCorpus is the greatest number of records for which Auto takes SMO whatever the Gram matrix.
const smallCorpus = 50

// Choice returns the name of the solver to begin with, "smo", "dual-coordinate" or "cutting-plane", and the reason in words.
func (a Auto) Choice(g stringkernel.Gram) (name, reason string) {
	switch n := g.Len(); {
	case InMemory(g):
		return "smo", fmt.Sprintf("%d records and their Gram matrix in memory", n)
	case stringkernel.IsRowBased(g):
		return "smo", "the Gram matrix is computed by rows"
	case n <= smallCorpus:
		return "smo", fmt.Sprintf("%d records are at most %d", n, smallCorpus)
	case stringkernel.FeatureRowsOf(g) != nil:
		return "dual-coordinate", fmt.Sprintf("%d records with explicit feature rows", n)
	case a.Loss == LossSquaredHinge:
		return "smo", "the cutting planes have no squared hinge"
	default:
		return "cutting-plane", fmt.Sprintf("%d records and linear-time products", n)
	}
}

// Solve implements Solver.
func (a Auto) Solve(ctx context.Context, g stringkernel.Gram, y []float64) (Solution, error) {
	if g == nil {
		return Solution{}, fmt.Errorf("classify: no Gram matrix")
	}
	smo := SMO{Costs: a.Costs, Loss: a.Loss, Tol: a.Tol, CacheBytes: a.CacheBytes, Progress: a.Progress}
	name, reason := a.Choice(g)
	var (
		sol Solution
		err error
	)
	if name == "smo" {
		return a.stepsThenPlanes(ctx, g, y, smo, reason)
	} else if name == "dual-coordinate" {
		return a.coordinatesThenPlanes(ctx, g, y, reason)
	} else if sol, err = a.cuttingPlane().Solve(ctx, g, y); errors.Is(err, ErrIndefinite) {
		reason = "the Gram matrix is not positive semidefinite"
		sol, err = smo.Solve(ctx, g, y)
	}
	sol.Reason = reason
	return sol, err
}

// stepsThenPlanes takes SMO's steps, and cutting planes where so many do not get there, not from SMO's point: one far from the optimum is no better a start than zeros. Measured on random records of rank 3 at
// C = 10⁶ (n = 200), SMO is at a gap of 0.98 after two million steps and 6 s, the planes take 14 products and 1 ms.
func (a Auto) stepsThenPlanes(ctx context.Context, g stringkernel.Gram, y []float64, smo SMO, reason string) (Solution, error) {
	tol, err := CheckTol(a.Tol)
	if err != nil {
		return Solution{}, err
	}
	if a.Loss == LossSquaredHinge || stringkernel.IsRowBased(g) && !InMemory(g) && len(y) > mostHeld {
		sol, err := smo.Solve(ctx, g, y)
		sol.Reason = reason
		return sol, err
	}
	first := smo
	first.MaxIterations = autoSteps + autoStepsPerRecord*len(y)
	first.Progress = a.undecided(tol)
	sol, err := first.Solve(ctx, g, y)
	sol.Reason = reason
	if err != nil || sol.Gap <= tol {
		return sol, err
	}
	planes := a.cuttingPlane()
	planes.Progress = a.undecided(tol)
	second, err := planes.Solve(ctx, held(g), y)
	if errors.Is(err, ErrIndefinite) {
		second, err = sol, nil
	}
	if err == nil && second.Gap > tol && sol.Iterations == first.MaxIterations { // the steps came to their end, not to that of float64
		first.MaxIterations, first.Progress = 0, smo.Progress
		sol, err = first.Solve(ctx, g, y)
		sol.Reason = reason
	}
	if err != nil || sol.Gap <= second.Gap {
		return sol, err
	}
	second.Reason = fmt.Sprintf("smo left a gap of %.2g after %d steps", sol.Gap, sol.Iterations)
	second.Products, second.Rows = second.Products+sol.Products, second.Rows+sol.Rows
	return second, nil
}

// held returns a matrix of rows in memory, which it fits, and any other as it is: products then ask for no row twice.
func held(g stringkernel.Gram) stringkernel.Gram {
	if InMemory(g) || !stringkernel.IsRowBased(g) {
		return g
	}
	n := g.Len()
	p := &Precomputed{N: n, K: make([]float64, n*n)}
	for i := range n {
		g.Row(p.row(i), i)
	}
	return p
}

// undecided returns Progress for a solver that may not be the last: it is done only if it has reached the tolerance.
func (a Auto) undecided(tol float64) func(Progress) {
	if a.Progress == nil {
		return nil
	}
	return func(p Progress) {
		p.Done = p.Done && p.Gap <= tol
		a.Progress(p)
	}
}

// coordinatesThenPlanes descends coordinate by coordinate, and finishes with cutting planes where that does not get there.
func (a Auto) coordinatesThenPlanes(ctx context.Context, g stringkernel.Gram, y []float64, reason string) (Solution, error) {
	tol, err := CheckTol(a.Tol)
	if err != nil {
		return Solution{}, err
	}
	descent := DualCoordinate{Costs: a.Costs, Loss: a.Loss, Tol: tol, MaxIterations: autoPasses, Seed: a.Seed, Start: a.Start}
	if a.Loss == LossSquaredHinge {
		descent.MaxIterations = 0
		descent.Progress = a.Progress
		sol, err := descent.Solve(ctx, g, y)
		sol.Reason = reason
		return sol, err
	}
	descent.Progress = a.undecided(tol)
	sol, err := descent.Solve(ctx, g, y)
	sol.Reason = reason
	if err != nil || sol.Gap <= tol {
		return sol, err
	}
	planes := a.cuttingPlane()
	planes.Start = sol.Coef
	products := sol.Products
	reason = fmt.Sprintf("dual coordinate descent left a gap of %.2g after %d passes", sol.Gap, sol.Iterations)
	sol, err = planes.Solve(ctx, g, y)
	sol.Products += products
	sol.Reason = reason
	return sol, err
}

func (a Auto) cuttingPlane() CuttingPlane {
	return CuttingPlane{Costs: a.Costs, Tol: a.Tol, Sparse: a.Sparse, Start: a.Start, Progress: a.Progress}
}
