package svm

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// CuttingPlane solves a [Problem] with products K·v only, one per iteration: the solver for kernels whose products take
// linear time, and for every [risk.Risk].
//
// It solves the primal
//
//	min over w of  ½‖w‖² + R(f),   f_i = ⟨w, φ(x_i)⟩
//
// in which the free scalars of R, such as the bias, are eliminated exactly: of hinges they are weighted quantiles, and
// the records that lie on one get the fractional shares that make the derivative vanish. Each iteration adds the plane
// of a subgradient −a: the lower bound offset − ⟨Σ a_i φ(x_i), w⟩ of R. A plane is kept as a and K a. The reduced
// problem
//
//	max over λ of  Σ_t λ_t offset_t − ½ λᵀGλ,   λ ≥ 0,  Σ λ = 1,   G_st = a_sᵀ K a_t
//
// with Σ λ ≤ 1 where R is never negative, is solved by an active-set method. Its point β = Σ λ_t a_t is feasible for
// the problem, so its value is a lower bound of the optimum. An exact line search between the best point so far and the
// reduced solution gives the upper bound.
//
// A plane need not touch R: every feasible −a is one, and it narrows the gap the more the nearer it is to the optimum.
// Once the gap is below a half, the next one is a proximal step from the reduced solution β ([risk.Proximal]): the a
// that maximises −R*(−a) − ⟨a, f⟩ − |a − β|²/(2 step) at the scores f = best + 0.3 (reduced − best). The step follows
// the weight that the reduced problem gives to the newest plane, for 0.2 of it. Where a risk has no such planes, the
// gap is greater or the last one hardly narrowed it, the next plane touches R at best + 0.2 (reduced − best), or at the
// reduced solution itself if the last iteration has improved neither bound. The solver stops when the relative gap of
// the two bounds, recomputed from fresh products, is at most Tol.
//
// Where the optimum has few directions, as with short words, planes that touch are the better ones: phases of twelve
// iterations measure which kind lowers the gap faster, and the slower one is tried again now and then.
//
// The point returned is the reduced solution if that meets Tol, else the best point; both are convex combinations of
// planes, hence feasible. Dual is the value of the reduced solution; that of the best point may be lower, by up to
// about Tol. The best point gets there first, but it is a mean of earlier reduced solutions, where more records have a
// coefficient. The first of these are left out of it as soon as the primal value hardly rises by that or, at the end,
// meets Tol without them. With planes near each other the solver goes on for up to an eighth of the iterations, and two
// more, in which the reduced solution mostly meets Tol, too, or until the best point has hardly more coefficients; with
// Sparse as long as it takes.
//
// Cost: on planted motifs in 2,000 to 20,000 sequences, 10 to 30 products to a gap of 1e-3 at C = 1 and 10, up to 60 at
// C = 100; 18 to 85 to 1e-5. On promoters and binding sites, whose classes overlap, 12 to 42 at C = 1 and 24 to 165 at
// C = 10. Besides, about n times the number of planes operations per iteration. Memory: 16 bytes per record and plane,
// and about 100 bytes per record. The matrix must be positive semidefinite, see [ErrIndefinite].
//
// Problem.Start may be the Coef of a solution of the same records with other costs or a few other labels, as long as it
// is feasible, up to rounding. Any feasible point is a convex combination of planes, so it serves as the first plane
// and the first best point at once, for one product, and the run starts from both of its bounds. That pays where the
// start is within a few per cent of the optimum, as where [Auto] hands over what coordinate descent has reached, or
// where Tol is a per cent: from the solution for all records, repaired where a fold leaves out a fifth of them, 5 to 9
// planes then do for 12 or 13. To a gap of 1e-3 it saves a tenth of the products, and so does the solution for a
// third of the cost.
//
// References: Teo, Vishwanathan, Smola & Le 2010, J. Mach. Learn. Res. 11:311–365 (bundle methods for regularised
// risk); Franc & Sonnenburg 2008, doi:10.1145/1390156.1390197 (line search and where planes touch); Parikh & Boyd 2014,
// doi:10.1561/2400000003 (proximal steps).
type CuttingPlane struct {
	MaxIterations int  // planes; zero: 10,000
	Sparse        bool // go on until the reduced solution itself meets Tol, also of risks whose planes all touch
}

// ErrIndefinite is wrapped by the error of [CuttingPlane] for a matrix that turns out not to be positive semidefinite:
// without that the problem is not convex, and planes bound nothing. [SMO] accepts such a matrix. Slightly negative
// eigenvalues may go unnoticed; then the Gap tells whether the point is a good one.
var ErrIndefinite = errors.New("svm: the Gram matrix is not positive semidefinite")

// Uses implements Planner.
func (s CuttingPlane) Uses(stringkernel.Gram, Problem) Access { return Products }

// Check implements Planner.
func (s CuttingPlane) Check(p Problem) error {
	return cmp.Or(
		CheckOption(!p.squared(), "Solver", s, "%s or %s for the loss %s", nameDualCoordinate, nameSMO, p.Loss),
		p.CheckOptions(), checkIterations(s.MaxIterations))
}

// Solve implements Solver.
func (s CuttingPlane) Solve(ctx context.Context, g stringkernel.Gram, p Problem) (Solution, error) {
	in, err := newInstance(g, p, s)
	if err != nil {
		return Solution{}, err
	}
	space := newCoefficients(in)
	if err := diagonal(g, space.scratch); err != nil {
		return Solution{}, err
	}
	for _, v := range space.scratch {
		space.greatest = max(space.greatest, math.Abs(v))
	}
	run := bundle.New(space, bundle.Options{
		Tol: in.Tol, MaxIterations: cmp.Or(s.MaxIterations, 10_000), Sparse: s.Sparse,
		Nonnegative: in.Risk.Nonnegative(), Origin: space.lossOf(space.best.f), Near: space.proximal != nil,
		Wait: space.goalIsSparser,
		Progress: func(iterations int, primal, dual float64, done bool) {
			sendProgress(p.Progress, nameCuttingPlane, iterations, primal, dual, done)
		},
	})
	if p.Start != nil && p.Risk == nil {
		if err := space.start(ctx, run, p.Start); err != nil {
			return Solution{}, err
		}
	}
	result, err := run.Solve(ctx)
	if err != nil {
		return Solution{}, err
	}
	sol := space.measured[result.Point]
	sol.Certificate = Certificate(result.Certificate)
	sol.Iterations, sol.Products, sol.Solver = result.Iterations, in.products, nameCuttingPlane
	return sol, nil
}
