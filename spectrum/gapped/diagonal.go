package gapped

import (
	"context"
	"math/bits"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/spectrum/gapped/internal/bitslice"
)

// Pairs of k-mers of nucleotides are counted by distance along diagonals: the distances of the k-mers at i and i + s,
// for 64 letters i at a time, are sums of l neighbouring bits of the mismatches of x and x shifted by s. Letters are
// kept in two planes of bits, and sums too are bit-sliced: plane p holds bit p of every sum. An exclusive or, some
// additions of planes and a popcount per distance that matters give 65 − l pairs at once.

// diagonal reports whether pairs can be counted along diagonals: k-mers of nucleotides that weigh all the same.
func (e *engine) diagonal() bool { return e.coder.bits == 2 && e.uniform() && e.alike == nil }

// evalDiagonals is eval.
func (e *engine) evalDiagonals(x, y []byte) float64 {
	d := borrowDiagonals(e.coder.length, e.reach)
	defer diagonalPool.Put(d)
	d.x.lay(&e.coder, x, false, 0)
	d.y.lay(&e.coder, y, false, d.span-1)
	d.between(&d.x, &d.y)
	if e.rc {
		d.y.lay(&e.coder, y, true, d.span-1)
		d.between(&d.x, &d.y)
	}
	counts := make([]float64, len(e.h))
	for m := range e.reach + 1 {
		counts[m] = float64(d.counts[m])
	}
	return e.total(counts)
}

// selfEvalDiagonals is selfEval.
func (e *engine) selfEvalDiagonals(ctx context.Context, x []byte) float64 {
	d := borrowDiagonals(e.coder.length, e.reach)
	defer diagonalPool.Put(d)
	d.x.lay(&e.coder, x, false, 0)
	d.within(ctx, &d.x)
	if e.rc {
		d.opposite.lay(&e.coder, x, true, d.span-1)
		d.across(ctx, &d.x, &d.opposite)
	}
	counts := make([]float64, len(e.h))
	for m := range e.reach + 1 {
		counts[m] = 2 * float64(d.counts[m])
	}
	for _, packed := range e.coder.kmers.All(x) {
		counts[0]++
		if e.rc {
			counts[e.coder.distance(packed, e.coder.reverseComplement(packed))]++
		}
	}
	return e.total(counts)
}

// stretch is 64 places of a sequence, bit t for the t-th of them. Letters outside the alphabet, and places before or
// after the sequence, are zeros.
type stretch struct {
	low, high uint64 // planes of the codes
	kmers     uint64 // whether a k-mer begins here
}

// strand holds the stretches of a sequence that begin at its k-mers, and at some places before the first.
type strand struct {
	stretches []stretch
	before    int
}

// lay fills in the strand of x, or of its reverse complement, and of some places before it.
func (t *strand) lay(c *coder, x []byte, opposite bool, before int) {
	t.stretches, t.before = t.stretches[:0], before
	places := len(x) - c.length + 1
	if places <= 0 {
		return
	}
	t.stretches = scratch.Resize(t.stretches, before+places)
	var w stretch
	run := 0
	for p := len(x) - 1; p >= 0; p-- {
		b := x[p]
		if opposite {
			b = x[len(x)-1-p]
		}
		code, mer := uint64(0), uint64(0)
		if d := c.kmers.Letter[b]; d >= 0 {
			code = uint64(d)
			if opposite {
				code = 3 - code
			}
			if run++; run >= c.length {
				mer = 1
			}
		} else {
			run = 0
		}
		w = stretch{w.low<<1 | code&1, w.high<<1 | code>>1, w.kmers<<1 | mer}
		if p < places {
			t.stretches[before+p] = w
		}
	}
	for p := before - 1; p >= 0; p-- {
		w = stretch{w.low << 1, w.high << 1, w.kmers << 1}
		t.stretches[p] = w
	}
}

// kmers returns the number of places of k-mers, those that are broken included.
func (t *strand) kmers() int { return max(0, len(t.stretches)-t.before) }

// diagonals counts pairs of k-mers by distance, up to the greatest distance that matters.
type diagonals struct {
	length int
	span   int // pairs per step
	limit  int // distances beyond are not counted
	counts [4 * quads]uint64

	x, y, opposite strand
}

const quads = 9 // distances are counted in fours: 0 … 35

var diagonalPool = sync.Pool{New: func() any { return new(diagonals) }}

// borrowDiagonals returns a counter at zero. It goes back to diagonalPool.
func borrowDiagonals(length, limit int) *diagonals {
	d := diagonalPool.Get().(*diagonals)
	d.length, d.span, d.limit = length, 65-length, limit
	clear(d.counts[:])
	return d
}

// within counts each pair of different places of x once.
func (d *diagonals) within(ctx context.Context, x *strand) {
	for base := 0; base < x.kmers(); base += d.span {
		cancel.Check(ctx)
		d.step(x.stretches[x.before+base], x.stretches[x.before+base+1:], 2*d.span, 0)
	}
}

// across counts for each pair of different places of x once the distance of the one k-mer from the reverse complement
// of the other, which is the same for both. With n places, k-mer p of the opposite strand is the reverse complement of
// k-mer n−1−p, so that the pairs (i, p) with i < n−1−p are the first half of each diagonal. The opposite strand begins
// at least span − 1 places before its first k-mer.
func (d *diagonals) across(ctx context.Context, x, opposite *strand) {
	n, early := x.kmers(), d.span-1
	for base := 0; base < n; base += d.span {
		cancel.Check(ctx)
		rights := opposite.stretches[opposite.before-early : opposite.before+n-base]
		d.step(x.stretches[x.before+base], rights, n-1-base+early, 1)
	}
}

// between counts all pairs of a k-mer of x and one of y; y begins at least span − 1 places before its first k-mer.
func (d *diagonals) between(x, y *strand) {
	from := y.before - d.span + 1
	for base := 0; base < x.kmers(); base += d.span {
		d.step(x.stretches[x.before+base], y.stretches[from:], 2*d.span, 0)
	}
}

// step counts the pairs of left and each stretch of rights at the first span bits, and at less than half of remaining
// bits; remaining decreases by shrink from stretch to stretch.
func (d *diagonals) step(left stretch, rights []stretch, remaining, shrink int) {
	if d.limit < 4 {
		d.stepNear(left, rights, remaining, shrink)
		return
	}
	for i := range rights {
		right := &rights[i]
		keep := left.kmers & right.kmers & (1<<min(d.span, (remaining+1)>>1) - 1)
		remaining -= shrink
		b0, b1, b2, b3, b4, b5 := bitslice.Sums((left.low^right.low)|(left.high^right.high), d.length)
		for q := 0; 4*q <= d.limit; q++ {
			near := quarter(keep, q, b2, b3, b4, b5)
			d.add(q, near, b0, b1)
		}
	}
}

// eachNear calls visit for each pair of different places i < j of x whose k-mers are no further apart than the limit.
func (d *diagonals) eachNear(x *strand, visit func(i, j int)) {
	for base := 0; base < x.kmers(); base += d.span {
		d.near(x.stretches[base], x.stretches[base+1:], 2*d.span, 0, func(lane, right int) {
			visit(base+lane, base+lane+1+right)
		})
	}
}

// eachNearOpposite calls visit for each pair of different places i < j of x, where the k-mer at i and the reverse
// complement of that at j are no further apart than the limit: see across.
func (d *diagonals) eachNearOpposite(x, opposite *strand, visit func(i, j int)) {
	n, early := x.kmers(), d.span-1
	for base := 0; base < n; base += d.span {
		rights := opposite.stretches[opposite.before-early : opposite.before+n-base]
		d.near(x.stretches[base], rights, n-1-base+early, 1, func(lane, right int) {
			visit(base+lane, n-1-(right-early+lane))
		})
	}
}

// near is step for pairs one by one: it calls visit with the lane and the number of the right stretch.
func (d *diagonals) near(left stretch, rights []stretch, remaining, shrink int, visit func(lane, right int)) {
	for i := range rights {
		right := &rights[i]
		equal := left.kmers & right.kmers & (1<<min(d.span, (remaining+1)>>1) - 1)
		remaining -= shrink
		b0, b1, b2, b3, b4, b5 := bitslice.Sums((left.low^right.low)|(left.high^right.high), d.length)
		below := uint64(0) // of the lanes left, those whose higher bits are below, or equal to, those of the limit
		for p, plane := range [...]uint64{b5, b4, b3, b2, b1, b0} {
			if d.limit>>(5-p)&1 != 0 {
				below |= equal &^ plane
				equal &= plane
			} else {
				equal &^= plane
			}
		}
		for lanes := below | equal; lanes != 0; lanes &= lanes - 1 {
			visit(bits.TrailingZeros64(lanes), i)
		}
	}
}

// quarter returns the lanes of keep whose sums, given by their upper planes, are in 4q … 4q+3.
func quarter(keep uint64, q int, b2, b3, b4, b5 uint64) uint64 {
	return keep &^ (b2 ^ -uint64(q&1)) &^ (b3 ^ -uint64(q>>1&1)) &^ (b4 ^ -uint64(q>>2&1)) &^ (b5 ^ -uint64(q>>3&1))
}

// add counts sums 4q … 4q+3 of two planes of low bits.
func (d *diagonals) add(q int, near, b0, b1 uint64) {
	count := d.counts[4*q : 4*q+4]
	count[0] += uint64(bits.OnesCount64(near &^ (b0 | b1)))
	count[1] += uint64(bits.OnesCount64(near & b0 &^ b1))
	count[2] += uint64(bits.OnesCount64(near & b1 &^ b0))
	count[3] += uint64(bits.OnesCount64(near & b0 & b1))
}

// stepNear is step for distances 0 … 3.
func (d *diagonals) stepNear(left stretch, rights []stretch, remaining, shrink int) {
	var any, odd, upper, three int // of sums below 4: all, odd ones, 2 and 3, and 3
	length, span := d.length, d.span
	for i := range rights {
		right := &rights[i]
		b0, b1, far := bitslice.SumsNear((left.low^right.low)|(left.high^right.high), length)
		near := left.kmers & right.kmers & (1<<min(span, (remaining+1)>>1) - 1) &^ far
		remaining -= shrink
		any += bits.OnesCount64(near)
		odd += bits.OnesCount64(near & b0)
		upper += bits.OnesCount64(near & b1)
		three += bits.OnesCount64(near & b0 & b1)
	}
	d.counts[0] += uint64(any - odd - upper + three)
	d.counts[1] += uint64(odd - three)
	d.counts[2] += uint64(upper - three)
	d.counts[3] += uint64(three)
}
