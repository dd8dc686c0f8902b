package gapped

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// Every h is a sum over masks, one for each choice of positions: see the package comment, k-mers beyond the table. Here
// is which masks a kernel has, whether they are few enough, and the k-mers of a corpus listed under one.

const (
	maxMasks = 1 << 14 // choices of positions, mirror images included
	// maxCancellation bounds the size of the terms of a sum over masks by that of the sum. The error of a kernel value,
	// relative to √(k(x,x)k(y,y)), was never seen above 2e-14 times that: below 1e-6 in any case. It is at most 320,000
	// for the filters within the other limits.
	maxCancellation = 1e7
)

// checkMasks returns an error if k-mers are beyond the table and masks too many, or their sum too inexact. How much
// memory a corpus takes is checked in Gram and Merge.
func (e *engine) checkMasks() error {
	if e.tabular() || e.wide() {
		return nil
	}
	kmers := fmt.Sprintf("%d^%d k-mers exceed a table of %d", e.coder.sigma, e.coder.length, maxTable)
	if n := e.maskCount(); n > maxMasks {
		return fmt.Errorf("%s, and a sum over %.0f choices of positions is too long, want at most %d: take %s",
			kmers, n, maxMasks, e.remedy)
	}
	if c := e.cancellation(); c > maxCancellation {
		return fmt.Errorf("%s, and a sum over choices of positions has terms %.1g times the result,"+
			" want at most %.1g for an error of 1e-7: take %s", kmers, c, float64(maxCancellation), e.remedy)
	}
	return nil
}

// listable reports whether the kernel is a sum over masks that can be taken.
func (e *engine) listable() bool {
	return e.maskCount() <= maxMasks && e.cancellation() <= maxCancellation
}

// maskCount returns the number of masks, mirror images included.
func (e *engine) maskCount() float64 {
	count, l := 0.0, len(e.bySize)-1
	for s, a := range e.bySize {
		if a != 0 {
			count += elementary.Choices(l, s)
		}
	}
	return count
}

// cancellation returns Σ_s |a_s| C(l, s) / h(0): how much larger the terms of h(0) are than their sum, and rounding
// errors than those of counts of pairs.
func (e *engine) cancellation() float64 {
	sum, l := 0.0, len(e.bySize)-1
	for s, a := range e.bySize {
		sum += float64(max(a, -a) * elementary.Choices(l, s))
	}
	return sum / e.h[0]
}

// eachChoice calls visit for each choice of s of l ≤ 32 positions, as bits, ascending.
func eachChoice(l, s int, visit func(positions uint64)) {
	if s == 0 {
		visit(0)
		return
	}
	for p := uint64(1)<<s - 1; p < 1<<l; {
		visit(p)
		low := p & -p // the next number with as many bits
		next := p + low
		p = next | (p^next)>>2/low
	}
}

// mask is a choice of positions.
type mask struct {
	letters uint64  // all bits of the letters chosen, of a packed k-mer
	weight  float64 // a_s, doubled if it includes its mirror image
}

// masks returns the masks of h, by size.
func (e *engine) masks() []mask {
	var list []mask
	l := e.coder.length
	for s, a := range e.bySize {
		if a == 0 {
			continue
		}
		eachChoice(l, s, func(positions uint64) {
			weight := a
			if e.rc {
				switch mirrored := bits.Reverse64(positions) >> (64 - l); {
				case mirrored < positions:
					return
				case mirrored > positions:
					weight *= 2
				}
			}
			list = append(list, mask{e.coder.spread(positions), weight})
		})
	}
	return list
}

// eachSize calls visit with the number of one mask of each size, from the middle of those, and how many there are: what
// they have in common is estimated from it.
func eachSize(masks []mask, visit func(typical, count int)) {
	for i := 0; i < len(masks); {
		last := i
		for last < len(masks) && bits.OnesCount64(masks[last].letters) == bits.OnesCount64(masks[i].letters) {
			last++
		}
		visit((i+last)/2, last-i)
		i = last
	}
}

// kmerList is the k-mers of all documents, of both strands if both count.
type kmerList struct {
	codes   []uint64
	weights []weight // nil if all are 1
	values  weighing
	ends    []int
}

func listKmers(ctx context.Context, e *engine, c *stringkernel.Corpus) *kmerList {
	list := &kmerList{values: e.weights, ends: make([]int, c.Len())}
	for i := range c.Len() {
		cancel.Check(ctx)
		e.eachWeighed(c.Seq(i), func(packed uint64, w weight) {
			list.codes = append(list.codes, packed)
			if e.rc {
				list.codes = append(list.codes, e.coder.reverseComplement(packed))
			}
			for !e.uniform() && len(list.weights) < len(list.codes) {
				list.weights = append(list.weights, w)
			}
		})
		list.ends[i] = len(list.codes)
	}
	return list
}

// maskIndex lists the masked k-mers that documents share.
type maskIndex struct {
	weight float64
	list   *table.List
}

// bytes returns the size of the index.
func (x *maskIndex) bytes() float64 { return float64(4*x.list.Entries() + 8*x.list.Len()) }

// numberer numbers masked k-mers.
type numberer struct {
	table hash.Table
	ids   []uint32 // by k-mer
}

var numbererPool = sync.Pool{New: func() any { return new(numberer) }}

// index lists the k-mers that documents share under a mask, and adds the squares of the others to own.
func (n *numberer) index(ctx context.Context, list *kmerList, m mask, own []float64) maskIndex {
	n.numberKmers(ctx, list.codes, m)
	sizes, lo := make([]int, len(list.ends)), 0
	for i, hi := range list.ends {
		sizes[i], lo = hi-lo, hi
	}
	all, _ := table.NewList(n.table.Len(), sizes, list.weights != nil)
	for j, id := range n.ids {
		if list.weights != nil {
			all.Put(j, id, uint32(list.weights[j]))
		} else {
			all.Put(j, id, 1)
		}
	}
	all.Weigh(func(w uint32) float64 { return list.values.of(weight(w)) })
	shared, squares := all.Shared(ctx)
	for i, square := range squares {
		own[i] += float64(m.weight * square)
	}
	return maskIndex{m.weight, shared}
}

// numberKmers numbers the masked k-mers in order of first meeting.
func (n *numberer) numberKmers(ctx context.Context, codes []uint64, m mask) {
	n.ids = n.ids[:0]
	n.table.Reset(len(codes) + len(codes)/2)
	for _, code := range cancel.All(ctx, codes) {
		n.ids = append(n.ids, n.table.Number(code&m.letters))
	}
}
