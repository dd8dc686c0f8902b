package wdk

import "github.com/seqsvm/seqsvm/stringkernel"

// trackedWindows is the number of windows that TrackTo scores together.
const trackedWindows = 1 << 16

// TrackTo scores the windows x[p:p+window], position by position for many windows at a time: each letter is packed
// once, and a position's table stays in the cache. If window is not the length of the windows merged, all scores are 0.
func (s *scorer) TrackTo(dst []float64, m int, x []byte, window int) {
	if window != s.length || s.length == 0 {
		clear(dst)
		return
	}
	w := s.borrow()
	defer s.space.Put(w)
	for from := 0; from < len(dst); from += trackedWindows {
		count := min(trackedWindows, len(dst)-from)
		w.text.reset(&s.packing)
		w.text.append(x[from : from+count+window-1])
		scores := w.scores(count * s.outputs)
		s.positions(scores, w, count, 1)
		for j := range count {
			dst[from+j] = scores[j*s.outputs+m]
		}
	}
}

// TrackSelfTo writes k(w, w) of the windows w = x[p:p+window] into dst, which has len(x) − window + 1 entries. Without
// ramp and position weights that is O(S + 1) time per window, from the runs along each diagonal; else that of SelfEval.
func (k Kernel) TrackSelfTo(dst []float64, x []byte, window int) {
	if !k.uniform() || k.resembling() {
		for p := range dst {
			dst[p] = k.SelfEval(x[p : p+window])
		}
		return
	}
	clear(dst)
	for s := 0; s <= min(k.Shift, window-1); s++ {
		d := newDiagonal(k, x, s)
		weight := k.delta(s)
		if s > 0 {
			weight *= 2
		}
		for p := range dst {
			dst[p] += float64(weight * float64(d.between(p, p+window-s)))
		}
	}
	unit := k.unit()
	for p := range dst {
		dst[p] *= unit
	}
}

// TrackJointSelfTo writes |φ(v) + φ(w)|² of the windows v of x and w of its reverse complement.
func (k Kernel) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	stringkernel.TrackJointByEval(k, dst, x, y, window)
}

// StrandSymmetric reports false: the reverse complement has the letters at other positions.
func (k Kernel) StrandSymmetric() bool { return false }

// diagonal sums up the matches of a sequence with itself moved by s positions.
type diagonal struct {
	kernel Kernel
	sums   []int // sums[p] is Σ upTo(run that begins at i) over i < p
	ending []int // ending[p] is the length of the run that ends before p
}

func newDiagonal(k Kernel, x []byte, s int) diagonal {
	n, codes := max(0, len(x)-s), k.Alphabet.Codes()
	d := diagonal{k, make([]int, n+1), make([]int, n+1)}
	matches := func(p int) bool { return x[p] == x[p+s] && codes[x[p]] != stringkernel.Outside }
	run := 0
	for p := n - 1; p >= 0; p-- {
		if run++; !matches(p) {
			run = 0
		}
		d.sums[p+1] = k.upTo(run)
	}
	for p := range n {
		d.sums[p+1] += d.sums[p]
		if matches(p) {
			d.ending[p+1] = d.ending[p] + 1
		}
	}
	return d
}

// between returns the contribution of the runs within lo ≤ p < hi: all but the last as they are, and the last one cut
// at hi.
func (d *diagonal) between(lo, hi int) int {
	last := min(d.ending[hi], hi-lo)
	return d.sums[hi-last] - d.sums[lo] + d.kernel.run(last)
}
