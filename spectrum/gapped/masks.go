package gapped

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// Any h is Σ_s a_s C(l−m, s), and C(l−m, s) the number of choices of s positions on which two k-mers at distance m
// agree. So the kernel is
//
//	Σ_s a_s Σ_{|S| = s} (number of pairs of k-mers that agree on the positions S)
//
// a sum of spectrum kernels, one for each mask S with a_s ≠ 0: C(l, k) masks for uncut gapped k-mers, and C(l, 0) + … +
// C(l, d) for an h that is cut at d, which needs s ≥ l − d only. With both strands a mask and its mirror image count
// the same pairs, and one of them suffices.

const (
	maxMasks = 1 << 14 // choices of positions, mirror images included
	// maxCancellation bounds the size of the terms of a sum over masks by that of the sum. The error of a kernel value,
	// relative to √(k(x,x)k(y,y)), was never seen above 2e-14 times that: below 1e-6 in any case. It is at most 320,000
	// for the filters within the other limits.
	maxCancellation = 1e7
)

// check returns an error unless there is an engine for k-mers beyond the table. The k-mers' letters are counted in Gram
// and Merge, which refuse more memory than maxMaskBytes.
func (e *engine) check() error {
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
	count, l := 0.0, len(e.parts)-1
	for s, a := range e.parts {
		if a != 0 {
			count += choices(l, s)
		}
	}
	return count
}

// cancellation returns Σ_s |a_s| C(l, s) / h(0): how much larger the terms of h(0) are than their sum, and rounding
// errors than those of counts of pairs.
func (e *engine) cancellation() float64 {
	sum, l := 0.0, len(e.parts)-1
	for s, a := range e.parts {
		sum += float64(max(a, -a) * choices(l, s))
	}
	return sum / e.h[0]
}

// choices returns C(n, k).
func choices(n, k int) float64 {
	c := 1.0
	for i := range min(k, n-k) {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
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
	for s, a := range e.parts {
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

// sharer numbers masked k-mers.
type sharer struct {
	table hash.Table
	ids   []uint32 // by k-mer
}

var sharers = sync.Pool{New: func() any { return new(sharer) }}

func borrowSharer() *sharer { return sharers.Get().(*sharer) }

// index lists the k-mers that documents share under a mask, and adds the squares of the others to own.
func (s *sharer) index(ctx context.Context, list *kmerList, m mask, own []float64) maskIndex {
	s.numberKmers(ctx, list.codes, m)
	sizes, lo := make([]int, len(list.ends)), 0
	for i, hi := range list.ends {
		sizes[i], lo = hi-lo, hi
	}
	all, _ := table.NewList(s.table.Len(), sizes, list.weights != nil)
	for j, id := range s.ids {
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
func (s *sharer) numberKmers(ctx context.Context, codes []uint64, m mask) {
	s.ids = s.ids[:0]
	s.table.Reset(len(codes) + len(codes)/2)
	for _, code := range cancel.All(ctx, codes) {
		s.ids = append(s.ids, s.table.Number(code&m.letters))
	}
}
