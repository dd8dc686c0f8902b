package tree

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Gram is the implicit matrix K = diag(own) + Σ over nodes that several documents have: a [stringkernel.Gram]. Its
// methods may be called from several goroutines at once.
type Gram struct {
	Diagonal []float64 // K_ii; the caller of Index.Gram fills it

	own     []float64 // per document: what is on the diagonal only
	shared  *flatTree
	vectors sync.Pool // of *[]float64
}

// Len returns the number of documents n.
func (g *Gram) Len() int { return len(g.own) }

// Diag copies the diagonal. O(n).
func (g *Gram) Diag(dst []float64) { copy(dst[:len(g.own)], g.Diagonal) }

// MulVecTo writes K·v into dst, n entries each. dst and v must not overlap.
func (g *Gram) MulVecTo(dst, v []float64) {
	space := scratch.Borrow(&g.vectors, g.shared.space())
	defer g.vectors.Put(space)
	for i, s := range g.own {
		dst[i] = float64(s * v[i])
	}
	g.shared.addProduct(dst, v, *space)
}

// Row writes column i of K into dst: the product with a unit vector.
func (g *Gram) Row(dst []float64, i int) {
	unit := scratch.Borrow(&g.vectors, g.Len())
	defer g.vectors.Put(unit)
	clear(*unit)
	(*unit)[i] = 1
	g.MulVecTo(dst, *unit)
}
