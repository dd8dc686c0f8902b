package stringkernel

import "sync"

// Tracker is a Scorer that scores all windows of a long sequence for less than the cost of each by itself. Correct without,
// faster with: [Track] scores the windows one by one where there is none. Ask [CanTrack] before the type assertion: a wrapper has the method
// whether or not the scorer inside tracks.
type Tracker interface {
	Scorer
	// TrackTo writes score m of the windows x[p:p+window], p = 0 … len(x)−window, into dst, which has len(x)−window+1 entries:
	// ScoreTo of each window up to rounding, at a cost per window that depends little on its length. 1 ≤ window ≤ len(x). The error of
	// a window is that of its own sum: none is carried along the sequence.
	TrackTo(dst []float64, m int, x []byte, window int)
}

// SelfTracker is a Kernel that has k(w, w) of all windows w of a long sequence for less than the cost of each by itself.
// [Normalized] scores windows with it. Correct without, faster with; ask [CanTrackSelf] before the type assertion.
type SelfTracker interface {
	// TrackSelfTo writes k(w, w) of the windows w = x[p:p+window], p = 0 … len(x)−window, into dst, which has
	// len(x)−window+1 entries. 1 ≤ window ≤ len(x).
	TrackSelfTo(dst []float64, x []byte, window int)
}

// JointSelfTracker is to [JointEvaluator] what [SelfTracker] is to [SelfEvaluator]: [BothStrands] has the norms of windows from it.
type JointSelfTracker interface {
	// TrackJointSelfTo writes |φ(v) + φ(w)|² for the windows v = x[p:p+window] and w = y[q:q+window], q = len(x)−window−p, p = 0 …
	// len(x)−window, into dst, which has len(x)−window+1 entries. y is as long as x: the windows of y, its reverse complement, are
	// those of x in reverse order. 1 ≤ window ≤ len(x).
	TrackJointSelfTo(dst []float64, x, y []byte, window int)
}

// SelfMirrored is a Kernel on nucleotides with k(rc x, rc x) = k(x, x), to the bit and by any of its ways: the words of a strand are as near to each other as their
// reverse complements. Correct without, faster with: [TrackStrands] computes norms once for both strands.
type SelfMirrored interface {
	SelfMirrored() bool
}

// CanTrack reports whether s is a Tracker all the way down: a wrapper tracks exactly when all scorers inside do.
func CanTrack(s Scorer) bool {
	if w, conditional := s.(interface{ CanTrack() bool }); conditional {
		return w.CanTrack()
	}
	_, ok := s.(Tracker)
	return ok
}

// CanTrackSelf reports whether k is a SelfTracker all the way down.
func CanTrackSelf(k Kernel) bool {
	if w, conditional := k.(interface{ CanTrackSelf() bool }); conditional {
		return w.CanTrackSelf()
	}
	_, ok := k.(SelfTracker)
	return ok
}

// Track writes score m of the windows x[p:p+window] into dst, which has len(x)−window+1 entries, by the fastest way the scorer
// has: s.TrackTo if [CanTrack], else ScoreTo of each window. A sequence shorter than window ≥ 1 has no windows.
func Track(dst []float64, s Scorer, m int, x []byte, window int) {
	if len(x) < window {
		return
	}
	if t, ok := s.(Tracker); ok && CanTrack(s) {
		t.TrackTo(dst, m, x, window)
		return
	}
	TrackEach(dst, s, m, x, window)
}

// TrackStrands writes score m of the windows of x into plus and of those of its reverse complement rc into minus, as two calls of [Track] would, and faster where both have
// the same norms.
func TrackStrands(plus, minus []float64, s Scorer, m int, x, rc []byte, window int) {
	n, ok := s.(normalizedScorer)
	if ok && len(x) >= window {
		mirrored, tells := n.kernel.(SelfMirrored)
		ok = n.CanTrack() && tells && mirrored.SelfMirrored()
	}
	if !ok || len(x) < window {
		Track(plus, s, m, x, window)
		Track(minus, s, m, rc, window)
		return
	}
	Track(plus, n.inner, m, x, window)
	Track(minus, n.inner, m, rc, window)
	norms := borrow(&trackPool, len(x)-window+1)
	defer trackPool.Put(norms)
	TrackSelf(*norms, n.kernel, x, window)
	for p, norm := range *norms {
		scale := inverseRoot(norm)
		plus[p] *= scale
		minus[len(*norms)-1-p] *= scale
	}
}

// TrackEach is [Track] by ScoreTo of each window, whatever the scorer has: what a Tracker does with windows that it has no short cut for.
func TrackEach(dst []float64, s Scorer, m int, x []byte, window int) {
	scores := make([]float64, s.Outputs())
	for p := range dst[:max(0, len(x)-window+1)] {
		s.ScoreTo(scores, x[p:p+window])
		dst[p] = scores[m]
	}
}

// TrackSelf writes k(w, w) of the windows w of x into dst, which has len(x)−window+1 entries, by the fastest way the kernel has.
func TrackSelf(dst []float64, k Kernel, x []byte, window int) {
	if len(x) < window {
		return
	}
	if t, ok := k.(SelfTracker); ok && CanTrackSelf(k) {
		t.TrackSelfTo(dst, x, window)
		return
	}
	for p := range dst[:len(x)-window+1] {
		dst[p] = selfEval(k, x[p:p+window])
	}
}

// TrackTo scales the scores of the scorer inside by the norms of the windows, which are computed one by one if the kernel inside does not track.
func (s normalizedScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	Track(dst, s.inner, m, x, window)
	norms := borrow(&trackPool, len(x)-window+1)
	defer trackPool.Put(norms)
	TrackSelf(*norms, s.kernel, x, window)
	for p, norm := range *norms {
		dst[p] *= inverseRoot(norm)
	}
}

// CanTrack reports whether the scorer inside does.
func (s normalizedScorer) CanTrack() bool { return CanTrack(s.inner) }

// TrackSelfTo writes 1, or 0 for windows without features.
func (k Normalized) TrackSelfTo(dst []float64, x []byte, window int) {
	TrackSelf(dst, k.Kernel, x, window)
	for p, norm := range dst[:len(x)-window+1] {
		dst[p] = unit(inverseRoot(norm))
	}
}

// CanTrackSelf reports whether the kernel inside does.
func (k Normalized) CanTrackSelf() bool { return CanTrackSelf(k.Kernel) }

// TrackTo adds the scores of the windows of the reverse complement, in reverse order, to those of the windows of x.
func (s strandScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	Track(dst, s.inner, m, x, window)
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = resize(w.scores, len(x)-window+1)
	Track(w.scores, s.inner, m, w.rc, window)
	for p := range w.scores {
		dst[p] += w.scores[len(w.scores)-1-p]
	}
}

// CanTrack reports whether the scorer inside does.
func (s strandScorer) CanTrack() bool { return CanTrack(s.inner) }

// TrackSelfTo writes k_rc(w, w).
func (k BothStrands) TrackSelfTo(dst []float64, x []byte, window int) {
	if joint, ok := k.Kernel.(JointSelfTracker); ok {
		joint.TrackJointSelfTo(dst, x, k.Alphabet.ReverseComplementTo(nil, x), window)
		return
	}
	for p := range dst[:len(x)-window+1] {
		dst[p] = k.SelfEval(x[p : p+window])
	}
}

// CanTrackSelf reports whether the kernel inside is a JointSelfTracker.
func (k BothStrands) CanTrackSelf() bool {
	_, ok := k.Kernel.(JointSelfTracker)
	return ok
}

// TrackTo writes the mean of the terms' scores.
func (s sumScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	trackMean(dst[:len(x)-window+1], len(s.terms), func(out []float64, t int) { Track(out, s.terms[t], m, x, window) })
}

// CanTrack reports whether all terms do.
func (s sumScorer) CanTrack() bool {
	for _, t := range s.terms {
		if !CanTrack(t) {
			return false
		}
	}
	return true
}

// TrackSelfTo writes the mean of the terms' k(w, w).
func (k Sum) TrackSelfTo(dst []float64, x []byte, window int) {
	trackMean(dst[:len(x)-window+1], len(k.Terms), func(out []float64, t int) { TrackSelf(out, k.Terms[t], x, window) })
}

// CanTrackSelf reports whether all terms do.
func (k Sum) CanTrackSelf() bool {
	for _, term := range k.Terms {
		if !CanTrackSelf(term) {
			return false
		}
	}
	return true
}

// trackMean writes the mean over terms of what track writes, summed in order as ScoreTo does.
func trackMean(dst []float64, terms int, track func(out []float64, t int)) {
	one := borrow(&trackPool, len(dst))
	defer trackPool.Put(one)
	clear(dst)
	for t := range terms {
		track(*one, t)
		for p, value := range *one {
			dst[p] += value
		}
	}
	for p := range dst {
		dst[p] /= float64(terms)
	}
}

// trackPool holds the vectors that one call of TrackTo needs beside dst.
var trackPool sync.Pool // *[]float64
