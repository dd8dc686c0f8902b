package wdk

import (
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/simd"
)

// starts are the weights of the positions at which matches begin: for each byte of a mask, a sum per value.
type starts [][256]float64

// newStarts tabulates the weights of positions 0 … words·64 − 1 in the layout of planes.
func newStarts(words int, weight func(position int) float64) starts {
	table := make(starts, 8*words)
	for w := range words {
		for b := range 8 {
			sums := &table[8*w+b]
			for value := 1; value < 256; value++ {
				low := bits.TrailingZeros8(uint8(value))
				sums[value] = sums[value&(value-1)] + weight((8*b+low)*words+w)
			}
		}
	}
	return table
}

// degrees returns Σ_k (d − k + 1) Σ weight over the set bits of m_k; it overwrites the mask.
func (t starts) degrees(mask []uint64, d int) float64 {
	total, sum := 0.0, 0.0
	for left := d; left > 0; left-- {
		for w, m := range mask {
			for b := 8 * w; m != 0; b++ {
				sum += t[b][m&255]
				m >>= 8
			}
		}
		total += sum
		if !simd.Longer(mask) {
			return total + float64(float64(left-1)*sum)
		}
	}
	return total
}
