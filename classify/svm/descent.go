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
	dual      float64 // the dual objective, kept up to date
	certified int     // certificates computed

	// What a pass has met.
	met      float64 // Σ of the records' parts of the gap when visited
	violated float64 // greatest violation
	gained   bool    // the objective grew by more than rounding
}

// trust is how the gap met during a pass compares with the certified one, to begin with: records are visited before the
// later ones of the pass have improved w, so the gap afterwards is less.
const trust = 1.5

// pass visits the active records once, but for those at rest.
func (d *descent) pass(ctx context.Context, visit func(i int) (shrunk bool)) error {
	d.met, d.violated = 0, 0
	before := d.dual
	if err := d.visits.pass(ctx, visit); err != nil {
		return err
	}
	d.visits.threshold = d.violated
	d.gained = math.Abs(d.dual-before) > 1e-15*math.Abs(d.dual)
	return nil
}

// descender is a descent with its coefficients.
type descender interface {
	pass(ctx context.Context) error
	certificate() (Certificate, error) // of the present coefficients, from fresh scores
	keep()                             // keeps these as the best
}

// run passes until the gap is at most tol, and returns the number of passes and the certificate of what was kept: the
// lesser primal value with the greater of both lower bounds.
func (d *descent) run(
	ctx context.Context, r descender, tol float64, limit int, progress func(Progress),
) (int, Certificate, error) {
	best := Certificate{Primal: math.Inf(1), Dual: math.Inf(-1)}
	factor, stuck := trust, 0
	for pass := 1; ; pass++ {
		if err := r.pass(ctx); err != nil {
			return 0, best, err
		}
		stuck++
		if d.gained {
			stuck = 0
		}
		met := d.met / max(math.Abs(d.dual+d.met), bundle.TinyPrimal)
		last := pass >= limit || stuck >= 3
		if met > factor*tol && stuck == 0 && !last {
			sendProgress(progress, nameDualCoordinate, pass, best.Primal, best.Dual, false)
			continue
		}
		now, err := r.certificate()
		if err != nil {
			return 0, best, err
		}
		factor = trust * min(1, max(0.2, met/now.Gap))
		dual := max(best.Dual, now.Dual)
		if !(best.Primal < now.Primal) {
			best = now
			r.keep()
		}
		if best.Dual != dual {
			best.Dual, best.Gap = dual, bundle.RelativeGap(best.Primal, dual)
		}
		last = last || best.Gap <= tol
		sendProgress(progress, nameDualCoordinate, pass, best.Primal, best.Dual, last)
		if last {
			return pass, best, nil
		}
		d.visits.all()
	}
}
