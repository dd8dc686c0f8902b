package svm

import (
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// A descent of many records keeps the dual value high while the primal one goes up and down: w follows the records that
// came last. The point of the least primal value between the present one and what was kept, which the scores of both
// give without a pass over the records, is far below either: see [DualCoordinate].

const (
	betweenFrom  = 4 // times Tol: the gap met from which there are certificates at regular intervals
	betweenEvery = 8 // passes
	betweenSteps = 6 // halvings of the interval
)

// between replaces what was kept by the point of the least primal value on the line from there to the latest certified
// one, and takes it for that.
func (r *coordinateRun) between() {
	losses := risk.DividedOf(r.hinges)
	if losses == nil {
		return
	}
	if r.best.Coef == nil {
		r.keptScores = append(r.keptScores[:0], r.scores...)
		return
	}
	from, to := r.keptScores, r.scores
	at := func(kappa float64) risk.Scores {
		return func(dst []float64, lo int) {
			for i := range dst {
				dst[i] = from[lo+i] + float64(kappa*(to[lo+i]-from[lo+i]))
			}
		}
	}
	linear, square := r.quadratic()
	lo, hi := 0.0, 1.0
	for range betweenSteps {
		kappa := (lo + hi) / 2
		slopes := make([]float64, risk.Parts(len(from)))
		losses.PlaneOf(at(kappa), func(a []float64, first int) {
			slope := 0.0
			for i, coef := range a {
				slope -= float64(coef * (to[first+i] - from[first+i]))
			}
			slopes[first/risk.PartLen] = slope
		})
		slope := linear + float64(kappa*square)
		for _, s := range slopes {
			slope += s
		}
		if slope < 0 {
			lo = kappa
		} else {
			hi = kappa
		}
	}
	best := r.best
	if lo > 0 { // the value falls up to there
		parallel.For(len(from), func(first, end int) {
			for i := first; i < end; i++ {
				from[i] += float64(lo * (to[i] - from[i]))
				best.Coef[i] += float64(lo * (r.beta[i] - best.Coef[i]))
			}
		})
		best = r.certify(best.Coef, from)
	}
	if !(best.Primal < r.now.Primal) {
		copy(from, to)
		return
	}
	best.Dual = max(best.Dual, r.now.Dual)
	best.Gap = bundle.RelativeGap(best.Primal, best.Dual)
	r.now = best
}

// quadratic returns the derivatives of half the squared norm along the line, at its beginning.
func (r *coordinateRun) quadratic() (linear, square float64) {
	for i, f := range r.keptScores {
		d, df := r.beta[i]-r.best.Coef[i], r.scores[i]-f
		linear += float64(d * f)
		square += float64(d * df)
	}
	return linear, math.Max(0, square)
}
