package risk

import "math"

// minimiseSquared returns the minimiser of
//
//	R(b) = Σ_i |c_i| max(0, ±(p_i − f_i − b))²,
//
// whose derivative is continuous, piecewise linear and rising, with breakpoints e_i = p_i − f_i: a positive record
// loses left of its own, a negative one right of it. Selection finds the piece on which it crosses 0 in O(n) expected
// time. Where no record loses the middle is taken.
func (h *Hinges) minimiseSquared(f []float64) float64 {
	points := h.breakpoints(0, 1, f)
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
		here.addAll(points[:less], false, h.Costs)
		here.addAll(points[equal:], true, h.Costs)
		switch slope := here.slope(v); {
		case slope == 0:
			return v
		case slope > 0: // what is left out lies to the right
			outside.addAll(points[less:], true, h.Costs)
			points = points[:less]
		default:
			outside.addAll(points[:equal], false, h.Costs)
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

// planeSquared is Plane of squared hinges.
func (h *Hinges) planeSquared(a, f []float64) (value, offset float64) {
	b := h.biases[0].value
	for i, p := range h.Points {
		c, e := h.Cost(i), p-f[i]-b
		if e > 0 != (h.Weights[i] > 0) || c == 0 {
			continue
		}
		part := float64(2 * c * e)
		a[i] = part
		value += float64(float64(c*e) * e)
		offset += float64(part*p) - float64(part*part)/(4*c)
	}
	return value, offset
}
