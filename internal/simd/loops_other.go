//go:build !amd64 || purego

package simd

// These are the loops of this processor.
var (
	haar        = goHaar
	transpose64 = goTranspose64
	rows        = goRows
	sumCounts   = goSumCounts
	addDegrees  = goAddDegrees
)
