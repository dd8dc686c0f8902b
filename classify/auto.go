package classify

import (
	"context"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Auto solves with [SMO], [DualCoordinate] or [CuttingPlane], whichever needs less of what the Gram matrix is good at:
//
//   - SMO, if a product costs as much as the rows of the non-zero coefficients ([stringkernel.DirectGram], [Precomputed], and whatever
//     says so by [stringkernel.RowBased]): it asks for every row at most once while they fit in the cache, where the cutting planes would
//     ask for most of them in each of 10 to 300 products;
//   - SMO, if there are at most 50 records: it then asks for no more rows than the cutting planes ask for products;
//   - DualCoordinate, if the matrix has explicit feature rows ([stringkernel.RowsOf]); and CuttingPlane from where it stands,
//     if it has not reached Tol after 300 passes, which happens where C times K_ii is 10 or more and there are more records
//     than features;
//   - SMO, if the loss is the squared hinge, which the cutting planes do not know; DualCoordinate then has no need of them, since the ridge
//     of that loss bounds the number of its passes;
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

// smallCorpus is the greatest number of records for which Auto takes SMO whatever the Gram matrix.
const smallCorpus = 50

// Choice returns the name of the solver to begin with, "smo", "dual-coordinate" or "cutting-plane", and the reason in words.
func (a Auto) Choice(g stringkernel.Gram) (name, reason string) {
	switch n := g.Len(); {
	case stringkernel.IsRowBased(g):
		return "smo", "the Gram matrix is computed by rows"
	case n <= smallCorpus:
		return "smo", fmt.Sprintf("%d records are at most %d", n, smallCorpus)
	case stringkernel.RowsOf(g) != nil:
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
		sol, err = smo.Solve(ctx, g, y)
	} else if name == "dual-coordinate" {
		return a.coordinatesThenPlanes(ctx, g, y, reason)
	} else if sol, err = a.cuttingPlane().Solve(ctx, g, y); errors.Is(err, ErrIndefinite) {
		reason = "the Gram matrix is not positive semidefinite"
		sol, err = smo.Solve(ctx, g, y)
	}
	sol.Reason = reason
	return sol, err
}

// coordinatesThenPlanes descends coordinate by coordinate, and finishes with cutting planes where that does not get there.
func (a Auto) coordinatesThenPlanes(ctx context.Context, g stringkernel.Gram, y []float64, reason string) (Solution, error) {
	tol, err := checkTol(a.Tol)
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
	if a.Progress != nil {
		descent.Progress = func(p Progress) {
			p.Done = p.Done && p.Gap <= tol
			a.Progress(p)
		}
	}
	sol, err := descent.Solve(ctx, g, y)
	sol.Reason = reason
	if err != nil || sol.Gap <= tol {
		return sol, err
	}
	planes := a.cuttingPlane()
	planes.Start = sol.Alpha
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
