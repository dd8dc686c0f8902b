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
