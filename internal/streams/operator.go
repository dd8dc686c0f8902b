package streams

import (
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
)

// Operator is the matrix K = diag(Own) + Σ_t K_t over trees. Its methods may be called from several goroutines at once.
type Operator struct {
	Own   []float64 // per document: what is on the diagonal only
	Trees []*Tree

	vectors, blocks scratch.Kept // of *[]float64 and *[]simd.Lanes
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
	Blocks{
		Own: o.Own, Least: simd.LeastLanes(), Space: o.space(), One: o.MulVecTo,
		Four: func(dst, v, space []simd.Lanes) {
			for _, t := range o.Trees {
				t.addProducts(dst, v, space)
			}
		},
	}.MulBlockTo(dst, v, &o.blocks)
}
