package gapped

import (
	"context"
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

// trackPairs slides windows of n places of k-mers over x, of one strand: both are those of nucleotides. A k-mer that
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
