package descent

import (
	"cmp"
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/elementary"
)

// descent passes over the records until the gap is certified: what [Solver] and [CrammerSinger] have in common.
type descent struct {
	visits    *visits
	limit     int             // of passes
	dual      float64         // objective, kept up to date
	met       float64         // Σ of the records' parts of the gap when visited, in the latest pass
	violated  float64         // the greatest violation of the records that were moved
	sum       float64         // of these violations
	movers    int             // the number of these records
	usual     float64         // mean violation of the records that the latest pass moved
	certified int             // certificates computed
	passes    int             // made
	stuck     int             // since the objective last grew by more than rounding
	ofMean    bool            // what is certified is a mean, for which the gap met tells less
	factor    float64         // a certificate is due when the gap met is at most factor times Tol
	latest    int             // pass of the latest certificate
	next      int             // pass at which one of a mean is due whatever the gap met
	expected  int             // pass at which the gap should be Tol; 0: not known, as after a checkpoint
	proved    svm.Certificate // of what was kept: the lesser primal value, with the greatest lower bound
	gained    bool            // the objective grew by more than rounding in a pass
}

func newDescent(s Solver, v *visits) descent {
	return descent{
		visits: v, limit: cmp.Or(s.MaxIterations, usualPasses), factor: trust,
		proved: svm.Between(math.Inf(1), math.Inf(-1)),
	}
}

// trust is the gap met during a pass, divided by the certified one, to begin with: it is more, since the visits that
// follow that of a record improve w. From a quarter to four times as much, results stay within Tol.
const trust = 1.5

// mostStuck is the number of passes in which rounding alone moves the objective before a run gives up. Fewer are
// met before the goal; up to four times as many, results stay within Tol.
const mostStuck = 3

// pass visits the active records once.
func (d *descent) pass(ctx context.Context, visit func(i int) (shrunk bool)) error {
	before := d.dual
	d.met, d.violated, d.sum, d.movers = 0, 0, 0, 0
	if err := d.visits.pass(ctx, visit); err != nil {
		return err
	}
	d.visits.threshold, d.usual = d.violated, d.sum/float64(max(1, d.movers))
	d.gained = math.Abs(d.dual-before) > 1e-15*math.Abs(d.dual)
	return nil
}

// moves notes the violation of a record that is moved.
func (d *descent) moves(violation float64) {
	d.violated = max(d.violated, violation)
	d.sum += violation
	d.movers++
}

// A record at a bound with more than restFrom times the usual violation to spare rests: it sits out mostRest passes,
// and half as many after each restingPasses. So no record rests in the end, nor do any that are one block.
// From a quarter to four times these, results stay within Tol.
const (
	restFrom      = 0.5
	mostRest      = 3
	restingPasses = 32
)

// leaves reports whether record i, at a bound with so much to spare, may be left out, and makes it rest.
func (d *descent) leaves(i int, spare float64) bool {
	if d.passes > 0 && spare > restFrom*d.usual && len(d.visits.every) > coordinateBlock {
		d.visits.rests[i] = mostRest >> (d.passes / restingPasses)
	}
	return spare > d.visits.threshold
}

// descender is a descent with its coefficients.
type descender interface {
	pass(ctx context.Context) error
	certificate(ctx context.Context) (svm.Certificate, error) // of the present coefficients, from fresh scores
	keep()                                                    // keeps these as the best
}

// run passes until the gap is at most tol, or all passes are made. save is called after each pass but the last; nil
// is nothing.
func (d *descent) run(
	ctx context.Context, r descender, tol float64, progress func(svm.Progress), save func() error,
) error {
	for {
		done, err := d.step(ctx, r, tol)
		if err != nil {
			return err
		}
		d.report(progress, done)
		if done {
			return nil
		}
		if save != nil {
			if err := save(); err != nil {
				return err
			}
		}
	}
}

// step makes a pass, and a certificate if it is likely to be the last one.
func (d *descent) step(ctx context.Context, r descender, tol float64) (done bool, err error) {
	if err := r.pass(ctx); err != nil {
		return false, err
	}
	d.passes++
	d.stuck++
	if d.gained {
		d.stuck = 0
	}
	met := svm.Relative(d.met, d.dual+d.met)
	last := d.passes >= d.limit || d.stuck >= mostStuck
	if !d.due(met, tol) && d.stuck == 0 && !last {
		return false, nil
	}
	now, err := r.certificate(ctx)
	if err != nil {
		return false, err
	}
	before := d.proved.Gap
	bound := max(d.proved.Dual, now.Dual)
	if !(d.proved.Primal < now.Primal) {
		d.proved = now
		r.keep()
	}
	if d.proved.Dual != bound {
		d.proved = svm.Between(d.proved.Primal, bound)
	}
	if last || d.proved.Gap <= tol {
		return true, nil
	}
	d.learn(met, before, d.proved.Gap, now.Gap, tol)
	d.visits.all()
	return false, nil
}

// report calls progress, if there is one.
func (d *descent) report(progress func(svm.Progress), done bool) {
	if progress == nil {
		return
	}
	report := svm.Progress{Solver: dual.DualCoordinate, Machines: 1, Iterations: d.passes, Done: done}
	report.Certificate = d.proved
	if d.ofMean && !done {
		report.Certified, report.Expected = d.latest, d.expected
	}
	progress(report)
}

// The gap met is several times that of a mean, and falls more slowly where there are many records. Then the next
// certificate is due earlier, by the power of the number of passes with which the gap of the mean falls: two
// certificates tell it. From a quarter to four times these, aim below 1, results stay within Tol.
const (
	meanTrust  = 6    // the gap met divided by that of the mean, to begin with
	leastTrust = 0.2  // and at least, also where there is no mean
	mostTrust  = 8    // and at most
	soonest    = 3    // passes between two certificates, at least
	furthest   = 1.5  // the passes before the next certificate divided by those made, at most
	usualPower = 1.25 // after the first certificate
	leastPower = 0.5
	aim        = 0.97 // the gap that the next certificate should have, divided by Tol
)

// due reports whether it is time for a certificate.
func (d *descent) due(met, tol float64) bool {
	if !d.ofMean {
		return met <= d.factor*tol
	}
	late := d.latest > 0 && d.passes >= d.next
	return late || met <= d.factor*tol && d.passes >= d.latest+soonest
}

// learn says when the next certificate is due, given the gap met, the least certified before and now, and that
// certified now alone.
func (d *descent) learn(met, before, now, alone, tol float64) {
	defer func() { d.latest = d.passes }()
	if !d.ofMean {
		d.factor = trust * min(1, max(leastTrust, met/alone))
		return
	}
	d.factor = min(mostTrust, max(leastTrust, met/alone))
	passes, power := float64(d.passes), usualPower
	if d.latest > 0 {
		power = max(leastPower, elementary.Log(before/now)/elementary.Log(passes/float64(d.latest)))
	}
	ahead := elementary.Exp(elementary.Log(now/(aim*tol)) / power)
	d.expected = int(min(ahead*passes, math.MaxInt32))
	d.next = max(d.passes+soonest, int(math.Ceil(min(furthest, ahead)*passes)))
}
