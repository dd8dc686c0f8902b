package hadamard

import (
	"math"
	"math/bits"
)

// two convolves tables on two letters by the Walsh–Hadamard transform, which is its own inverse times 2^length. The
// weight of a coordinate is the number of ones in its index.
type two struct{ value []float64 } // λ_j/2^length

func newTwo(length int, eigen []float64) two {
	value := make([]float64, length+1)
	for j, v := range eigen {
		value[j] = math.Ldexp(v, -length)
	}
	return two{value}
}

func (t two) forward(x []float64, from, to int) {
	row := len(x) / 2
	butterflies(x[from:to], x[row+from:row+to])
}

func (t two) backward(x []float64, from, to int) { t.forward(x, from, to) }

func (t two) convolve(x []float64, prefix, _ int) {
	if len(x) <= leafWords {
		t.convolveLeaf(x, bits.OnesCount(uint(prefix)))
		return
	}
	row := len(x) / 2
	t.forward(x, 0, row)
	t.convolve(x[:row], prefix<<1, 0)
	t.convolve(x[row:], prefix<<1|1, 0)
	t.backward(x, 0, row)
}

// convolveLeaf is convolve for a small part; weight is that of its prefix.
func (t two) convolveLeaf(x []float64, weight int) {
	walsh(x)
	for c := range x {
		x[c] *= t.value[weight+bits.OnesCount(uint(c))]
	}
	walsh(x)
}

// walsh is the transform of all digits of a small part, first the digits whose rows are short.
func walsh(x []float64) {
	stride := 1
	for ; 4*stride <= len(x) && stride < 4; stride *= 4 { // two digits
		for base := 0; base < len(x); base += 4 * stride {
			q := x[base : base+4*stride]
			for c := range stride {
				u, v, w, z := q[c], q[c+stride], q[c+2*stride], q[c+3*stride]
				u, v, w, z = u+v, u-v, w+z, w-z
				q[c], q[c+stride], q[c+2*stride], q[c+3*stride] = u+w, v+z, u-w, v-z
			}
		}
	}
	for ; stride < len(x); stride *= 2 {
		for base := 0; base < len(x); base += 2 * stride {
			butterflies(x[base:base+stride], x[base+stride:base+2*stride])
		}
	}
}

// butterflies replaces two rows by their sum and their difference.
func butterflies(u, v []float64) {
	v = v[:len(u)]
	for i, a := range u {
		b := v[i]
		u[i], v[i] = a+b, a-b
	}
}
