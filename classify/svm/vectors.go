package svm

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// firstBeyond returns the index of the first value that is NaN or beyond ±mostValue, −1 if there is none.
func firstBeyond(v []float64) int {
	for i, x := range v {
		if !(math.Abs(x) <= mostValue) {
			return i
		}
	}
	return -1
}

func firstNonFinite(v []float64) int { return vectors.FirstNonFinite(v) }

func dot(a, b []float64) float64 { return vectors.Dot(a, b) }

func addScaled(dst []float64, s float64, v []float64) { vectors.AddScaled(dst, s, v) }

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
