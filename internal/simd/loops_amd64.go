//go:build amd64 && !purego

package simd

import "golang.org/x/sys/cpu"

// These are the loops of this processor.
var (
	haar        = goHaar
	transpose64 = goTranspose64
)

func init() {
	if cpu.X86.HasAVX2 {
		haar, transpose64 = avx2Haar, avx2Transpose64
	}
}

var avx2Haar = haarLoops{
	forward:  func(x []float64, stride, columns, parts int) { forwardAVX2(&x[0], stride, columns, parts) },
	backward: func(x []float64, stride, columns, parts int) { backwardAVX2(&x[0], stride, columns, parts) },
	scale: func(x []float64, class []uint8, factors []Factors) {
		if len(class) > 0 {
			scaleAVX2(&x[0], &class[0], len(class), &factors[0])
		}
	},
}

//go:noescape
func forwardAVX2(x *float64, stride, columns, parts int)

//go:noescape
func backwardAVX2(x *float64, stride, columns, parts int)

//go:noescape
func scaleAVX2(x *float64, class *uint8, n int, factors *Factors)

func avx2Transpose64(dst, src []float64) { transpose64AVX2(&dst[0], &src[0]) }

//go:noescape
func transpose64AVX2(dst, src *float64)
