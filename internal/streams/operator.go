package streams

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Operator is the matrix K = diag(Own) + Σ_t K_t over trees. Its methods may be called from several goroutines at once.
type Operator struct {
	Own   []float64 // per document: what is on the diagonal only
	Trees []*Tree

	vectors, blocks sync.Pool // of *[]float64 and *[]lane4
}

// space returns the scratch that the largest tree needs.
func (o *Operator) space() int {
	most := 0
	for _, t := range o.Trees {
		most = max(most, t.space())
	}
	return most
}

// Len returns the number of documents n.
func (o *Operator) Len() int { return len(o.Own) }

// MulVecTo writes K·v into dst, n entries each, tree by tree. dst and v must not overlap.
func (o *Operator) MulVecTo(dst, v []float64) {
	space := scratch.Borrow(&o.vectors, o.space())
	defer o.vectors.Put(space)
	for i, s := range o.Own {
		dst[i] = float64(s * v[i])
	}
	for _, t := range o.Trees {
		t.addProduct(dst, v, *space)
	}
}

// RowTo writes column i of K into dst: the product with a unit vector.
func (o *Operator) RowTo(dst []float64, i int) {
	unit := scratch.Borrow(&o.vectors, o.Len())
	defer o.vectors.Put(unit)
	clear(*unit)
	(*unit)[i] = 1
	o.MulVecTo(dst, *unit)
}

// MulBlockTo writes K·v[m] into dst[m] for every m, to the same bits as MulVecTo: four vectors in each pass over the
// trees; few that are left, one by one.
func (o *Operator) MulBlockTo(dst, v [][]float64) {
	for len(v) >= lanePasses.least {
		width := min(lanes, len(v))
		o.mulLanes(dst[:width], v[:width])
		dst, v = dst[width:], v[width:]
	}
	for m := range v {
		o.MulVecTo(dst[m], v[m])
	}
}

// mulLanes interleaves up to four vectors, multiplies and separates them.
func (o *Operator) mulLanes(dst, v [][]float64) {
	n := o.Len()
	space := scratch.BorrowOf[lane4](&o.blocks, 2*n+o.space())
	defer o.blocks.Put(space)
	in, out, c := (*space)[:n], (*space)[n:2*n], (*space)[2*n:]
	for i, s := range o.Own {
		in[i] = lane4{}
		for m := range v {
			in[i][m] = v[m][i]
		}
		for m, x := range in[i] {
			out[i][m] = float64(s * x)
		}
	}
	for _, t := range o.Trees {
		t.addProducts(&lanePasses, out, in, c)
	}
	for m, to := range dst {
		for i := range out {
			to[i] = out[i][m]
		}
	}
}
