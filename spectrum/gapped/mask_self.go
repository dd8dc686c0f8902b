package gapped

import (
	"context"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// k(x, x) of k-mers that are not of nucleotides takes O(|x|²) by pairs. Where few masks of few letters make up h, as
// for gapped k-mers on proteins, it is Σ_S a_S Σ_f c_f² with the counts c_f of the masked k-mers f in x: two walks of x
// for each mask. Both ways count in whole numbers; masks are taken where h and its parts are whole numbers too, so that
// both have the same bits. Through a function c_f is the sum of the weights of the k-mers.

const (
	mostSelfBits  = 20 // of the letters of a mask: its counts take 4 MB
	mostSelfMasks = 1024
	exactWhole    = 1 << 53
	littleLost    = 10 // size of the terms of a sum by that of the sum
	// maskedPair is how many pairs of k-mers take as long as a k-mer under a mask: 1 where counts are in a near cache,
	// 3 at 20 bits.
	maskedPair = 3
)

// selfMask is a mask for k(x, x).
type selfMask struct {
	drawn  []drawn
	size   int // of the counts
	weight float64
}

// listSelfMasks fills in the masks for k(x, x), none where pairs have to be counted.
func (e *engine) listSelfMasks() {
	if e.rc || e.wide() || e.centre.peak > 0 || e.coder.fold == 2 || e.maskCount() > mostSelfMasks {
		return
	}
	for _, values := range [][]float64{e.h, e.parts} {
		for _, v := range values {
			if v != math.Trunc(v) {
				return
			}
		}
	}
	for s := range e.parts {
		if e.parts[s] != 0 && s*e.coder.fold > mostSelfBits {
			return
		}
	}
	for _, m := range e.masks() {
		e.selfMasks = append(e.selfMasks, selfMask{draw(m.letters), 1 << (m.size * e.coder.fold), m.weight})
	}
}

// masksCountSelf reports whether k(x, x) of that many k-mers is faster counted by masks, in sums that are exact or,
// through a function, lose no digits.
func (e *engine) masksCountSelf(kmers int) bool {
	n := float64(kmers)
	if len(e.selfMasks) == 0 || float64(maskedPair*len(e.selfMasks)) >= n/2 {
		return false
	}
	return e.counted() && e.cancellation() < littleLost || !e.counted() && n*n*e.h[0]*e.cancellation() < exactWhole
}

var selfCounts = sync.Pool{New: func() any { return new([]uint32) }} // zeros

// selfByMasks adds up the squares of the counts of masked k-mers: one more than c adds 2c + 1.
func (e *engine) selfByMasks(ctx context.Context, codes []uint64) float64 {
	pooled := selfCounts.Get().(*[]uint32)
	defer selfCounts.Put(pooled)
	total := 0.0
	for _, m := range e.selfMasks {
		cancel.Check(ctx) // while all counts are 0
		if len(*pooled) < m.size {
			*pooled = make([]uint32, m.size)
		}
		counts, sum := (*pooled)[:m.size], uint64(0)
		for _, code := range codes {
			c := &counts[together(code, m.drawn)]
			sum += 2*uint64(*c) + 1
			*c++
		}
		for _, code := range codes {
			counts[together(code, m.drawn)] = 0
		}
		total += float64(m.weight * float64(sum))
	}
	return total
}

var selfWeights = sync.Pool{New: func() any { return new([]float64) }} // zeros

// selfByMasksWeighed is selfByMasks of k-mers with weights: a more than c adds a(c + c + a).
func (e *engine) selfByMasksWeighed(ctx context.Context, w *kmers) float64 {
	pooled := selfWeights.Get().(*[]float64)
	defer selfWeights.Put(pooled)
	total := 0.0
	for _, m := range e.selfMasks {
		cancel.Check(ctx) // while all sums are 0
		if len(*pooled) < m.size {
			*pooled = make([]float64, m.size)
		}
		sums, squares := (*pooled)[:m.size], 0.0
		for i, code := range w.codes {
			c, a := &sums[together(code, m.drawn)], w.weights[i]
			squares += float64(a * (*c + *c + a))
			*c += a
		}
		for _, code := range w.codes {
			sums[together(code, m.drawn)] = 0
		}
		total += float64(m.weight * squares)
	}
	return total
}
