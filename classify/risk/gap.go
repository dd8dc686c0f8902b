package risk

import "math"

// Gap returns R(f), −R*(−a) where R* is the convex conjugate, and the sum of these two inequalities' slack,
//
//	gap = R(f) + R*(−a) + Σ_i a_i f_i ≥ 0,
//
// which is summed record by record and so loses no digits to cancellation. a is feasible up to rounding, as every
// convex combination of planes is: what leaves the domain of a record's conjugate is ignored.
//
// Separable is true.
func (h *Hinges) Gap(a, f []float64) (value, conjugate, gap float64) {
	h.minimise(f)
	lo := 0
	for r, score := range f {
		rest := a[r]
		if h.Linear != nil {
			rest -= h.Linear[r]
			value -= float64(h.Linear[r] * score)
		}
		for hi, part := h.endOf(lo, r), 0.0; lo < hi; lo++ {
			part, rest = h.split(rest, lo, hi)
			loss, slack := h.GapOf(lo, h.Points[lo]-(score+h.biases[h.scalar(lo)].value), part)
			value += loss
			gap += slack
			conjugate += float64(h.Points[lo] * part)
			if h.Squared {
				conjugate -= float64(part*part) / (4 * h.Cost(lo))
			}
		}
	}
	for g, s := range h.Sums {
		value += float64(s * h.biases[g].value)
	}
	return value, conjugate, gap
}

// Separable reports whether the conjugate is a sum over records: where hinges of a record belong to several scalars,
// how its coefficient is shared among them depends on the other records.
func (h *Hinges) Separable() bool { return h.Record == nil || h.Scalar == nil }

// endOf returns the end of the hinges of record r, which begin at lo.
func (h *Hinges) endOf(lo, r int) int {
	if h.Record == nil {
		return lo + 1
	}
	for lo < len(h.Record) && int(h.Record[lo]) == r {
		lo++
	}
	return lo
}

// split returns the part a_lo of what is left of a record's coefficient that maximises Σ p_h a_h: the hinges lo … hi−1,
// by descending points, take as much as their bounds let them. The last takes the rest.
func (h *Hinges) split(rest float64, lo, hi int) (part, left float64) {
	if hi-lo == 1 {
		return rest, 0
	}
	others := 0.0 // the least that the others can have
	for i := lo + 1; i < hi; i++ {
		others += min(0, math.Copysign(h.Cost(i), h.Weights[i]))
	}
	cost := math.Copysign(h.Cost(lo), h.Weights[lo])
	part = max(min(0, cost), min(rest-others, max(0, cost)))
	return part, rest - part
}

// GapOf returns the loss of a hinge with the residual p − f − b, and its part of the gap if its coefficient is beta.
// With s = ±residual and α = |beta| these are
//
//	hinge          C max(0, s)      C max(0, s) − α s
//	squared hinge  C max(0, s)²     C max(0, s)² − α s + α²/(4C)
//
// The part of the gap is never negative; that of the squared hinge is the square (C s − α/2)²/C where s > 0.
func (h *Hinges) GapOf(i int, residual, beta float64) (loss, gap float64) {
	slack, alpha, cost := residual, beta, h.Cost(i)
	if cost == 0 {
		return 0, 0
	}
	if h.Weights[i] < 0 {
		slack, alpha = -residual, -beta
	}
	if !h.Squared {
		loss = float64(cost * max(0, slack))
		return loss, max(0, loss-float64(alpha*slack))
	}
	if slack <= 0 {
		return 0, alpha * (alpha/(4*cost) - slack)
	}
	root := float64(cost*slack) - float64(alpha/2)
	return float64(float64(cost*slack) * slack), root * (root / cost)
}
