package gapped

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// WindowNorms has the norms of windows if all k-mers weigh 1: with centre weights a k-mer's weight depends on its place
// in the window, and through a function on the others there; nil then.
func (k Kernel) WindowNorms() compose.WindowNorms { return windowNorms(k, k.engine()) }

// WindowNorms has the norms of windows: see [Kernel.WindowNorms].
func (k Mismatch) WindowNorms() compose.WindowNorms { return windowNorms(k, k.engine()) }

func windowNorms(k compose.Norms, e *engine) compose.WindowNorms {
	if !e.uniform() {
		return nil
	}
	return engineNorms{k, e}
}

// engineNorms has the norms of windows, in the time of the distances of one k-mer to those of the window per step.
type engineNorms struct {
	compose.Norms
	engine *engine
}

// TrackSelfTo writes the values of selfEval by pairs, to the bit: pairs of k-mers are counted in whole numbers, so that
// what enters leaves without a trace.
func (n engineNorms) TrackSelfTo(dst []float64, x []byte, window int) {
	e, places := n.engine, window-n.engine.coder.length+1
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

func (n engineNorms) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	stringkernel.TrackJointByEval(n, dst, x, y, window)
}

// StrandSymmetric reports true: the reverse complements of k-mers are as far apart as the k-mers. Where letters
// resemble each other sums depend on their order.
func (n engineNorms) StrandSymmetric() bool { return n.engine.alike == nil }

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
