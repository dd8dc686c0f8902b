package stringkernel

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
// [compose.Normalized] scores windows with it. Correct without, faster with; ask [CanTrackSelf] before the type assertion.
type SelfTracker interface {
	// TrackSelfTo writes k(w, w) of the windows w = x[p:p+window], p = 0 … len(x)−window, into dst, which has
	// len(x)−window+1 entries. 1 ≤ window ≤ len(x).
	TrackSelfTo(dst []float64, x []byte, window int)
}

// JointSelfTracker is to [JointEvaluator] what [SelfTracker] is to [SelfEvaluator]: [compose.BothStrands] has the norms of windows from it.
type JointSelfTracker interface {
	// TrackJointSelfTo writes |φ(v) + φ(w)|² for the windows v = x[p:p+window] and w = y[q:q+window], q = len(x)−window−p, p = 0 …
	// len(x)−window, into dst, which has len(x)−window+1 entries. y is as long as x: the windows of y, its reverse complement, are
	// those of x in reverse order. 1 ≤ window ≤ len(x).
	TrackJointSelfTo(dst []float64, x, y []byte, window int)
}

// SelfMirrored is a Kernel on nucleotides with k(rc x, rc x) = k(x, x), to the bit and by any of its ways: the words of a strand are as near to each other as their
// reverse complements. Correct without, faster with: [compose.TrackStrands] computes norms once for both strands.
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
		dst[p] = SelfEval(k, x[p:p+window])
	}
}
