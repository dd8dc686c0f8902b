package hadamard

import (
	"iter"

	"github.com/seqsvm/seqsvm/internal/simd"
)

const (
	blockDigits = 6    // digits done on blocks that stay in the first-level cache
	block       = 4096 // entries of such a block, 4^blockDigits: 32 KB
)

// four convolves tables of at least blockDigits digits on four letters, two digits at a time where there are two before
// the block.
type four struct{ scaling *scaling }

func (f four) rows(entries int) int {
	if entries == 4*block {
		return 4
	}
	return 16
}

// strip is the number of columns of sixteen rows that are transformed for both digits before the next: 8 KB.
const strip = 64

func (f four) forward(x []float64, from, to int) {
	rows := f.rows(len(x))
	if rows == 4 {
		simd.Forward(x[from:], len(x)/rows, to-from, 1)
		return
	}
	for ; from < to; from += strip {
		forwardTwo(x[from:], len(x)/rows, min(strip, to-from))
	}
}

func (f four) backward(x []float64, from, to int) {
	rows := f.rows(len(x))
	if rows == 4 {
		simd.Backward(x[from:], len(x)/rows, to-from, 1)
		return
	}
	for ; from < to; from += strip {
		backwardTwo(x[from:], len(x)/rows, min(strip, to-from))
	}
}

// forwardTwo transforms two digits whose sixteen values lie stride entries apart, the higher digit first.
func forwardTwo(x []float64, stride, columns int) {
	for i := range 4 {
		simd.Forward(x[i*stride:], 4*stride, columns, 1)
	}
	simd.Forward(x, stride, columns, 4)
}

// backwardTwo undoes forwardTwo, times 16.
func backwardTwo(x []float64, stride, columns int) {
	simd.Backward(x, stride, columns, 4)
	for i := range 4 {
		simd.Backward(x[i*stride:], 4*stride, columns, 1)
	}
}

func (f four) convolve(x []float64, prefix, _ int) {
	if len(x) == block {
		f.convolveBlock(x, uint(prefix))
		return
	}
	rows := f.rows(len(x))
	row := len(x) / rows
	f.forward(x, 0, row)
	for i := range rows {
		f.convolve(x[i*row:(i+1)*row], prefix*rows+i, 0)
	}
	f.backward(x, 0, row)
}

// convolveBlock is convolve for the last six digits: two in strips, four in quarters of the block.
func (f four) convolveBlock(p []float64, prefix uint) {
	const row, quarter = block / 16, block / 4
	factors := f.scaling.forPrefix(prefix)
	for c := 0; c < row; c += strip {
		forwardTwo(p[c:], row, strip)
	}
	for at := 0; at < block; at += quarter {
		q := p[at : at+quarter]
		simd.Forward(q, 64, 64, 4)
		simd.Forward(q, 16, 16, 16)
		simd.Scale(q, classOf[at/16:(at+quarter)/16], factors[:])
		simd.Backward(q, 16, 16, 16)
		simd.Backward(q, 64, 64, 4)
	}
	for c := 0; c < row; c += strip {
		backwardTwo(p[c:], row, strip)
	}
}

// convolveSmall is Convolve for four letters and few digits, one digit at a time.
func convolveSmall(x []float64, length int, eigen []float64) {
	for c, stride := range quartets(len(x)) {
		x[c], x[c+stride], x[c+2*stride], x[c+3*stride] = simd.Haar(x[c], x[c+stride], x[c+2*stride], x[c+3*stride])
	}
	scaling := newScaling(length, eigen)
	for c := range x {
		weight, pairs := weights(uint(c))
		x[c] *= scaling.at(weight, pairs)
	}
	for c, stride := range quartets(len(x)) {
		x[c], x[c+stride], x[c+2*stride], x[c+3*stride] = simd.Unhaar(x[c], x[c+stride], x[c+2*stride], x[c+3*stride])
	}
}

// quartets yields, for each digit of a table of n entries, the place of the first of each four values and their stride.
func quartets(n int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for stride := 1; stride < n; stride *= 4 {
			for c := 0; c < n; c++ {
				if c/stride%4 == 0 && !yield(c, stride) {
					return
				}
			}
		}
	}
}
