package hadamard

import "iter"

const (
	blockDigits = 6    // digits done on blocks that stay in the first-level cache
	block       = 4096 // entries of such a block, 4^blockDigits: 32 KB
)

// four convolves tables of at least blockDigits digits on four letters, parts larger than a block four rows at a time.
// (Sixteen would halve the sweeps, but rows lie a power of two apart and share a few sets of each cache; copying them
// aside cost more than it saved.)
type four struct{ scaling *scaling }

func (f four) forward(x []float64, from, to int) {
	for c := from; c < to; c += width {
		forwardRows(fourRows(x, c))
	}
}

func (f four) backward(x []float64, from, to int) {
	for c := from; c < to; c += width {
		backwardRows(fourRows(x, c))
	}
}

// fourRows are the rows of a part, width columns from c on.
func fourRows(x []float64, c int) (r0, r1, r2, r3 *[width]float64) {
	row := len(x) / 4
	x = x[c:]
	return (*[width]float64)(x), (*[width]float64)(x[row:]), (*[width]float64)(x[2*row:]), (*[width]float64)(x[3*row:])
}

func (f four) convolve(x []float64, prefix, _ int) {
	if len(x) == block {
		f.convolveBlock((*[block]float64)(x), uint(prefix))
		return
	}
	row := len(x) / 4
	f.forward(x, 0, row)
	for i := range 4 {
		f.convolve(x[i*row:(i+1)*row], prefix<<2|i, 0)
	}
	f.backward(x, 0, row)
}

// convolveBlock is convolve for the last six digits, in five passes of sixteen values in registers.
func (f four) convolveBlock(p *[block]float64, prefix uint) {
	factors := f.scaling.forPrefix(prefix)
	forwardPair(p)
	for base := 0; base < block; base += block / 16 {
		forwardPair((*[block / 16]float64)(p[base:]))
	}
	scale56(p, &classOf, &factors)
	for base := 0; base < block; base += block / 16 {
		backwardPair((*[block / 16]float64)(p[base:]))
	}
	backwardPair(p)
}

// convolveSmall is Convolve for four letters and few digits, one digit at a time.
func convolveSmall(x []float64, length int, eigen []float64) {
	for c, stride := range quartets(len(x)) {
		x[c], x[c+stride], x[c+2*stride], x[c+3*stride] = haar(x[c], x[c+stride], x[c+2*stride], x[c+3*stride])
	}
	scaling := newScaling(length, eigen)
	for c := range x {
		weight, pairs := weights(uint(c))
		x[c] *= scaling.at(weight, pairs)
	}
	for c, stride := range quartets(len(x)) {
		x[c], x[c+stride], x[c+2*stride], x[c+3*stride] = unhaar(x[c], x[c+stride], x[c+2*stride], x[c+3*stride])
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
