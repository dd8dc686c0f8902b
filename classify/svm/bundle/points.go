package bundle

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// points are those of a run and its planes: combinations w = Σ coef_i φ(x_i) with the scores f = K coef. Two of them
// are convex combinations of planes: the best so far and the goal, the reduced solution. Both are 0 at first.
type points struct {
	*dual.Program
	proximal *risk.Hinges // the risk, nil if it has no planes near others
	unit     float64      // of reach: Σ a²/aᵀKa of the first plane
	planes   []plane
	best     point
	recent   point // the share of the latest goals in the best point, which is older·(an earlier best point) + recent
	older    float64
	goal     point
	greatest float64 // max |K_ii|

	scratch, plane []float64
}

// point is w = Σ coef_i φ(x_i) with its scores f = K coef.
type point struct {
	coef, f []float64
	offset  float64 // a lower bound of −R*(−coef), of the goal alone
}

// size returns the number of coefficients.
func (p *point) size() int { return (&svm.Solution{Coef: p.coef}).SupportVectors() }

func newPoint(n int) point { return point{coef: make([]float64, n), f: make([]float64, n)} }

func newPoints(p *dual.Program) (*points, error) {
	n := p.Risk.Len()
	space := scratch.Vectors(2, n)
	s := &points{
		Program: p, proximal: risk.ProximalOf(p.Risk), best: newPoint(n), recent: newPoint(n), older: 1, goal: newPoint(n),
		scratch: space[0], plane: space[1],
	}
	if err := dual.Diagonal(p.Gram, s.scratch); err != nil {
		return nil, err
	}
	s.greatest = vectors.Greatest(s.scratch)
	return s, nil
}

// toward leaves the scores best + κ (goal − best).
func (s *points) toward(kappa float64) {
	n := len(s.scratch)
	eachRange(n, n, func(lo, hi int) { addTowards(s.scratch[lo:hi], s.best.f[lo:hi], s.goal.f[lo:hi], kappa) })
}

// combine makes the goal Σ weights[t]·plane[planes[t]].
func (s *points) combine(planes []int, weights []float64) {
	n := len(s.goal.f)
	eachRange(n, 2*n*len(planes), func(lo, hi int) {
		coef, f := s.goal.coef[lo:hi], s.goal.f[lo:hi]
		clear(coef)
		clear(f)
		for i, t := range planes {
			s.planes[t].coef.each(lo, hi, func(at int, piece []float64) {
				vectors.AddScaled(coef[at-lo:][:len(piece)], weights[i], piece)
			})
			vectors.AddScaled(f, weights[i], s.planes[t].f[lo:hi])
		}
	})
	s.goal.offset = 0
	for i, t := range planes {
		s.goal.offset += float64(weights[i] * s.planes[t].offset)
	}
}

// quadratic returns q in ½‖best + κ (goal − best)‖² = q[0] + q[1] κ + ½ q[2] κ².
func (s *points) quadratic() (q [3]float64, err error) {
	q = sumRanges(len(s.scratch), 5, func(lo, hi int) [3]float64 {
		var d, df [pieceLen]float64
		var start, slope, curvature vectors.DotSums
		for ; lo < hi; lo += pieceLen {
			end := min(lo+pieceLen, hi)
			coef, f := s.best.coef[lo:end], s.best.f[lo:end]
			difference(d[:len(f)], s.goal.coef[lo:end], coef)
			difference(df[:len(f)], s.goal.f[lo:end], f)
			start.Add(coef, f)
			slope.Add(d[:len(f)], f)
			curvature.Add(d[:len(f)], df[:])
		}
		return [3]float64{start.Sum() / 2, slope.Sum(), curvature.Sum()}
	})
	return q, s.checkCurvature(q[2], s.goal.coef, s.best.coef)
}

// lossAt returns R at best + κ (goal − best), and its slope in κ.
func (s *points) lossAt(kappa float64) (loss, slope float64) {
	s.toward(kappa)
	loss = s.lossOf(s.scratch)
	slope = -sumRanges(len(s.scratch), 1, func(lo, hi int) [3]float64 {
		var df [pieceLen]float64
		var sums vectors.DotSums
		for ; lo < hi; lo += pieceLen {
			end := min(lo+pieceLen, hi)
			difference(df[:end-lo], s.goal.f[lo:end], s.best.f[lo:end])
			sums.Add(s.plane[lo:end], df[:])
		}
		return [3]float64{sums.Sum()}
	})[0]
	return loss, slope
}

// lossOf returns R at the scores f, and leaves the coefficients of its plane.
func (s *points) lossOf(f []float64) float64 {
	loss, _ := s.Risk.Plane(s.plane, f)
	return loss
}

// move moves the best point by κ (goal − best).
func (s *points) move(kappa float64) {
	left := 1 - kappa
	eachRange(len(s.best.f), 4*len(s.best.f), func(lo, hi int) {
		addTowards(s.best.coef[lo:hi], s.best.coef[lo:hi], s.goal.coef[lo:hi], kappa)
		addTowards(s.best.f[lo:hi], s.best.f[lo:hi], s.goal.f[lo:hi], kappa)
		for i := lo; i < hi; i++ {
			s.recent.coef[i] = float64(left*s.recent.coef[i]) + float64(kappa*s.goal.coef[i])
			s.recent.f[i] = float64(left*s.recent.f[i]) + float64(kappa*s.goal.f[i])
		}
	})
	s.older *= left
}

// without makes the best point, of a given primal value, the mean of the latest goals alone, which has fewer
// coefficients, if earlier points have less than a share of it and the primal value of the mean is at most most. It
// returns the primal value of the best point after that.
func (s *points) without(primal, share, most float64) float64 {
	if s.older >= share {
		return primal
	}
	scale, f := 1/(1-s.older), s.scratch
	for i, x := range s.recent.f {
		f[i] = float64(scale * x)
	}
	loss := s.lossOf(f)
	mean := float64(scale*vectors.Dot(s.recent.coef, f)/2) + loss
	if mean > most {
		return primal
	}
	for i, x := range s.recent.coef {
		s.best.coef[i] = float64(scale * x)
	}
	copy(s.best.f, f)
	clear(s.recent.coef)
	clear(s.recent.f)
	s.older = 1
	return mean
}

// goalIsSparser reports whether the goal, of planes near it, has less than eight ninths of the coefficients of the best
// point.
func (s *points) goalIsSparser() bool {
	return s.proximal != nil && 9*s.goal.size() < 8*s.best.size()
}

// certify recomputes the scores of a point, by one product, and returns it with its bounds.
func (s *points) certify(ctx context.Context, p *point) (svm.Solution, error) {
	if err := s.Multiply(ctx, p.f, p.coef); err != nil {
		return svm.Solution{}, err
	}
	return s.measure(p), nil
}

// measure returns a point with its bounds, given fresh scores. The dual value is that of the conjugate, or of the
// planes, which the goal has.
func (s *points) measure(p *point) svm.Solution {
	if s.Hinges != nil {
		return s.Certify(p.coef, p.f)
	}
	sol := svm.Solution{Coef: p.coef, Scalars: s.Risk.Scalars(p.f)}
	for _, b := range sol.Scalars {
		sol.Rho -= b / float64(len(sol.Scalars))
	}
	square, value, gap := vectors.Dot(p.coef, p.f), 0.0, 0.0
	if h, ok := s.Risk.(*risk.Hinges); ok && h.Separable() {
		value, sol.Dual, gap = h.Gap(p.coef, p.f)
		sol.Primal, sol.Dual = float64(square/2)+value, sol.Dual-float64(square/2)
		sol.Gap = svm.Relative(gap, sol.Primal)
		return sol
	}
	bound := math.Inf(-1)
	if p == &s.goal {
		bound = p.offset - float64(square/2)
	}
	sol.Certificate = svm.Between(float64(square/2)+s.lossOf(p.f), bound)
	return sol
}

// checkCurvature returns an error if square = vᵀKv is negative beyond rounding, that of a matrix of single precision
// too: v is the sum or difference of parts.
func (s *points) checkCurvature(square float64, parts ...[]float64) error {
	if square >= 0 {
		return nil
	}
	size := 0.0
	for _, v := range parts {
		for _, x := range v {
			size += math.Abs(x)
		}
	}
	if square < -max(1e-7*size*size*s.greatest, svm.TinyPrimal) {
		return fmt.Errorf("%w: vᵀKv = %g for some v", svm.ErrIndefinite, square)
	}
	return nil
}

// addTowards writes from + κ (to − from) into dst.
func addTowards(dst, from, to []float64, kappa float64) {
	from, to = from[:len(dst)], to[:len(dst)]
	for i, x := range from {
		dst[i] = x + float64(kappa*(to[i]-x))
	}
}

// difference writes a − b into dst.
func difference(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}
