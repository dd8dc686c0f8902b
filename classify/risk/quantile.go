package risk

import (
	"cmp"
	"math"
	"slices"
)

// The bias, exactly. For fixed scores f the loss
//
//	R(b) = Σ_i |c_i| max(0, ±(p_i − f_i − b)) + s b,
//
// with the sign of c_i, is convex and piecewise linear in b. Its slope is s − Σ_{c_i>0} c_i far to the left, and rises
// by |c_i| at every breakpoint e_i = p_i − f_i: a positive record stops losing there, a negative one starts to. So the
// minimisers are the weighted quantiles of the breakpoints, found by selection in O(n) expected time without sorting.
//
// Weights are summed sign by sign, before costs: for weights of ±1 these sums are counts, which do not round.

// bias is a minimiser of R together with the subgradient that is 0 there: record i counts with the share 1 of its cost
// where its loss is positive, 0 where it is not, and, at a tie e_i = value, positivesTied or negativesTied.
type bias struct {
	value                        float64
	positivesTied, negativesTied float64
}

// breakpoint is e_i and the weight of its record.
type breakpoint struct{ at, weight float64 }

// quantile is the data of a selection: the costs of the signs, the sum of the positive weights, and s.
type quantile struct {
	costs          Costs
	positives, sum float64
}

// tally is the sums of the weights of some breakpoints, by sign; neither is negative.
type tally struct{ positive, negative float64 }

func (t tally) plus(u tally) tally { return tally{t.positive + u.positive, t.negative + u.negative} }

// cost returns the summed costs.
func (t tally) cost(c Costs) float64 {
	return float64(t.positive*c.Positive) + float64(t.negative*c.Negative)
}

// slope returns the slope of R right of the counted breakpoints, exactly 0 where its two parts agree up to rounding.
func (q *quantile) slope(t tally) float64 {
	rising := float64(t.negative*q.costs.Negative) + max(0, q.sum)
	falling := float64((q.positives-t.positive)*q.costs.Positive) + max(0, -q.sum)
	if s := rising - falling; math.Abs(s) > 1e-14*max(rising, falling) {
		return s
	}
	return 0
}

// find is a quickselect on weights for the breakpoint where the slope turns from negative to positive. It
// reorders points. Where the slope is 0, a whole interval minimises R, and its middle is returned.
func (q *quantile) find(points []breakpoint) bias {
	below := tally{} // of breakpoints to whose right the slope is negative
	for {
		less, equal, count, ties := partition(points, pivot(points))
		atLess := below.plus(count)
		atEqual := atLess.plus(ties)
		left, right := q.slope(atLess), q.slope(atEqual)
		switch {
		case left > 0:
			points = points[:less]
		case left == 0 && less > 0:
			return between(slices.MaxFunc(points[:less], byPlace).at, points[less].at)
		case right > 0 || equal == len(points):
			weight := ties.cost(q.costs)
			return bias{points[less].at, min(1, max(0, right/weight)), min(1, -left/weight)}
		case right == 0:
			return between(points[less].at, slices.MinFunc(points[equal:], byPlace).at)
		default:
			below, points = atEqual, points[equal:]
		}
	}
}

// partition moves the points left of v to [0, less), those at v to [less, equal) and sums the weights of both. The side
// of a point and the sign of its weight are as good as random: they are used as indices, not in branches.
func partition(points []breakpoint, v float64) (less, equal int, count, ties tally) {
	var sums [4]float64 // of weights: negative and positive ones, of points not left of v and left of it
	for i, p := range points {
		points[i] = points[less]
		points[less] = p
		left := oneIf(p.at < v)
		sums[2*left+oneIf(p.weight > 0)] += p.weight
		less += left
	}
	var tied [2]float64
	equal = less
	for i, p := range points[less:] {
		if p.at == v {
			points[less+i], points[equal] = points[equal], p
			tied[oneIf(p.weight > 0)] += p.weight
			equal++
		}
	}
	return less, equal, tally{sums[3], -sums[2]}, tally{tied[1], -tied[0]}
}

// oneIf returns 1 or 0, without a branch.
func oneIf(condition bool) int {
	if condition {
		return 1
	}
	return 0
}

// pivot returns the median of three spread-out points, of nine where there are many.
func pivot(points []breakpoint) float64 {
	n := len(points)
	if n < 40 {
		return median(points[0].at, points[n/2].at, points[n-1].at)
	}
	s := n / 8
	return median(
		median(points[0].at, points[s].at, points[2*s].at),
		median(points[3*s].at, points[4*s].at, points[5*s].at),
		median(points[6*s].at, points[7*s].at, points[n-1].at))
}

func median(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// between returns the middle of an interval of minimisers that ends at two neighbouring breakpoints. If nothing lies
// between these it is the left one, where the slope to the right, 0, counts the negative records but not the positive
// ones.
func between(left, right float64) bias {
	middle := float64(left/2) + float64(right/2) // cannot overflow
	if !(left < middle && middle < right) {
		middle = left
	}
	return bias{value: middle, negativesTied: 1}
}

// byPlace orders breakpoints.
func byPlace(a, b breakpoint) int { return cmp.Compare(a.at, b.at) }
