package positions

import (
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/streams"
)

// Operator is the matrix K = diag(Own) + Σ_t K_t over trees. Its methods may be called from several goroutines at once.
//
// Products use all processors that Go may use: trees are spread in groups, a tree for each task, and the documents of a
// group gathered, a range of them for each task. A document adds up its trees in their order, whatever the groups are.
type Operator struct {
	Own   []float64 // per document: what is on the diagonal only
	Trees []Tree

	vectors, blocks sync.Pool // of *[]float64 and *[]simd.Lanes
}

// Len returns the number of documents n.
func (o *Operator) Len() int { return len(o.Own) }

// slots returns the size of the largest tree.
func (o *Operator) slots() int {
	most := 0
	for _, t := range o.Trees {
		most = max(most, t.Slots())
	}
	return most
}

// MulVecTo writes K·v into dst, n entries each. dst and v must not overlap.
func (o *Operator) MulVecTo(dst, v []float64) {
	for i, s := range o.Own {
		dst[i] = float64(s * v[i])
	}
	eachGroup(o, &o.vectors, Tree.spread, Tree.gather, dst, v[:o.Len()])
}

// MulBlockTo writes K·v[m] into dst[m] for every m, to the same bits as MulVecTo: four vectors in each pass over the
// trees; one or two that are left, one by one.
func (o *Operator) MulBlockTo(dst, v [][]float64) {
	streams.Blocks{
		Own: o.Own, Least: leastLanes, One: o.MulVecTo,
		Four: func(dst, v, _ []simd.Lanes) { eachGroup(o, &o.blocks, Tree.spread4, Tree.gather4, dst, v) },
	}.MulBlockTo(dst, v, &o.blocks)
}

const (
	leastLanes = 3 // vectors that a pass for four is worth

	serial  = 1 << 15 // leaves, below which a product runs on one processor
	perTask = 1 << 14 // leaves at least that a task spreads
)

// eachGroup adds the products of all trees to dst.
func eachGroup[T any](o *Operator, pool *sync.Pool, spread func(t Tree, c, v []T),
	gather func(t Tree, dst, c []T, lo, hi int), dst, v []T,
) {
	n, slots, size := o.Len(), o.slots(), 1
	if workers := runtime.GOMAXPROCS(0); workers > 1 && n*len(o.Trees) >= serial {
		size = min(workers*(1+perTask/n), len(o.Trees))
	}
	space := scratch.BorrowOf[T](pool, size*slots)
	defer pool.Put(space)
	slotsOf := func(i int, t Tree) []T { return (*space)[i*slots:][:t.Slots()] }
	for trees := o.Trees; len(trees) > 0; {
		group := trees[:min(size, len(trees))]
		trees = trees[len(group):]
		if size == 1 {
			c := slotsOf(0, group[0])
			spread(group[0], c, v)
			gather(group[0], dst, c, 0, n)
			continue
		}
		parallel.Each(len(group), func(i int) { spread(group[i], slotsOf(i, group[i]), v) })
		parallel.For(n, func(lo, hi int) {
			for i, t := range group {
				gather(t, dst, slotsOf(i, t), lo, hi)
			}
		})
	}
}
