package hadamard

import "github.com/seqsvm/seqsvm/internal/simd"

const (
	blockDigits = 6    // digits done on blocks that stay in the first-level cache
	block       = 4096 // entries of such a block, 4^blockDigits: 32 KB
)

// four convolves tables of at least blockDigits digits on four letters.
type four struct{ scaling *scaling }

func (f four) rows() int { return 4 }

func (f four) forward(x []float64, from, to int) { simd.Forward(x[from:], len(x)/4, to-from, 1) }

func (f four) backward(x []float64, from, to int) { simd.Backward(x[from:], len(x)/4, to-from, 1) }

func (f four) convolve(x []float64, prefix, _ int) {
	if len(x) == block {
		f.convolveBlock(x, uint(prefix))
		return
	}
	row := len(x) / 4
	f.forward(x, 0, row)
	for i := range 4 {
		f.convolve(x[i*row:(i+1)*row], 4*prefix+i, 0)
	}
	f.backward(x, 0, row)
}

// convolveBlock is convolve for the last six digits: two across the block, four in each quarter of it.
func (f four) convolveBlock(p []float64, prefix uint) {
	const quarter = block / 4
	weight, pairs := weights(prefix)
	factors := f.scaling.forPrefix[weight][pairs]
	simd.Forward(p, quarter, quarter, 1)
	simd.Forward(p, quarter/4, quarter/4, 4)
	for at := 0; at < block; at += quarter {
		q := p[at : at+quarter]
		simd.Forward(q, 64, 64, 4)
		simd.Forward(q, 16, 16, 16)
		simd.Scale(q, classOf[at/16:(at+quarter)/16], factors)
		simd.Backward(q, 16, 16, 16)
		simd.Backward(q, 64, 64, 4)
	}
	simd.Backward(p, quarter/4, quarter/4, 4)
	simd.Backward(p, quarter, quarter, 1)
}
