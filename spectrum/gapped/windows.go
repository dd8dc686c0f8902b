package gapped

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/spectrum/gapped/internal/bitslice"
)

// trackSelf writes the values of selfEval by pairs, to the bit, in the time of the distances of one k-mer to those of
// the window per step: pairs of k-mers are counted in whole numbers, so that what enters leaves without a trace.
func (e *engine) trackSelf(dst []float64, x []byte, window int) {
	places := window - e.coder.length + 1
	dst = dst[:len(x)-window+1]
	switch {
	case places <= 0:
		clear(dst)
	case e.alike != nil || e.wide():
		for p := range dst {
			dst[p] = e.selfEval(context.Background(), x[p:p+window])
		}
	case e.diagonal():
		e.trackDiagonals(dst, x, places)
	default:
		e.trackPairs(dst, x, places)
	}
}

// trackPairs slides windows of n places of k-mers over x, of alphabets that have one strand. A k-mer that
// enters makes a pair with each in the window, and so does one that leaves.
func (e *engine) trackPairs(dst []float64, x []byte, n int) {
	w := kmerPool.Get().(*kmers)
	defer kmerPool.Put(w)
	w.list(e, x)
	places := make([]int, 0, len(w.codes))
	for i := range e.coder.kmers.All(x) {
		places = append(places, i)
	}
	pairs, own, counts := make([]float64, len(e.h)), make([]float64, len(e.h)), make([]float64, len(e.h))
	lo, hi := 0, 0
	change := func(i, from, to int, sign float64) {
		e.count(pairs, w.codes[i], sign, w.codes[from:to], nil)
		own[0] += sign
	}
	for p := range dst {
		for ; lo < hi && places[lo] < p; lo++ {
			change(lo, lo+1, hi, -1)
		}
		for ; hi < len(places) && places[hi] < p+n; hi++ {
			change(hi, lo, hi, 1)
		}
		for m := range counts {
			counts[m] = 2*pairs[m] + own[m]
		}
		dst[p] = e.total(counts)
	}
}

// trackDiagonals is trackPairs for k-mers of nucleotides that weigh all the same.
func (e *engine) trackDiagonals(dst []float64, x []byte, n int) {
	d := lanesPool.Get().(*lanes)
	defer lanesPool.Put(d)
	d.lay(e, x)
	places := len(d.own)
	for base := 0; base < places; base += d.span {
		d.block(base, n, e.rc)
	}
	// of different k-mers, each once; of k-mers with themselves
	pairs, own, counts := make([]int64, e.reach+1), make([]int64, len(e.h)), make([]float64, e.reach+1)
	for j := range places {
		if i := j - n; i >= 0 {
			for m := range pairs {
				pairs[m] -= int64(d.leave[m*places+i])
			}
			d.countOwn(own, i, -1, e.rc)
		}
		for m := range pairs {
			pairs[m] += int64(d.enter[m*places+j])
		}
		d.countOwn(own, j, 1, e.rc)
		if first := j - n + 1; first >= 0 {
			for m, n := range pairs {
				counts[m] = float64(2*n + own[m])
			}
			dst[first] = e.total(counts)
		}
	}
}

// Pairs of k-mers within sliding windows are counted along diagonals as pairs of whole sequences are (diagonal.go), but
// for each k-mer separately: how many k-mers at each distance it has within n places before it, and within n places
// after it. That is what changes when it enters a window, and when it leaves one. A step compares some fifty
// neighbouring k-mers, the lanes, with the k-mers s places on; the lanes' counts are bit-sliced too, eight steps at a
// time.

// lanes counts the pairs of k-mers of one sequence within windows of n places, by distance up to reach.
type lanes struct {
	length, span int // letters of a k-mer; lanes
	reach        int
	x, opposite  strand
	counts       []bitslice.Counter // by distance
	// counts of k-mer j at distance m, m·places + j: with those before it, and with those after it
	enter, leave []int32
	// distance of a k-mer from its reverse complement, −1 where there is no k-mer; without rc 0
	own []int8
}

var lanesPool = sync.Pool{New: func() any { return new(lanes) }}

// lay fills in the strands of x and its k-mers' distances from themselves.
func (d *lanes) lay(e *engine, x []byte) {
	d.length, d.span, d.reach = e.coder.length, 65-e.coder.length, e.reach
	d.x.lay(&e.coder, x, false, d.span-1)
	places := d.x.kmers()
	d.counts = scratch.Resize(d.counts, e.reach+1)
	d.enter, d.leave = scratch.Resize(d.enter, (e.reach+1)*places), scratch.Resize(d.leave, (e.reach+1)*places)
	d.own = scratch.Resize(d.own, places)
	for p := range d.own {
		d.own[p] = -1
	}
	if e.rc {
		d.opposite.lay(&e.coder, x, true, d.span-1)
	}
	for i, packed := range e.coder.kmers.All(x) {
		d.own[i] = 0
		if e.rc {
			d.own[i] = int8(e.coder.distance(packed, e.coder.reverseComplement(packed)))
		}
	}
}

// countOwn counts the pairs that a k-mer makes with itself.
func (d *lanes) countOwn(own []int64, place int, change int64, rc bool) {
	if m := d.own[place]; m >= 0 {
		own[0] += change
		if rc {
			own[m] += change
		}
	}
}

// block counts for the k-mers at span places from base on. K-mer p of the opposite strand is the reverse complement of
// k-mer places−1−p: the lane t at place q there is c + 2t places before the lane's own, c = base + q − places + 1.
func (d *lanes) block(base, n int, rc bool) {
	places := len(d.own)
	left := d.x.stretches[d.x.before+base]
	clear(d.counts)
	d.compare(left, &d.x, base-n+1, base, nil)
	if rc {
		c := base - places + 1
		d.compare(left, &d.opposite, 1-c-2*(d.span-1), n-c,
			func(q int) uint64 { return laneRange((2-c-q)>>1, (n-1-c-q)>>1) })
	}
	d.store(d.enter, base)
	clear(d.counts)
	d.compare(left, &d.x, base+1, base+n, nil)
	if rc {
		c := base - places + 1
		d.compare(left, &d.opposite, 1-n-c-2*(d.span-1), -c,
			func(q int) uint64 { return laneRange((2-n-c-q)>>1, (-1-c-q)>>1) })
	}
	d.store(d.leave, base)
}

// laneRange returns the mask of the lanes from … to.
func laneRange(from, to int) uint64 {
	from, to = max(from, 0), min(to, 63)
	if from > to {
		return 0
	}
	return ^uint64(0) >> (63 - (to - from)) << from
}

// compare counts the distances of the k-mers of a block from those at the places from ≤ q < to of another strand, lane
// t from place q + t. masks, if not nil, tells for each q which lanes are to count.
func (d *lanes) compare(left stretch, other *strand, from, to int, masks func(q int) uint64) {
	from, to = max(from, -other.before), min(to, other.kmers())
	left.kmers &= ^uint64(0) >> (64 - d.span)
	var rights [8]stretch
	for q := from; q < to; q += 8 {
		n := copy(rights[:], other.stretches[other.before+q:other.before+min(q+8, to)])
		for i := range rights {
			if i >= n {
				rights[i].kmers = 0
			} else if masks != nil {
				rights[i].kmers &= masks(q + i)
			}
		}
		if d.reach < 4 {
			d.addNear(left, &rights)
		} else {
			d.addFar(left, &rights)
		}
	}
}

// addNear counts the distances 0 … 3 of eight steps.
func (d *lanes) addNear(left stretch, rights *[8]stretch) {
	var near [4][8]uint64
	for i := range rights {
		right := &rights[i]
		b0, b1, far := bitslice.SumsNear((left.low^right.low)|(left.high^right.high), d.length)
		keep := left.kmers & right.kmers &^ far
		near[0][i], near[1][i], near[2][i], near[3][i] = keep&^(b0|b1), keep&b0&^b1, keep&b1&^b0, keep&b0&b1
	}
	for m := range min(4, d.reach+1) {
		d.counts[m].Add(&near[m])
	}
}

// addFar counts all distances of eight steps.
func (d *lanes) addFar(left stretch, rights *[8]stretch) {
	var near [4 * quads][8]uint64
	for i := range rights {
		right := &rights[i]
		keep := left.kmers & right.kmers
		b0, b1, b2, b3, b4, b5 := bitslice.Sums((left.low^right.low)|(left.high^right.high), d.length)
		for q := 0; 4*q <= d.reach; q++ {
			here, at := quarter(keep, q, b2, b3, b4, b5), near[4*q:4*q+4]
			at[0][i], at[1][i], at[2][i], at[3][i] = here&^(b0|b1), here&b0&^b1, here&b1&^b0, here&b0&b1
		}
	}
	for m := range d.reach + 1 {
		d.counts[m].Add(&near[m])
	}
}

// store reads the counts of a block out.
func (d *lanes) store(dst []int32, base int) {
	places := len(d.own)
	for m := range d.reach + 1 {
		d.counts[m].Read(dst[m*places+base : m*places+min(base+d.span, places)])
	}
}
