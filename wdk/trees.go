package wdk

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
	"github.com/seqsvm/seqsvm/wdk/internal/positions"
)

// The product K·v is a sum over positions p of products on the tree of the k-mers that begin there, P_p, with the
// position's weight T_pp. A pair of positions p < q, s apart, has a tree of the k-mers at both, J_pq, with two leaves
// per window. It also counts the matches of each position with itself, so
//
//	K = unit · ( Σ_p T_pp P_p + Σ_{p<q} T_pq (J_pq − P_p − P_q) )
//	  = unit · ( Σ_p (T_pp − Σ_{q≠p} T_pq) P_p + Σ_{p<q} T_pq J_pq ).

// newOperator builds the trees of all positions and shifts: O(n L (S + 1)) time.
func newOperator(ctx context.Context, k Kernel, c *stringkernel.Corpus, length int) *positions.Operator {
	b := &treeBuilder{kernel: k, corpus: c, length: length, own: make([]float64, c.Len())}
	b.add(ctx, 0, func(p int) float64 { return k.alone(p, length) })
	b.space = sync.Pool{} // trees of two positions have twice as many k-mers
	for s := 1; s <= min(k.Shift, length-1); s++ {
		b.add(ctx, s, func(p int) float64 { return k.pair(p, s) })
	}
	return &positions.Operator{Own: b.own, Trees: b.trees}
}

// alone returns T_pp − Σ_{q≠p} T_pq.
func (k Kernel) alone(p, length int) float64 {
	weight := k.pair(p, 0)
	for s := 1; s <= min(k.Shift, length-1); s++ {
		if p+s < length {
			weight -= k.pair(p, s)
		}
		if p-s >= 0 {
			weight -= k.pair(p-s, s)
		}
	}
	return weight
}

// treeBuilder builds trees, and sums up the diagonal of the matrix.
type treeBuilder struct {
	kernel Kernel
	corpus *stringkernel.Corpus
	length int
	trees  []positions.Tree
	own    []float64
	space  sync.Pool // of *built
}

// built is a tree with its part of the diagonal, and the scratch space used to build it.
type built struct {
	tree       positions.Tree
	own, omega []float64
	leaf       []int32 // places for each window
	words      suffix.Tree
	builder    positions.Builder
}

// add builds the trees of a shift, from right to left; weight returns the weight of positions p and p + s.
func (b *treeBuilder) add(ctx context.Context, s int, weight func(p int) float64) {
	offsets := []int{0, s}
	if s == 0 {
		offsets = offsets[:1]
	}
	sweep(ctx, b.kernel, b.corpus, b.length, offsets,
		func(p int, w sorted) *built {
			if p+s >= b.length || weight(p) == 0 {
				return nil
			}
			return b.build(ctx, weight(p)*b.kernel.unit(), w)
		},
		func(_ int, d *built) {
			if d == nil {
				return
			}
			b.trees = append(b.trees, d.tree)
			vectors.Add(b.own, d.own)
			d.tree = nil
			b.space.Put(d)
		})
}

// build builds the tree of the k-mers at one position, or at two: k-mers i and n + i are then those of window i.
func (b *treeBuilder) build(ctx context.Context, weight float64, words sorted) *built {
	n, count := b.corpus.Len(), len(words.ranks)
	d, _ := b.space.Get().(*built)
	if d == nil {
		d = &built{own: make([]float64, n), leaf: make([]int32, count)}
	}
	t := &d.words
	if err := t.FromLCP(ctx, words.lcp); err != nil {
		cancel.Check(ctx) // there is no other error
	}
	d.omega = append(d.omega[:0], 0)
	for v := 1; v < t.Len(); v++ {
		letters := b.kernel.upTo(int(t.Depth[v])) - b.kernel.upTo(int(t.Depth[t.Parent[v]]))
		d.omega = append(d.omega, float64(weight*float64(letters)))
	}
	clear(d.own)
	places := count / n
	for r, i := range words.ranks {
		doc, leaf := int(i)%n, t.Leaf[r]
		d.leaf[doc*places+int(i)/n] = leaf
		letters := b.kernel.upTo(int(words.lengths[i])) - b.kernel.upTo(int(t.Depth[leaf]))
		d.own[doc] += float64(weight * float64(letters))
	}
	d.tree = d.builder.Tree(ctx, positions.Shape{Parent: t.Parent, Omega: d.omega, Leaf: d.leaf, Places: places})
	return d
}
