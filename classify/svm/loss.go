package svm

import (
	"fmt"
	"math"
)

// The losses of a margin error ξ = max(0, 1 − y(f + b)), times the cost C of the record.
const (
	LossHinge        = "hinge"         // C ξ
	LossSquaredHinge = "squared-hinge" // C ξ²
)

// With the squared hinge the dual loses its upper bounds and gains a ridge (Cortes & Vapnik 1995, section 3):
//
//	max over α of  Σ_i α_i − ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j) − Σ_i α_i²/(4 C_i)   subject to  α_i ≥ 0,  Σ_i y_i α_i = 0,
//
// which is the problem without margin errors for the matrix K + diag(1/(2 C_i)). A solver of the hinge loss that works on coordinates
// solves it by adding the ridge to the diagonal and taking the bounds away.

// CheckLoss returns whether a loss is the squared one.
func CheckLoss(loss string) (squared bool, err error) {
	switch loss {
	case "", LossHinge:
		return false, nil
	case LossSquaredHinge:
		return true, nil
	}
	return false, fmt.Errorf("classify: loss %q is unknown, want one of %q", loss, []string{LossHinge, LossSquaredHinge})
}

// ridge returns 1/(2 C_i) for the squared loss, 0 for the other.
func (p *problem) ridge(i int) float64 {
	if p.y[i] > 0 {
		return p.ridges.Positive
	}
	return p.ridges.Negative
}

// gapOf returns the loss of a record with the given slack 1 − y(f + b), and the part that it has in the gap if its coefficient is alpha:
//
//	hinge          C max(0, s) − α s
//	squared hinge  C max(0, s)² − α s + α²/(4C)
//
// neither of which is negative; the latter is the square (C s − α/2)²/C where s > 0.
func (p *problem) gapOf(i int, slack, alpha float64) (loss, gap float64) {
	cost := p.cost(i)
	if !p.squared {
		loss = float64(cost * max(0, slack))
		return loss, max(0, loss-float64(alpha*slack))
	}
	if slack <= 0 {
		return 0, alpha * (alpha/(4*cost) - slack)
	}
	root := float64(cost*slack) - float64(alpha/2)
	return float64(float64(cost*slack) * slack), root * (root / cost)
}

// bestBias returns the bias with the least loss at scores f.
func (p *problem) bestBias(f []float64, q *biasFinder) float64 {
	if p.squared {
		return q.minimiseSquared(p, f)
	}
	return q.minimise(p, f).value
}

// minimiseSquared returns the minimiser of
//
//	R(b) = Σ_i C_i max(0, 1 − y_i(f_i + b))²,
//
// whose derivative is continuous, piecewise linear and rising, with breakpoints e_i = y_i − f_i: a positive record loses left of its own, a negative
// one right of it. Selection finds the piece on which it crosses 0 in O(n) expected time. Where no record loses the middle is taken.
func (q *biasFinder) minimiseSquared(p *problem, f []float64) float64 {
	points := q.breakpoints(p, f)
	lastPositive, firstNegative := math.Inf(-1), math.Inf(1)
	for _, e := range points {
		if e.positive {
			lastPositive = max(lastPositive, e.at)
		} else {
			firstNegative = min(firstNegative, e.at)
		}
	}
	if lastPositive <= firstNegative {
		return float64(lastPositive/2) + float64(firstNegative/2)
	}
	var outside pull // of the records that lose on every piece still in question
	for len(points) > 0 {
		v := pivot(points)
		less, equal, _, _ := partition(points, v)
		here := outside
		here.addAll(points[:less], false, p.costs)
		here.addAll(points[equal:], true, p.costs)
		switch slope := here.slope(v); {
		case slope == 0:
			return v
		case slope > 0: // what is left out lies to the right
			outside.addAll(points[less:], true, p.costs)
			points = points[:less]
		default:
			outside.addAll(points[:equal], false, p.costs)
			points = points[equal:]
		}
	}
	return outside.zero()
}

// pull sums the costs of losing records and their breakpoints by cost: R'(b)/2 = weight·b − moment on one piece.
type pull struct{ weight, moment float64 }

// addAll counts those of the points that lose: to the right of a bias the positive records, to the left the negative ones.
func (s *pull) addAll(points []breakpoint, right bool, c Costs) {
	cost := c.Negative
	if right {
		cost = c.Positive
	}
	for _, e := range points {
		if e.positive == right {
			s.weight += cost
			s.moment += float64(cost * e.at)
		}
	}
}

func (s pull) slope(b float64) float64 { return float64(s.weight*b) - s.moment }

func (s pull) zero() float64 { return s.moment / s.weight }
