package bundle

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
)

// From a quarter to four times each of these, shares below 1, results stay within Tol. But there are more support
// vectors with a quarter of nearGap or forgottenAtLast, half of slowGap or tolAtLast, or twice goalWait; and a quarter
// of forgotten leaves a gap open where C times a kernel value is 1e8.
const (
	// Where planes touch, as parts of the way from the best point to the reduced solution: measured, see
	// docs/decisions/plane-queries.md.
	planeStep, nearStep = 0.2, 0.3
	usualWeight         = 0.2 // of a new plane in the reduced solution, which its reach is to lead to
	settledWeight       = 0.6 // from which the reach is no longer far too short

	maxPlaneAge   = 20   // iterations a plane stays without weight
	nearGap       = 0.5  // relative gap from which planes are near the goal
	slowGap       = 0.98 // part of the gap that a plane near the goal may leave
	mostReach     = 4    // by which the reach grows at once
	progress      = 1e-6 // part of the gap by which a bound is to move, or it has not improved
	minPatience   = 100  // iterations without progress of either bound before giving up, see patience
	maxRecomputed = 10   // certificates that fresh products may refuse before giving up
	goalWait      = 8    // part of the iterations, and two more, for which the reduced solution is waited for
	// The line search may miss its optimum by the gap divided by gapParts, the reduced problem by a share reducedTol of
	// that or of Tol, times nearTol for planes near the goal, which gain less each.
	gapParts, reducedTol, nearTol = 100, 1e-3, 1e-3
	// Earlier best points may be left out where they have a small share: the less it is, the more reduced solutions the
	// best point is a mean of, and the more support vectors it has. At 1e-3, one that stops early keeps those of the first
	// planes. The primal value may rise for that by a part of the gap.
	forgotten, forgottenGap    = 1e-2, 1e-2
	forgottenAtLast, tolAtLast = 0.5, 0.99 // the share where the gap is met, and the part of Tol that it may be then
)

// run is the state of one minimisation. It decides where planes touch, which are kept and when to stop.
type run struct {
	*points
	limit  int  // of iterations
	sparse bool // go on until the reduced solution itself meets Tol

	zero       int // 1 if the zero plane is a bound, R ≥ 0: plane t is plane t + zero of the reduced problem
	reduced    *reduced
	primal     float64 // of the best point: the least so far
	goalPrimal float64
	dual       float64 // value of the reduced solution
	stalled    int     // iterations since either bound improved
	iterations int
	refused    int // certificates

	// of risks with planes near the goal:
	reach   float64 // of the next one
	settled bool    // the reach is of the right size
	slow    bool    // the newest plane, near the goal, has hardly narrowed the gap: the next is to touch
	pace    pace
	met     int // iteration at which the best point met Tol; 0: it has not
}

// newRun returns a run from points at 0.
func newRun(p *points, limit int, sparse bool) *run {
	r := &run{
		points: p, limit: limit, sparse: sparse, reduced: newReduced(p.Risk.Nonnegative()), primal: p.lossOf(p.best.f),
		dual: math.Inf(-1), reach: 1,
	}
	r.zero = len(r.reduced.g)
	return r
}

// add adds a plane to the reduced problem, with what touch has returned.
func (r *run) add(offset float64, products []float64) {
	column := make([]float64, r.zero, r.zero+len(products)) // the zero plane first, if it is one
	column = append(column, products...)
	last := len(column) - 1
	r.reduced.add(column[:last], max(0, column[last]), offset)
}

// solve iterates until the gap is at most Tol, nothing improves or there are as many planes as may be.
func (r *run) solve(ctx context.Context) (svm.Solution, error) {
	for {
		if err := ctx.Err(); err != nil {
			return svm.Solution{}, err
		}
		if err := r.iterate(ctx); err != nil {
			return svm.Solution{}, err
		}
		closed := r.closed()
		done := r.iterations >= r.limit || r.stalled >= r.patience()
		if closed || done {
			result, err := r.certificate(ctx)
			if err != nil {
				return svm.Solution{}, err
			}
			r.refused++
			if done || result.Gap <= r.Tol || r.refused >= maxRecomputed {
				svm.Report(r.Progress, dual.CuttingPlane, r.iterations, result.Certificate, true)
				return result, nil
			}
		}
		svm.Report(r.Progress, dual.CuttingPlane, r.iterations, svm.Between(r.primal, r.dual), false)
	}
}

// iterate adds a plane, solves the reduced problem and searches the line to its solution.
func (r *run) iterate(ctx context.Context) error {
	step, reach := r.where()
	offset, products, err := r.touch(ctx, step, reach)
	if err != nil {
		return err
	}
	r.iterations++
	r.add(offset, products)
	primal, dual := r.primal, r.dual
	gap := max(0, primal-dual)
	if math.IsInf(gap, 1) {
		gap = math.Abs(primal)
	}
	tol := reducedTol * max(r.Tol*math.Abs(primal), gap/gapParts)
	if !math.IsInf(reach, 1) {
		tol *= nearTol
	}
	value := r.reduced.solve(tol)
	r.adapt(reach)
	r.mix()
	if err := r.search(gap / gapParts); err != nil {
		return err
	}
	r.prune()
	r.dual = value
	r.forget()
	r.slow = !math.IsInf(reach, 1) && r.primal-r.dual > slowGap*gap
	if left := r.gap(); r.settled && 0 < left && left < nearGap {
		r.pace.after(left)
	}
	r.stalled++
	// A lower bound far below the upper one, as with great C, grows by factors: it is measured by its own size.
	noise := 1e-14 * math.Abs(primal)
	if r.dual > dual+max(noise, progress*min(gap, math.Abs(dual))) || r.primal < primal-max(noise, progress*gap) {
		r.stalled = 0
	}
	return nil
}

// forget makes the best point one of fewer coefficients if its primal value hardly rises, or meets Tol with it.
func (r *run) forget() {
	share, most := forgotten, r.primal+float64(forgottenGap*(r.primal-r.dual))
	if r.gap() <= r.Tol {
		share, most = forgottenAtLast, r.dual+float64(tolAtLast*r.Tol*math.Abs(r.primal))
	}
	r.primal = r.without(r.primal, share, most)
}

// where returns how far towards the goal the next plane is to touch, and its reach from the goal.
func (r *run) where() (step, reach float64) {
	switch {
	case r.iterations == 0:
		return 0, math.Inf(1)
	case r.stalled > 0:
		return 1, math.Inf(1)
	case r.proximal != nil && !r.slow && !r.pace.touching && r.gap() < nearGap:
		return nearStep, r.reach
	}
	return planeStep, math.Inf(1)
}

// adapt changes the reach by the weight of the newest plane, if that is one near the goal: one that is too near gets
// all of it, one that is too far next to nothing.
func (r *run) adapt(reach float64) {
	if math.IsInf(reach, 1) {
		return
	}
	weight := r.reduced.lambda[len(r.reduced.lambda)-1]
	r.reach *= min(mostReach, math.Sqrt(weight/usualWeight))
	r.settled = r.settled || weight < settledWeight
}

// patience returns the number of iterations without progress after which rounding, not geometry, is to blame. Where
// costs are great the lower bound rests until the planes span the next direction: up to twice the support's size was
// seen.
func (r *run) patience() int { return minPatience + 2*len(r.reduced.support) }

// closed reports whether a point meets Tol. With planes near the goal the reduced solution mostly does soon after the
// best point, or that has earlier points left out by then.
func (r *run) closed() bool {
	if svm.Between(r.goalPrimal, r.dual).Gap <= r.Tol {
		return true
	}
	if r.sparse || r.gap() > r.Tol {
		return false
	}
	r.met = cmp.Or(r.met, r.iterations)
	return r.iterations >= r.met+2+r.met/goalWait || !r.goalIsSparser()
}

// mix computes the reduced solution from the planes of the support.
func (r *run) mix() {
	var planes []int
	var weights []float64
	for _, t := range r.reduced.support {
		if t >= r.zero {
			planes, weights = append(planes, t-r.zero), append(weights, r.reduced.lambda[t])
		}
	}
	r.combine(planes, weights)
}

// search moves the best point to the minimiser on the line to the reduced solution, to within tol of the objective.
func (r *run) search(tol float64) error {
	q, err := r.quadratic()
	if err != nil {
		return err
	}
	l := line{q0: q[0], q1: q[1], q2: max(0, q[2]), evaluate: r.lossAt}
	start, end := l.tangent(0), l.tangent(1)
	r.goalPrimal = l.objective(end)
	found := l.minimise(start, end, tol)
	if value := l.objective(found); found.at > 0 && value < r.primal {
		r.move(found.at)
		r.primal = value
	}
	return nil
}

// prune drops the planes that have been out of the support for more than maxPlaneAge iterations.
func (r *run) prune() {
	kept, planes := slices.Repeat([]bool{true}, r.zero), r.planes[:0]
	for _, pl := range r.planes {
		t := len(kept)
		if pl.age++; r.reduced.lambda[t] > 0 || r.reduced.supports(t) {
			pl.age = 0
		}
		if kept = append(kept, pl.age <= maxPlaneAge); kept[t] {
			planes = append(planes, pl)
		}
	}
	if len(planes) < len(r.planes) {
		clear(r.planes[len(planes):])
		r.reduced.keep(kept)
	}
	r.planes = planes
}

// certificate recomputes both bounds from fresh scores and returns the better point; the state goes on from these
// values.
func (r *run) certificate(ctx context.Context) (svm.Solution, error) {
	goal, err := r.certify(ctx, &r.goal)
	if err != nil {
		return svm.Solution{}, err
	}
	r.dual = goal.Dual
	if goal.Gap <= r.Tol {
		return goal, nil
	}
	best, err := r.certify(ctx, &r.best)
	if err != nil {
		return svm.Solution{}, err
	}
	r.primal = best.Primal
	bound := max(best.Dual, goal.Dual)
	if goal.Primal < best.Primal {
		best = goal
	}
	best.Certificate = svm.Between(best.Primal, bound)
	return best, nil
}

// gap returns the relative gap of the bounds.
func (r *run) gap() float64 { return svm.Between(r.primal, r.dual).Gap }
