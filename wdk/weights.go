package wdk

import "math"

// The length weights are integers, w_k = d − k + 1, times unit = 2/(d(d+1)), so sums of them are exact.

func (k Kernel) unit() float64 { return 2 / float64(k.D*(k.D+1)) }

// upTo returns Σ w_j over lengths j ≤ m: the contribution of a position whose match is m letters long.
func (k Kernel) upTo(m int) int {
	m = min(m, k.D)
	return m*k.D - m*(m-1)/2
}

// run returns the contribution of a maximal run of m matching positions, Σ_{j ≤ m} w_j (m − j + 1).
func (k Kernel) run(m int) int {
	n := min(m, k.D)
	return n*(k.D+1)*(m+1) - (k.D+m+2)*(n*(n+1)/2) + n*(n+1)*(2*n+1)/6
}

// uniform reports whether the weight of a shift does not depend on where a match begins.
func (k Kernel) uniform() bool { return k.Ramp == 0 && k.Weights == nil }

// delta returns the weight of matches s positions apart, in one direction.
func (k Kernel) delta(s int) float64 {
	switch {
	case s == 0:
		return 1
	case k.Shogun:
		return 1 / float64(2*s)
	default:
		return 1 / float64(2*(s+1))
	}
}

// shiftAt returns the largest shift at a position, S(i).
func (k Kernel) shiftAt(position int) int {
	if k.Ramp == 0 {
		return k.Shift
	}
	return int(min(float64(k.Shift), math.Floor(k.Ramp*math.Abs(float64(position-k.Anchor)))))
}

// allows reports whether matches that begin at positions p and p + s count: both positions must allow the shift.
func (k Kernel) allows(p, s int) bool {
	return s == 0 || s <= k.shiftAt(p) && s <= k.shiftAt(p+s)
}

// gamma returns the weight of a position, 0 beyond the list.
func (k Kernel) gamma(p int) float64 {
	switch {
	case k.Weights == nil:
		return 1
	case p < len(k.Weights):
		return k.Weights[p]
	default:
		return 0
	}
}

// pair returns the weight of matches that begin at position p of one sequence and p + s of the other.
func (k Kernel) pair(p, s int) float64 {
	switch {
	case !k.allows(p, s):
		return 0
	case s == 0:
		return k.gamma(p)
	default:
		return k.delta(s) * math.Sqrt(k.gamma(p)) * math.Sqrt(k.gamma(p+s))
	}
}
