package svm

import "math"

// Loss is what a margin error ξ = max(0, 1 − y(f + b)), or in general max(0, ±(p − f − b)), costs. C is the cost of the
// record.
type Loss string

const (
	Hinge Loss = "hinge" // C ξ

	// SquaredHinge is C ξ². With it the dual loses its upper bounds and gains a ridge (Cortes & Vapnik 1995, section 3,
	// doi:10.1007/BF00994018):
	//
	//	max over α of  Σ_i α_i − ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j) − Σ_i α_i²/(4 C_i)
	//	subject to     α_i ≥ 0,  Σ_i y_i α_i = 0,
	//
	// which is the problem without margin errors for the matrix K + diag(1/(2 C_i)). A solver of the hinge loss that
	// works on coordinates solves it by adding the ridge to the diagonal and removing the bounds.
	SquaredHinge Loss = "squared-hinge"
)

// ridge returns 1/(2|c_i|) for the squared loss, 0 for the other.
func (p *instance) ridge(i int) float64 {
	if !p.squared() {
		return 0
	}
	if w := p.Weights[i]; w > 0 {
		return p.ridges.Positive / w
	}
	return p.ridges.Negative / -p.Weights[i]
}

// gapOf returns the loss of a record with the residual p − f − b, and its part of the gap if its coefficient is beta.
// With s = ±residual and α = |beta| these are
//
//	hinge          C max(0, s)      C max(0, s) − α s
//	squared hinge  C max(0, s)²     C max(0, s)² − α s + α²/(4C)
//
// The part of the gap is never negative; that of the squared hinge is the square (C s − α/2)²/C where s > 0.
func (p *instance) gapOf(i int, residual, beta float64) (loss, gap float64) {
	slack, alpha, cost := residual, beta, p.cost(i)
	if p.Weights[i] < 0 {
		slack, alpha = -residual, -beta
	}
	if !p.squared() {
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
func (p *instance) bestBias(f []float64, q *biasFinder) float64 {
	if p.squared() {
		return q.minimiseSquared(p, f)
	}
	return q.minimise(p, f).value
}

// minimiseSquared returns the minimiser of
//
//	R(b) = Σ_i |c_i| max(0, ±(p_i − f_i − b))²,
//
// whose derivative is continuous, piecewise linear and rising, with breakpoints e_i = p_i − f_i: a positive record
// loses left of its own, a negative one right of it. Selection finds the piece on which it crosses 0 in O(n) expected
// time. Where no record loses the middle is taken.
func (q *biasFinder) minimiseSquared(p *instance, f []float64) float64 {
	points := q.breakpoints(p, f)
	lastPositive, firstNegative := math.Inf(-1), math.Inf(1)
	for _, e := range points {
		if e.weight > 0 {
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
		here.addAll(points[:less], false, p.Costs)
		here.addAll(points[equal:], true, p.Costs)
		switch slope := here.slope(v); {
		case slope == 0:
			return v
		case slope > 0: // what is left out lies to the right
			outside.addAll(points[less:], true, p.Costs)
			points = points[:less]
		default:
			outside.addAll(points[:equal], false, p.Costs)
			points = points[equal:]
		}
	}
	return outside.zero()
}

// pull sums the costs of losing records and their breakpoints by cost: R'(b)/2 = weight·b − moment on one piece.
type pull struct{ weight, moment float64 }

// addAll counts those of the points that lose: to the right of a bias the positive records, to the left the negative
// ones.
func (s *pull) addAll(points []breakpoint, right bool, c Costs) {
	unit := -c.Negative
	if right {
		unit = c.Positive
	}
	for _, e := range points {
		if e.weight > 0 == right {
			cost := float64(e.weight * unit)
			s.weight += cost
			s.moment += float64(cost * e.at)
		}
	}
}

func (s pull) slope(b float64) float64 { return float64(s.weight*b) - s.moment }

func (s pull) zero() float64 { return s.moment / s.weight }
