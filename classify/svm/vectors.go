package svm

import (
	"math"
)

// firstNonFinite returns the index of the first NaN or infinity, −1 if there is none.
func firstNonFinite(v []float64) int {
	for i, x := range v {
		if x-x != 0 {
			return i
		}
	}
	return -1
}

// firstBeyond returns the index of the first value that is NaN or beyond ±mostValue, −1 if there is none.
func firstBeyond(v []float64) int {
	for i, x := range v {
		if !(math.Abs(x) <= mostValue) {
			return i
		}
	}
	return -1
}

// dot returns Σ a_i b_i in a fixed order of four partial sums, the same on every platform.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// addScaled adds s·v to dst.
func addScaled(dst []float64, s float64, v []float64) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] += float64(s * v[i])
	}
}
