package svm

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
)

// descent is a dual coordinate descent that passes over the records until the gap is certified: what [DualCoordinate]
// and [CrammerSinger] have in common.
type descent struct {
	visits    *visits
	shrinking bool
	*visited              // its dual is the dual objective, kept up to date
	certified int         // certificates computed
	passes    int         // made
	stuck     int         // since the objective last grew by more than rounding
	regular   bool        // what is certified is a mean, for which the gap met tells less
	latest    int         // pass of the latest certificate
	factor    float64     // what times Tol the gap met may be for a certificate
	proved    Certificate // of what was kept: the lesser primal value, with the greatest lower bound
	gained    bool        // the objective grew by more than rounding in a pass
	usual     float64     // mean violation of the records that the last pass moved
}

// visited is what visits have changed and met.
type visited struct {
	dual     float64 // by how much it grew
	met      float64 // Σ of the records' parts of the gap when visited
	movers   int     // records that were moved
	violated float64 // their greatest violation
	sum      float64 // of their violations
}

// moves takes note of a record that is moved.
func (v *visited) moves(violation float64) {
	v.movers++
	v.violated = max(v.violated, violation)
	v.sum += violation
}

// add adds what other visits have changed and met.
func (v *visited) add(by *visited) {
	v.dual += by.dual
	v.met += by.met
	v.movers += by.movers
	v.violated = max(v.violated, by.violated)
	v.sum += by.sum
}

func newDescent(v *visits, shrinking bool) descent {
	return descent{
		visits: v, visited: &visited{}, shrinking: shrinking, factor: trust,
		proved: Certificate{Primal: math.Inf(1), Dual: math.Inf(-1), Gap: math.Inf(1)},
	}
}

// trust is how the gap met during a pass compares with the certified one, to begin with: records are visited before the
// later ones of the pass have improved w, so the gap afterwards is less.
const trust = 1.5

// pass visits the active records once, but for those at rest.
func (d *descent) pass(ctx context.Context, visit func(i int) (shrunk bool)) error {
	before := d.dual
	*d.visited = visited{dual: before}
	if err := d.visits.pass(ctx, visit); err != nil {
		return err
	}
	d.visits.threshold, d.usual = d.violated, d.sum/float64(max(1, d.movers))
	d.gained = math.Abs(d.dual-before) > 1e-15*math.Abs(d.dual)
	return nil
}

// stillFrom is from what multiple of the mean violation of a pass on a record at a bound rests; measured.
const stillFrom = 0.5

// stays reports whether a record at a bound with so much to spare will not move soon, and whether it may be left out.
func (d *descent) stays(spare float64) (still, leaves bool) {
	return d.shrinking && spare > stillFrom*d.usual, d.shrinking && spare > d.visits.threshold
}

// descender is a descent with its coefficients.
type descender interface {
	pass(ctx context.Context) error
	certificate(ctx context.Context) (Certificate, error) // of the present coefficients, from fresh scores
	keep()                                                // keeps these as the best
}

// run passes until the gap is at most tol, or limit passes are made. save is called after each pass but the last; nil
// is nothing.
func (d *descent) run(
	ctx context.Context, r descender, tol float64, limit int, progress func(Progress), save func() error,
) error {
	for {
		done, err := d.step(ctx, r, tol, limit)
		if err != nil {
			return err
		}
		sendProgress(progress, nameDualCoordinate, d.passes, d.proved.Primal, d.proved.Dual, done)
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

// Certificates of means: the gap met is several times theirs.
const (
	meanTrust = 4.5 // how many times, to begin with
	mostTrust = 8   // and at most
	soonest   = 3   // passes between two certificates, at least
)

// due reports whether it is time for a certificate.
func (d *descent) due(met, tol float64) bool {
	return met <= d.factor*tol && (!d.regular || d.passes >= d.latest+soonest)
}

// learn follows a certificate.
func (d *descent) learn(met, gap float64) {
	if d.regular {
		d.factor = min(mostTrust, max(0.2, met/gap))
		return
	}
	d.factor = trust * min(1, max(0.2, met/gap))
}

// step makes a pass, and a certificate if it is likely to be the last one.
func (d *descent) step(ctx context.Context, r descender, tol float64, limit int) (done bool, err error) {
	if err := r.pass(ctx); err != nil {
		return false, err
	}
	d.passes++
	d.stuck++
	if d.gained {
		d.stuck = 0
	}
	met := d.met / max(math.Abs(d.dual+d.met), bundle.TinyPrimal)
	last := d.passes >= limit || d.stuck >= 3
	if !d.due(met, tol) && d.stuck == 0 && !last {
		return false, nil
	}
	d.latest = d.passes
	now, err := r.certificate(ctx)
	if err != nil {
		return false, err
	}
	d.learn(met, now.Gap)
	dual := max(d.proved.Dual, now.Dual)
	if !(d.proved.Primal < now.Primal) {
		d.proved = now
		r.keep()
	}
	if d.proved.Dual != dual {
		d.proved.Dual, d.proved.Gap = dual, bundle.RelativeGap(d.proved.Primal, dual)
	}
	if last || d.proved.Gap <= tol {
		return true, nil
	}
	d.visits.all()
	return false, nil
}
