// Package bundle minimises
//
//	½‖w‖² + R(f),   f_i = ⟨w, φ(x_i)⟩,
//
// for a convex R by cutting planes: lower bounds of R that each touch it somewhere. It decides where planes touch,
// which are kept and when to stop; a [Space] computes: see [svm.CuttingPlane], which describes the algorithm.
package bundle

import (
	"context"
	"math"
)

const (
	// Where planes touch, as parts of the way from the best point to the reduced solution: measured, see
	// docs/decisions/plane-queries.md.
	planeStep, nearStep = 0.2, 0.3
	usualWeight         = 0.2 // of a new plane in the reduced solution, which its reach is to lead to
	settledWeight       = 0.6 // from which the reach is no longer far too short

	maxPlaneAge   = 50   // iterations a plane stays without weight
	nearGap       = 0.5  // relative gap from which planes are near the goal
	slowGap       = 0.98 // part of the gap that a plane near the goal may leave
	mostReach     = 4    // by which the reach grows or shrinks at once
	minPatience   = 100  // iterations without progress of either bound before giving up, see patience
	maxRecomputed = 10   // certificates that fresh products may refuse before giving up
	// Earlier best points may be left out where they have a small share: the less it is, the more reduced solutions the
	// best point is a mean of, and the more support vectors it has. At 1e-3, one that stops early keeps those of the first
	// planes. The primal value may rise for that by a part of the gap.
	forgotten, forgottenGap = 1e-2, 1e-2
	forgottenAtLast         = 0.5 // the share where the gap is met
	goalWait                = 8   // part of the iterations, and two more, for which the reduced solution is waited for
)

// Options are those of a Run.
type Options struct {
	Tol           float64 // relative gap to stop at
	MaxIterations int
	Sparse        bool    // go on until the reduced solution itself meets Tol
	Nonnegative   bool    // R ≥ 0: the zero plane is a lower bound
	Origin        float64 // primal value of the best point, 0: R(0)
	Near          bool    // the space has planes near the goal
	// Wait reports whether the reduced solution has notably fewer coefficients than the best point, so that it pays to
	// wait a little for it to meet Tol, too; nil: it has not.
	Wait func() bool

	// Progress is called after each iteration and at the end.
	Progress func(iterations int, primal, dual float64, done bool)
}

// Run is the state of one minimisation.
type Run struct {
	Options
	space Space
	state
}

// state is what a run keeps from one iteration to the next.
type state struct {
	zero       int // 1 if the zero plane is a bound: plane t of the space is plane t + zero of the reduced problem
	reduced    *reduced
	ages       []int   // per plane, iterations since it was last in the support of the reduced problem
	primal     float64 // of the best point: the least so far
	goalPrimal float64
	dual       float64 // value of the reduced solution
	stalled    int     // iterations since either bound improved
	iterations int
	refused    int // certificates

	// with Near:
	reach   float64 // of the next plane near the goal
	settled bool    // the reach is of the right size
	slow    bool    // the newest plane, near the goal, has hardly narrowed the gap: the next is to touch
	pace    pace
	met     int // iteration at which the best point met Tol; 0: it has not
}

// Result is how a run ended: the point to take, its bounds and the number of planes that were added.
type Result struct {
	Point
	Certificate
	Iterations int
}

// New returns a run from the points that the space has.
func New(space Space, o Options) *Run {
	r := &Run{Options: o, space: space}
	r.primal, r.dual, r.reach = o.Origin, math.Inf(-1), 1
	r.reduced = newReduced(o.Nonnegative)
	if o.Nonnegative {
		r.zero = 1
	}
	return r
}

// Primal returns the value of the best point.
func (r *Run) Primal() float64 { return r.primal }

// Begin says that the best point is another one before the first iteration, and its value.
func (r *Run) Begin(primal float64) { r.primal = primal }

// Add adds a plane that the space has, with what its Touch would return.
func (r *Run) Add(offset float64, products []float64) {
	column := make([]float64, r.zero, r.zero+len(products)) // the zero plane first, if it is one
	column = append(column, products...)
	last := len(column) - 1
	r.reduced.add(column[:last], max(0, column[last]), offset)
	r.ages = append(r.ages, 0)
}

// Solve iterates until the gap is at most Tol, nothing improves or there are MaxIterations planes.
func (r *Run) Solve(ctx context.Context) (Result, error) {
	for {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if err := r.iterate(ctx); err != nil {
			return Result{}, err
		}
		closed := r.closed()
		done := r.iterations >= r.MaxIterations || r.stalled >= r.patience()
		if closed || done {
			result, err := r.certificate(ctx)
			if err != nil {
				return Result{}, err
			}
			r.refused++
			if done || result.Gap <= r.Tol || r.refused >= maxRecomputed {
				r.Progress(r.iterations, result.Primal, result.Dual, true)
				return result, nil
			}
		}
		r.Progress(r.iterations, r.primal, r.dual, false)
	}
}

// iterate adds a plane, solves the reduced problem and searches the line to its solution.
func (r *Run) iterate(ctx context.Context) error {
	step, reach := r.where()
	offset, products, err := r.space.Touch(ctx, step, reach)
	if err != nil {
		return err
	}
	r.iterations++
	r.Add(offset, products)
	primal, dual := r.primal, r.dual
	gap := max(0, primal-dual)
	if math.IsInf(gap, 1) {
		gap = math.Abs(primal)
	}
	tol := 1e-3 * max(r.Tol*math.Abs(primal), gap/100)
	if !math.IsInf(reach, 1) {
		tol *= 1e-3 // planes near the goal gain less each
	}
	value := r.reduced.solve(tol)
	r.adapt(reach)
	if err := r.combine(ctx); err != nil {
		return err
	}
	if err := r.search(gap / 100); err != nil {
		return err
	}
	r.prune()
	r.dual = value
	r.forget()
	r.slow = !math.IsInf(reach, 1) && r.primal-r.dual > slowGap*gap
	if left := RelativeGap(r.primal, r.dual); r.settled && 0 < left && left < nearGap {
		r.pace.after(left)
	}
	r.stalled++
	// A lower bound far below the upper one, as with great C, grows by factors: it is measured by its own size.
	noise := 1e-14 * math.Abs(primal)
	if r.dual > dual+max(noise, 1e-6*min(gap, math.Abs(dual))) || r.primal < primal-max(noise, 1e-6*gap) {
		r.stalled = 0
	}
	return nil
}

// forget makes the best point one of fewer coefficients if its primal value hardly rises, or meets Tol with it.
func (r *Run) forget() {
	share, most := forgotten, r.primal+float64(forgottenGap*(r.primal-r.dual))
	if RelativeGap(r.primal, r.dual) <= r.Tol {
		share, most = forgottenAtLast, r.dual+float64(0.99*r.Tol*math.Abs(r.primal))
	}
	r.primal = r.space.Forget(r.primal, share, most)
}

// where returns how far towards the goal the next plane is to touch, and its reach from the goal.
func (r *Run) where() (step, reach float64) {
	switch {
	case r.iterations == 0:
		return 0, math.Inf(1)
	case r.stalled > 0:
		return 1, math.Inf(1)
	case r.Near && !r.slow && !r.pace.touching && RelativeGap(r.primal, r.dual) < nearGap:
		return nearStep, r.reach
	}
	return planeStep, math.Inf(1)
}

// adapt changes the reach by the weight of the newest plane, if that is one near the goal: one that is too near gets
// all of it, one that is too far next to nothing.
func (r *Run) adapt(reach float64) {
	if math.IsInf(reach, 1) {
		return
	}
	weight := r.reduced.lambda[len(r.reduced.lambda)-1]
	r.reach *= min(mostReach, max(1/mostReach, math.Sqrt(weight/usualWeight)))
	r.settled = r.settled || weight < settledWeight
}

// patience returns the number of iterations without progress after which rounding, not geometry, is to blame. Where
// costs are great the lower bound rests until the planes span the next direction: up to twice the support's size was
// seen.
func (r *Run) patience() int { return minPatience + 2*len(r.reduced.support) }

// closed reports whether a point meets Tol. With planes near the goal the reduced solution mostly does soon after the
// best point, or that has earlier points left out by then.
func (r *Run) closed() bool {
	if RelativeGap(r.goalPrimal, r.dual) <= r.Tol {
		return true
	}
	if r.Sparse || RelativeGap(r.primal, r.dual) > r.Tol {
		return false
	}
	if r.met == 0 {
		r.met = r.iterations
	}
	return r.Wait == nil || r.iterations >= r.met+2+r.met/goalWait || !r.Wait()
}

// combine computes the reduced solution from the planes of the support.
func (r *Run) combine(ctx context.Context) error {
	var planes []int
	var weights []float64
	for _, t := range r.reduced.support {
		if t >= r.zero {
			planes, weights = append(planes, t-r.zero), append(weights, r.reduced.lambda[t])
		}
	}
	return r.space.Combine(ctx, planes, weights)
}

// search moves the best point to the minimiser on the line to the reduced solution, to within tol of the objective.
func (r *Run) search(tol float64) error {
	q, err := r.space.Quadratic()
	if err != nil {
		return err
	}
	l := line{q0: q[0], q1: q[1], q2: max(0, q[2]), evaluate: r.space.Loss}
	start, end := l.tangent(0), l.tangent(1)
	r.goalPrimal = l.objective(end)
	found := l.minimise(start, end, tol)
	if value := l.objective(found); found.at > 0 && value < r.primal {
		r.space.Move(found.at)
		r.primal = value
	}
	return nil
}

// prune drops the planes that have been out of the support for more than maxPlaneAge iterations.
func (r *Run) prune() {
	kept := make([]bool, len(r.ages)+r.zero)
	kept[0] = kept[0] || r.zero == 1
	next := 0
	for t, age := range r.ages {
		age++
		if r.reduced.lambda[t+r.zero] > 0 || r.reduced.supports(t+r.zero) {
			age = 0
		}
		if age > maxPlaneAge {
			continue
		}
		kept[t+r.zero] = true
		r.ages[next] = age
		next++
	}
	if next < len(r.ages) {
		r.ages = r.ages[:next]
		r.space.Drop(kept[r.zero:])
		r.reduced.keep(kept)
	}
}

// certificate recomputes both bounds from fresh scores and returns the better point; the state goes on from these
// values.
func (r *Run) certificate(ctx context.Context) (Result, error) {
	goal, err := r.space.Certify(ctx, Goal)
	if err != nil {
		return Result{}, err
	}
	r.dual = goal.Dual
	if goal.Gap <= r.Tol {
		return Result{Goal, goal, r.iterations}, nil
	}
	best, err := r.space.Certify(ctx, Best)
	if err != nil {
		return Result{}, err
	}
	r.primal = best.Primal
	result := Result{Best, best, r.iterations}
	if goal.Primal < best.Primal {
		result.Point, result.Certificate = Goal, goal
	}
	result.Dual = max(best.Dual, goal.Dual)
	result.Gap = RelativeGap(result.Primal, result.Dual)
	return result, nil
}

// TinyPrimal replaces a primal value of 0 in relative gaps.
const TinyPrimal = 1e-300

// RelativeGap returns (primal − dual)/|primal|, not below 0.
func RelativeGap(primal, dual float64) float64 {
	return max(0, primal-dual) / max(math.Abs(primal), TinyPrimal)
}
