package svm

import (
	"math"
	"slices"
)

// scores is the product K a of a plane, in single precision where that does.
type scores struct {
	single []float32
	double []float64 // nil if there are single ones
}

// rounded is the part of the tolerance that single precision may take.
const rounded = 1e-2

// scoresOf keeps scores. Rounding moves a loss whose slope in each of them is at most slope by at most slope·2⁻²⁴·Σ|f|;
// that must be little beside tol, the gap to be reached. Reduced solutions are convex combinations of planes, so that
// it is no more in them; bounds that are returned are of fresh products.
func scoresOf(f []float64, slope, tol float64) scores {
	single := make([]float32, len(f))
	size := sumRanges(len(f), 4, func(lo, hi int) (sum [3]float64) {
		for i, x := range f[lo:hi] {
			single[lo+i] = float32(x)
			sum[0] += math.Abs(x)
		}
		return sum
	})[0]
	if noise := float64(slope*size) / (1 << 24); !(noise <= rounded*tol) {
		return scores{double: slices.Clone(f)}
	}
	return scores{single: single}
}

// addTo adds λ times the scores of the records from lo on to dst.
func (s *scores) addTo(dst []float64, lo int, lambda float64) {
	if s.double != nil {
		addScaled(dst, lambda, s.double[lo:])
	} else {
		addScaled(dst, lambda, s.single[lo:])
	}
}
