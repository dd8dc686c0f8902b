package tree

import (
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
)

// Blocks multiplies many vectors with a matrix: four in each pass, and few that are left, one by one. Both have the
// same bits.
type Blocks struct {
	Own   []float64 // what Four leaves out, on the diagonal
	Least int       // vectors that a pass for four is worth
	Space int       // entries of scratch that such a pass needs
	One   func(dst, v []float64)
	Four  func(dst, v, space []simd.Lanes) // adds all but own·v to dst
}

// MulBlockTo writes K·v[m] into dst[m] for every m. pool is one of *[]simd.Lanes.
func (b Blocks) MulBlockTo(dst, v [][]float64, pool scratch.Lender) {
	for len(v) >= b.Least {
		width := min(simd.LanesWidth, len(v))
		b.mulLanes(dst[:width], v[:width], pool)
		dst, v = dst[width:], v[width:]
	}
	for m := range v {
		b.One(dst[m], v[m])
	}
}

// mulLanes interleaves up to four vectors, multiplies and separates them.
func (b Blocks) mulLanes(dst, v [][]float64, pool scratch.Lender) {
	n := len(b.Own)
	space := scratch.BorrowOf[simd.Lanes](pool, 2*n+b.Space)
	defer pool.Put(space)
	in, out := (*space)[:n], (*space)[n:2*n]
	for i, s := range b.Own {
		in[i] = simd.Lanes{}
		for m := range v {
			in[i][m] = v[m][i]
		}
		for m, x := range in[i] {
			out[i][m] = float64(s * x)
		}
	}
	b.Four(out, in, (*space)[2*n:])
	for m, to := range dst {
		for i := range out {
			to[i] = out[i][m]
		}
	}
}
