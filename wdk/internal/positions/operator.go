package positions

import (
	"runtime"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/internal/vectors"
	engine "github.com/seqsvm/seqsvm/stringkernel/engine/tree"
)

// Operator is the matrix K = diag(Own) + Σ_t K_t over trees. Its methods may be called from several goroutines at once.
//
// Products use all processors that Go may use. Trees are divided into up to 16 parts, a task for each, which spreads
// and gathers one tree after another: what is met at random, the slots of a tree, stays in the cache of one processor.
// Each part has its sums per document, and these are added in the order of the parts. Their number depends on that of
// the trees alone, and so do the bits.
type Operator struct {
	Own   []float64 // per document: what is on the diagonal only
	Trees []Tree

	vectors, blocks space
}

// space is what products need: slots of a tree, and sums of documents. Pools of *[]float64, or of *[]simd.Lanes.
type space struct{ slots, sums scratch.Kept }

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
	walks[float64]{Tree.spread, Tree.gather, vectors.Add[float64]}.add(o, &o.vectors, dst, v[:o.Len()])
}

// MulBlockTo writes K·v[m] into dst[m] for every m, to the same bits as MulVecTo: four vectors in each pass over the
// trees; one or two that are left, one by one.
func (o *Operator) MulBlockTo(dst, v [][]float64) {
	engine.Blocks{
		Own: o.Own, Least: leastLanes, One: o.MulVecTo,
		Four: func(dst, v, _ []simd.Lanes) {
			walks[simd.Lanes]{Tree.spread4, Tree.gather4, simd.AddLanes}.add(o, &o.blocks, dst, v)
		},
	}.MulBlockTo(dst, v, &o.blocks.sums)
}

const (
	leastLanes = 3 // vectors that a pass for four is worth

	mostParts = 16      // of the trees
	serial    = 1 << 17 // leaves, below which a product runs on one processor
	atOnce    = 2       // parts for each processor, whose sums are kept until they are added
)

// walks are the two walks over a tree, for vectors of numbers or of blocks of them.
type walks[T any] struct {
	spread func(t Tree, c, v []T)
	gather func(t Tree, dst, c []T)
	sum    func(dst, v []T) // adds v to dst
}

// add adds the products of all trees to dst.
func (w walks[T]) add(o *Operator, s *space, dst, v []T) {
	n, parts, processors := o.Len(), min(mostParts, len(o.Trees)), runtime.GOMAXPROCS(0)
	if n*len(o.Trees) < serial || processors == 1 {
		sums := scratch.BorrowOf[T](&s.sums, n)
		defer s.sums.Put(sums)
		for part := range parts {
			w.part(o, s, *sums, v, part, parts)
			w.sum(dst, *sums)
		}
		return
	}
	most := min(atOnce*processors, parts)
	sums := scratch.BorrowOf[T](&s.sums, most*n)
	defer s.sums.Put(sums)
	for first := 0; first < parts; first += most {
		round := min(most, parts-first)
		parallel.Each(round, func(i int) { w.part(o, s, (*sums)[i*n:][:n], v, first+i, parts) })
		parallel.For(n, func(lo, hi int) {
			for i := range round {
				w.sum(dst[lo:hi], (*sums)[i*n:][lo:hi])
			}
		})
	}
}

// part writes the products of one part of the trees into sums.
func (w walks[T]) part(o *Operator, s *space, sums, v []T, part, parts int) {
	slots := scratch.BorrowOf[T](&s.slots, o.slots())
	defer s.slots.Put(slots)
	clear(sums)
	for _, t := range o.Trees[part*len(o.Trees)/parts : (part+1)*len(o.Trees)/parts] {
		c := (*slots)[:t.Slots()]
		w.spread(t, c, v)
		w.gather(t, sums, c)
	}
}
