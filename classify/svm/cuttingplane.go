package svm

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/scratch"
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
// of a subgradient −a: the lower bound offset − ⟨Σ a_i φ(x_i), w⟩ of R. A plane is kept as a (a byte per record, where
// a has at most 256 values) and K a. The reduced problem
//
//	max over λ of  Σ_t λ_t offset_t − ½ λᵀGλ,   λ ≥ 0,  Σ λ = 1,   G_st = a_sᵀ K a_t
//
// with Σ λ ≤ 1 where R is never negative, is solved by an active-set method. Its point β = Σ λ_t a_t is feasible for
// the problem, so its value is a lower bound of the optimum. An exact line search between the best point so far and the
// reduced solution gives the upper bound; the next plane touches R a little further on, at best + 0.2 (reduced − best),
// or at the reduced solution itself if the last iteration has improved neither bound. The solver stops when the
// relative gap of the two bounds, recomputed from fresh products, is at most Tol.
//
// The point returned is the reduced solution if that meets Tol, else the best point; both are convex combinations of
// planes, hence feasible. The best point gets there first. It is a mean of the reduced solutions so far, in which the
// first ones, where nearly every record has a coefficient, soon have little weight: they are left out as soon as the
// primal value hardly rises by that. So the best point has about the support vectors of the last ones, in most cases
// few more than the reduced solution, to which the solver goes on with Sparse, for 1.5 to 2 times the products.
//
// Cost: on planted motifs in 500 to 6,000 sequences, 12 to 40 products to a gap of 1e-3 at C = 1, 40 to 250 at C = 10;
// besides, about n times the number of planes operations per iteration. Memory: 9 bytes per record and plane (16 of
// risks with more values), and about 116 bytes per record. The matrix must be positive semidefinite, see
// [ErrIndefinite].
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
// risk); Franc & Sonnenburg 2008, doi:10.1145/1390156.1390197 (line search and the choice of the next plane).
type CuttingPlane struct {
	MaxIterations int  // planes; zero: 10,000
	Sparse        bool // go on until the reduced solution itself meets Tol
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

const (
	planeStep     = 0.2 // of the way from the best point to the reduced solution; measured, see the benchmarks
	maxPlaneAge   = 50  // iterations a plane stays without weight
	minPatience   = 100 // iterations without progress of either bound before giving up, see patience
	maxRecomputed = 10  // certificates that fresh products may refuse before giving up
)

// planeRun is the state of one call of Solve.
type planeRun struct {
	*instance
	sparse   bool
	planes   []plane
	free     []plane // space of dropped planes
	zero     int     // 1 if the zero plane is a bound: planes[t] is plane t + zero of the reduced problem
	reduced  *reduced
	best     point   // least primal value so far
	recent   recent  // of the best point
	goal     point   // the reduced solution
	dual     float64 // value of the reduced solution
	stalled  int     // iterations since either bound improved
	greatest float64 // max |K_ii|

	scratch, plane, direction, directionF []float64
}

// point is w = Σ coef_i φ(x_i) with its scores f = K coef and its primal value.
type point struct {
	coef, f []float64
	primal  float64
	offset  float64 // a lower bound of −R*(−coef), of the reduced solution alone
}

func newPoint(n int) point { return point{coef: make([]float64, n), f: make([]float64, n)} }

// Solve implements Solver.
func (s CuttingPlane) Solve(ctx context.Context, g stringkernel.Gram, p Problem) (Solution, error) {
	in, err := newInstance(g, p, s)
	if err != nil {
		return Solution{}, err
	}
	r := newPlaneRun(in, s.Sparse)
	if err := diagonal(g, r.scratch); err != nil {
		return Solution{}, err
	}
	for _, v := range r.scratch {
		r.greatest = max(r.greatest, math.Abs(v))
	}
	if p.Start != nil && p.Risk == nil {
		if err := r.start(ctx, p.Start); err != nil {
			return Solution{}, err
		}
	}
	return r.solve(ctx, cmp.Or(s.MaxIterations, 10_000))
}

func newPlaneRun(p *instance, sparse bool) *planeRun {
	n, zero := p.Risk.Len(), 0
	if p.Risk.Nonnegative() {
		zero = 1
	}
	vectors := scratch.Vectors(4, n)
	r := &planeRun{
		instance: p, sparse: sparse, zero: zero, reduced: newReduced(zero == 1),
		best: newPoint(n), recent: newRecent(n), goal: newPoint(n),
		dual: math.Inf(-1), scratch: vectors[0], plane: vectors[1], direction: vectors[2], directionF: vectors[3],
	}
	r.best.primal, _ = p.Risk.Plane(r.scratch, r.best.f)
	return r
}

func (r *planeRun) solve(ctx context.Context, limit int) (Solution, error) {
	at := append([]float64(nil), r.best.f...)
	refused := 0
	for iterations := 1; ; iterations++ {
		if err := ctx.Err(); err != nil {
			return Solution{}, err
		}
		if err := r.iterate(ctx, at); err != nil {
			return Solution{}, err
		}
		closed := relativeGap(r.upper(), r.dual) <= r.Tol
		done := iterations >= limit || r.stalled >= r.patience()
		if closed || done {
			sol, err := r.certificate(ctx)
			if err != nil {
				return Solution{}, err
			}
			sol.Iterations, sol.Products, sol.Solver = iterations, r.products, nameCuttingPlane
			refused++
			done = done || sol.Gap <= r.Tol || refused >= maxRecomputed
			if done {
				sendProgress(r.Progress, nameCuttingPlane, iterations, sol.Primal, sol.Dual, true)
				return sol, nil
			}
		}
		sendProgress(r.Progress, nameCuttingPlane, iterations, r.best.primal, r.dual, false)
		r.next(at)
	}
}

// start makes a feasible point the first plane and the best point.
func (r *planeRun) start(ctx context.Context, coef []float64) error {
	if err := r.checkStart(coef); err != nil {
		return err
	}
	pl := plane{coef: append([]float64(nil), coef...), f: make([]float64, len(coef))}
	zero := true
	for i, a := range coef {
		pl.offset += float64(a * r.Linear[i])
		zero = zero && a == 0
	}
	if zero {
		return nil
	}
	if err := r.multiply(ctx, pl.f, pl.coef); err != nil {
		return err
	}
	if err := r.append(pl, pl.coef); err != nil {
		return err
	}
	loss, _ := r.Risk.Plane(r.plane, pl.f)
	if primal := loss + float64(dot(pl.coef, pl.f)/2); primal < r.best.primal {
		copy(r.best.coef, pl.coef)
		copy(r.best.f, pl.f)
		r.best.primal = primal
	}
	return nil
}

// iterate adds the plane at the scores at, solves the reduced problem and searches the line to its solution.
func (r *planeRun) iterate(ctx context.Context, at []float64) error {
	if err := r.addPlane(ctx, at); err != nil {
		return err
	}
	primal, dual := r.best.primal, r.dual
	gap := max(0, primal-dual)
	if math.IsInf(gap, 1) {
		gap = math.Abs(primal)
	}
	value := r.reduced.solve(1e-3 * max(r.Tol*math.Abs(primal), gap/100))
	r.combine()
	if err := r.search(gap / 100); err != nil {
		return err
	}
	r.prune()
	r.dual = value
	r.forget()
	r.stalled++
	// A lower bound far below the upper one, as with great C, grows by factors: it is measured by its own size.
	noise := 1e-14 * math.Abs(primal)
	if r.dual > dual+max(noise, 1e-6*min(gap, math.Abs(dual))) || r.best.primal < primal-max(noise, 1e-6*gap) {
		r.stalled = 0
	}
	return nil
}

// patience returns the number of iterations without progress after which rounding, not geometry, is to blame. Where
// costs are great the lower bound rests until the planes span the next direction: up to twice the support's size was
// seen.
func (r *planeRun) patience() int { return minPatience + 2*len(r.reduced.support) }

// upper returns the primal value that has to come down to the lower bound.
func (r *planeRun) upper() float64 {
	if r.sparse {
		return r.goal.primal
	}
	return r.best.primal
}

// next writes the scores at which the next plane is to touch.
func (r *planeRun) next(at []float64) {
	step := planeStep
	if r.stalled > 0 {
		step = 1
	}
	for i := range at {
		at[i] = r.best.f[i] + float64(step*(r.goal.f[i]-r.best.f[i]))
	}
}

// combine computes the reduced solution from the planes of the support.
func (r *planeRun) combine() {
	clear(r.goal.coef)
	clear(r.goal.f)
	r.goal.offset = 0
	for _, t := range r.reduced.support {
		if t >= r.zero {
			pl, lambda := &r.planes[t-r.zero], r.reduced.lambda[t]
			pl.addTo(r.goal.coef, r.goal.f, lambda)
			r.goal.offset += float64(lambda * pl.offset)
		}
	}
}

// search moves the best point to the minimiser on the line to the reduced solution, to within tol of the objective.
func (r *planeRun) search(tol float64) error {
	for i := range r.direction {
		r.direction[i] = r.goal.coef[i] - r.best.coef[i]
		r.directionF[i] = r.goal.f[i] - r.best.f[i]
	}
	l := line{
		q0: dot(r.best.coef, r.best.f) / 2,
		q1: dot(r.direction, r.best.f),
		q2: dot(r.direction, r.directionF),
		evaluate: func(kappa float64) (loss, slope float64) {
			for i, f := range r.best.f {
				r.scratch[i] = f + float64(kappa*r.directionF[i])
			}
			return r.loss(r.scratch, r.directionF)
		},
	}
	if err := r.checkCurvature(l.q2, r.goal.coef, r.best.coef); err != nil {
		return err
	}
	l.q2 = max(0, l.q2)
	start, end := l.tangent(0), l.tangent(1)
	r.goal.primal = l.objective(end)
	found := l.minimise(start, end, tol)
	if value := l.objective(found); found.at > 0 && value < r.best.primal {
		addScaled(r.best.coef, found.at, r.direction)
		addScaled(r.best.f, found.at, r.directionF)
		r.best.primal = value
		r.recent.add(found.at, &r.goal)
	}
	return nil
}

// loss returns R at the scores f, and its slope in the direction d of the scores.
func (r *planeRun) loss(f, d []float64) (loss, slope float64) {
	loss, _ = r.Risk.Plane(r.plane, f)
	for i, a := range r.plane {
		slope -= float64(a * d[i])
	}
	return loss, slope
}

// certificate recomputes both bounds from fresh products and returns the solution; the state goes on from these values.
func (r *planeRun) certificate(ctx context.Context) (Solution, error) {
	if err := r.multiply(ctx, r.goal.f, r.goal.coef); err != nil {
		return Solution{}, err
	}
	goal := r.measure(&r.goal)
	r.dual = goal.Dual
	if goal.Gap <= r.Tol {
		return goal, nil
	}
	if err := r.multiply(ctx, r.best.f, r.best.coef); err != nil {
		return Solution{}, err
	}
	best := r.measure(&r.best)
	r.best.primal = best.Primal
	if goal.Primal < best.Primal {
		best = goal
	}
	best.Dual = max(best.Dual, goal.Dual)
	best.Gap = relativeGap(best.Primal, best.Dual)
	best.Coef = append([]float64(nil), best.Coef...)
	return best, nil
}

// measure returns a point with its bounds, given fresh scores. The dual value is that of the conjugate, or of the
// planes, which the reduced solution has.
func (r *planeRun) measure(p *point) Solution {
	if r.hinges != nil {
		return r.certify(p.coef, p.f)
	}
	sol := Solution{Coef: p.coef, Scalars: r.Risk.Scalars(p.f)}
	for _, b := range sol.Scalars {
		sol.Rho -= b / float64(len(sol.Scalars))
	}
	square, value, gap := dot(p.coef, p.f), 0.0, 0.0
	if s := risk.SeparableOf(r.Risk); s != nil {
		value, sol.Dual, gap = s.Gap(p.coef, p.f)
		sol.Primal, sol.Dual = float64(square/2)+value, sol.Dual-float64(square/2)
		sol.Gap = gap / max(math.Abs(sol.Primal), tinyPrimal)
		return sol
	}
	value, _ = r.Risk.Plane(r.plane, p.f)
	sol.Primal, sol.Dual = float64(square/2)+value, math.Inf(-1)
	if p == &r.goal {
		sol.Dual = p.offset - float64(square/2)
	}
	sol.Gap = relativeGap(sol.Primal, sol.Dual)
	return sol
}
