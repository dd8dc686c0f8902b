// Package bundle minimises ½‖w‖² + R(f), f_i = ⟨w, φ(x_i)⟩, for a convex R by cutting planes: lower bounds of R.
package bundle

import (
	"cmp"
	"context"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Solver solves an [svm.Problem] with products K·v only, one per iteration: the solver for kernels whose products take
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
// Once the gap is below a half, the next one is a proximal step from the reduced solution β ([risk.Hinges.Near]): the a
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
// C = 10. Besides, about n times the number of planes operations per iteration. Memory: 9 to 16 bytes per record and
// plane, the fewer the more coefficients are 0 or a cost, and about 100 bytes per record. The matrix must be positive
// semidefinite, see [svm.ErrIndefinite].
//
// Problem.Start may be the Coef of a solution of the same records with other costs or a few other labels, as long as it
// is feasible, up to rounding. Any feasible point is a convex combination of planes, so it serves as the first plane
// and the first best point at once, for one product, and the run starts from both of its bounds. That pays where the
// start is within a few per cent of the optimum, as where package auto hands over what coordinate descent has reached,
// or where Tol is a per cent: from the solution for all records, repaired where a fold leaves out a fifth of them, 5 to
// 9 planes then do for 12 or 13. To a gap of 1e-3 it saves a tenth of the products, and so does the solution for a
// third of the cost.
//
// References: Teo, Vishwanathan, Smola & Le 2010, J. Mach. Learn. Res. 11:311–365 (bundle methods for regularised
// risk); Franc & Sonnenburg 2008, doi:10.1145/1390156.1390197 (line search and where planes touch); Parikh & Boyd 2014,
// doi:10.1561/2400000003 (proximal steps).
type Solver struct {
	MaxIterations int  // planes; zero: 10,000
	Sparse        bool // go on until the reduced solution itself meets Tol, also of risks whose planes all touch
}

// String returns "cutting-plane".
func (Solver) String() string { return dual.CuttingPlane }

// Uses implements [svm.Planner].
func (s Solver) Uses(stringkernel.Gram, svm.Problem) svm.Access { return svm.Products }

// Check implements [svm.Planner].
func (s Solver) Check(p svm.Problem) error {
	return cmp.Or(
		svm.CheckOption(!p.Squared(), "Solver", s, "%s or %s for the loss %s", dual.DualCoordinate, dual.SMO, p.Loss),
		p.CheckOptions(), svm.CheckIterations(s.MaxIterations))
}

// Solve implements [svm.Solver].
func (s Solver) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	in, err := dual.OfGram(g, p, s)
	if err != nil {
		return svm.Solution{}, err
	}
	space, err := newPoints(in)
	if err != nil {
		return svm.Solution{}, err
	}
	r := newRun(space, cmp.Or(s.MaxIterations, 10_000), s.Sparse)
	if p.Start != nil && p.Risk == nil {
		if err := r.start(ctx, p.Start); err != nil {
			return svm.Solution{}, err
		}
	}
	sol, err := r.solve(ctx)
	sol.Iterations, sol.Products, sol.Solver = r.iterations, in.Products, dual.CuttingPlane
	return sol, err
}

// start makes a feasible point the first plane and, if it is better than 0, the best point.
func (r *run) start(ctx context.Context, coef []float64) error {
	if err := r.CheckStart(coef); err != nil {
		return err
	}
	f, offset, zero := r.scratch, 0.0, true
	for i, a := range coef {
		offset += float64(a * r.Linear[i])
		zero = zero && a == 0
	}
	if zero {
		return nil
	}
	if err := r.Multiply(ctx, f, coef); err != nil {
		return err
	}
	products, err := r.append(offset, coef, f)
	if err != nil {
		return err
	}
	r.add(offset, products)
	if primal := r.lossOf(f) + float64(vectors.Dot(coef, f)/2); primal < r.primal {
		copy(r.best.coef, coef)
		copy(r.best.f, f)
		r.primal = primal
	}
	return nil
}
