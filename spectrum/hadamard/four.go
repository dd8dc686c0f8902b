package hadamard

import "github.com/seqsvm/seqsvm/internal/simd"

const (
	blockDigits = 6    // digits done on blocks that stay in the first-level cache
	block       = 4096 // entries of such a block, 4^blockDigits: 32 KB
)

// four convolves tables of at least blockDigits digits on four letters, two digits at a time where there are two before
// the block.
type four struct{ scaling *scaling }

// rows is 16, for two digits, but where only one is left before the block, and where four are left, which take a sixth
// less time as one, two and one.
func (f four) rows(entries int) int {
	if entries == 4*block || entries == 256*block {
		return 4
	}
	return 16
}

func (f four) forward(x []float64, from, to int) {
	f.digits(x, from, to, simd.Forward, simd.ForwardTwo)
}

func (f four) backward(x []float64, from, to int) {
	f.digits(x, from, to, simd.Backward, simd.BackwardTwo)
}

// digits transforms the first digit, or the first two.
func (f four) digits(x []float64, from, to int, one, two func(x []float64, stride, columns, parts int)) {
	rows, transform := f.rows(len(x)), two
	if rows == 4 {
		transform = one
	}
	transform(x[from:], len(x)/rows, to-from, 1)
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

// convolveBlock is convolve for the last six digits: two across the block, four in each quarter of it.
func (f four) convolveBlock(p []float64, prefix uint) {
	const quarter = block / 4
	weight, pairs := weights(prefix)
	factors := f.scaling.forPrefix[weight][pairs]
	simd.ForwardTwo(p, block/16, block/16, 1)
	for at := 0; at < block; at += quarter {
		q := p[at : at+quarter]
		simd.ForwardTwo(q, 16, 16, 4)
		simd.Scale(q, classOf[at/16:(at+quarter)/16], factors)
		simd.BackwardTwo(q, 16, 16, 4)
	}
	simd.BackwardTwo(p, block/16, block/16, 1)
}
