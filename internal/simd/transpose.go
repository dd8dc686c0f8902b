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
	const tile = 8
	for top := 0; top < 64; top += tile {
		for left := 0; left < 64; left += tile {
			for i := top; i < top+tile; i++ {
				row := (*[tile]float64)(src[64*i+left:])
				to := dst[64*left+i:]
				for j, v := range row {
					to[64*j] = v
				}
			}
		}
	}
}
