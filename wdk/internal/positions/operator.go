package positions

import (
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
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

	slotted, sums sync.Pool // of *[]float64: slots of a tree, and sums of documents
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
	o.add(dst, v[:o.Len()])
}

const (
	mostParts = 16      // of the trees
	serial    = 1 << 17 // leaves, below which a product runs on one processor
	atOnce    = 2       // parts for each processor, whose sums are kept until they are added
)

// add adds the products of all trees to dst.
func (o *Operator) add(dst, v []float64) {
	n, parts, processors := o.Len(), min(mostParts, len(o.Trees)), runtime.GOMAXPROCS(0)
	if n*len(o.Trees) < serial || processors == 1 {
		sums := scratch.Borrow(&o.sums, n)
		defer o.sums.Put(sums)
		for part := range parts {
			o.part(*sums, v, part, parts)
			vectors.Add(dst, *sums)
		}
		return
	}
	most := min(atOnce*processors, parts)
	sums := scratch.Borrow(&o.sums, most*n)
	defer o.sums.Put(sums)
	for first := 0; first < parts; first += most {
		round := min(most, parts-first)
		parallel.Each(round, func(i int) { o.part((*sums)[i*n:][:n], v, first+i, parts) })
		parallel.For(n, func(lo, hi int) {
			for i := range round {
				vectors.Add(dst[lo:hi], (*sums)[i*n:][lo:hi])
			}
		})
	}
}

// part writes the products of one part of the trees into sums.
func (o *Operator) part(sums, v []float64, part, parts int) {
	slots := scratch.Borrow(&o.slotted, o.slots())
	defer o.slotted.Put(slots)
	clear(sums)
	for _, t := range o.Trees[part*len(o.Trees)/parts : (part+1)*len(o.Trees)/parts] {
		c := (*slots)[:t.Slots()]
		t.spread(c, v)
		t.gather(sums, c)
	}
}
