package svm

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// coefficients is the space of a run whose points are coefficients of records: w = Σ coef_i φ(x_i), with the scores
// f = K coef. See [bundle.Space].
type coefficients struct {
	*instance
	proximal risk.Proximal // the risk, nil if it has no planes near others
	unit     float64       // of reach: Σ a²/aᵀKa of the first plane
	planes   []plane
	best     point
	recent   recent // of the best point
	goal     point
	greatest float64 // max |K_ii|
	measured [2]Solution

	scratch, plane []float64
}

// point is w = Σ coef_i φ(x_i) with its scores f = K coef.
type point struct {
	coef, f []float64
	offset  float64 // a lower bound of −R*(−coef), of the goal alone
}

func newPoint(n int) point { return point{coef: make([]float64, n), f: make([]float64, n)} }

func newCoefficients(p *instance) *coefficients {
	n := p.Risk.Len()
	space := scratch.Vectors(2, n)
	return &coefficients{
		instance: p, proximal: risk.ProximalOf(p.Risk), best: newPoint(n), recent: newRecent(n), goal: newPoint(n),
		scratch: space[0], plane: space[1],
	}
}

// start makes a feasible point the first plane and, if it is better than 0, the best point.
func (s *coefficients) start(ctx context.Context, run *bundle.Run, coef []float64) error {
	if err := s.checkStart(coef); err != nil {
		return err
	}
	f, offset, zero := s.scratch, 0.0, true
	for i, a := range coef {
		offset += float64(a * s.Linear[i])
		zero = zero && a == 0
	}
	if zero {
		return nil
	}
	if err := s.multiply(ctx, f, coef); err != nil {
		return err
	}
	products, err := s.append(offset, coef, f)
	if err != nil {
		return err
	}
	run.Add(offset, products)
	if primal := s.lossOf(f) + float64(dot(coef, f)/2); primal < run.Primal() {
		copy(s.best.coef, coef)
		copy(s.best.f, f)
		run.Begin(primal)
	}
	return nil
}

// Touch implements [bundle.Space]: one product.
func (s *coefficients) Touch(ctx context.Context, step, reach float64) (float64, []float64, error) {
	s.toward(step)
	return s.addPlane(ctx, s.scratch, reach)
}

// toward leaves the scores best + κ (goal − best).
func (s *coefficients) toward(kappa float64) {
	n := len(s.scratch)
	eachRange(n, n, func(lo, hi int) { addTowards(s.scratch[lo:hi], s.best.f[lo:hi], s.goal.f[lo:hi], kappa) })
}

// Combine implements [bundle.Space].
func (s *coefficients) Combine(_ context.Context, planes []int, weights []float64) error {
	n := len(s.goal.f)
	eachRange(n, 2*n*len(planes), func(lo, hi int) {
		coef, f := s.goal.coef[lo:hi], s.goal.f[lo:hi]
		clear(coef)
		clear(f)
		for i, t := range planes {
			addScaled(coef, weights[i], s.planes[t].coef[lo:hi])
			addScaled(f, weights[i], s.planes[t].f[lo:hi])
		}
	})
	s.goal.offset = 0
	for i, t := range planes {
		s.goal.offset += float64(weights[i] * s.planes[t].offset)
	}
	return nil
}

// Quadratic implements [bundle.Space].
func (s *coefficients) Quadratic() (q [3]float64, err error) {
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

// Loss implements [bundle.Space].
func (s *coefficients) Loss(kappa float64) (loss, slope float64) {
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
func (s *coefficients) lossOf(f []float64) float64 {
	loss, _ := s.Risk.Plane(s.plane, f)
	return loss
}

// Move implements [bundle.Space].
func (s *coefficients) Move(kappa float64) {
	eachRange(len(s.best.f), 2*len(s.best.f), func(lo, hi int) {
		addTowards(s.best.coef[lo:hi], s.best.coef[lo:hi], s.goal.coef[lo:hi], kappa)
		addTowards(s.best.f[lo:hi], s.best.f[lo:hi], s.goal.f[lo:hi], kappa)
	})
	s.recent.add(kappa, &s.goal)
}

// Forget implements [bundle.Space]: it makes the best point the mean of the latest goals alone.
func (s *coefficients) Forget(primal, share, most float64) float64 {
	if s.recent.older >= share {
		return primal
	}
	scale, f := 1/(1-s.recent.older), s.scratch
	for i, x := range s.recent.f {
		f[i] = float64(scale * x)
	}
	loss := s.lossOf(f)
	without := float64(scale*dot(s.recent.coef, f)/2) + loss
	if without > most {
		return primal
	}
	for i, x := range s.recent.coef {
		s.best.coef[i] = float64(scale * x)
	}
	copy(s.best.f, f)
	clear(s.recent.coef)
	clear(s.recent.f)
	s.recent.older = 1
	return without
}

// goalIsSparser reports whether the goal, of planes near it, has less than eight ninths of the coefficients of the best
// point.
func (s *coefficients) goalIsSparser() bool {
	return s.proximal != nil && 9*nonzeros(s.goal.coef) < 8*nonzeros(s.best.coef)
}

// Certify implements [bundle.Space]: one product.
func (s *coefficients) Certify(ctx context.Context, which bundle.Point) (bundle.Certificate, error) {
	p := &s.best
	if which == bundle.Goal {
		p = &s.goal
	}
	if err := s.multiply(ctx, p.f, p.coef); err != nil {
		return bundle.Certificate{}, err
	}
	s.measured[which] = s.measure(p)
	return bundle.Certificate(s.measured[which].Certificate), nil
}

// measure returns a point with its bounds, given fresh scores. The dual value is that of the conjugate, or of the
// planes, which the goal has.
func (s *coefficients) measure(p *point) Solution {
	if s.hinges != nil {
		return s.certify(p.coef, p.f)
	}
	sol := Solution{Coef: p.coef, Scalars: s.Risk.Scalars(p.f)}
	for _, b := range sol.Scalars {
		sol.Rho -= b / float64(len(sol.Scalars))
	}
	square, value, gap := dot(p.coef, p.f), 0.0, 0.0
	if separable := risk.SeparableOf(s.Risk); separable != nil {
		value, sol.Dual, gap = separable.Gap(p.coef, p.f)
		sol.Primal, sol.Dual = float64(square/2)+value, sol.Dual-float64(square/2)
		sol.Gap = gap / max(math.Abs(sol.Primal), bundle.TinyPrimal)
		return sol
	}
	sol.Primal, sol.Dual = float64(square/2)+s.lossOf(p.f), math.Inf(-1)
	if p == &s.goal {
		sol.Dual = p.offset - float64(square/2)
	}
	sol.Gap = bundle.RelativeGap(sol.Primal, sol.Dual)
	return sol
}

// checkCurvature returns an error if square = vᵀKv is negative beyond rounding, that of a matrix of single precision
// too: v is the sum or difference of parts.
func (s *coefficients) checkCurvature(square float64, parts ...[]float64) error {
	if square >= 0 {
		return nil
	}
	size := 0.0
	for _, v := range parts {
		for _, x := range v {
			size += math.Abs(x)
		}
	}
	if square < -max(1e-7*size*size*s.greatest, bundle.TinyPrimal) {
		return fmt.Errorf("%w: vᵀKv = %g for some v", ErrIndefinite, square)
	}
	return nil
}
