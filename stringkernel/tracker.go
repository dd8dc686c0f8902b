package stringkernel

// Tracker is an option of a [Scorer] that scores all windows of a long sequence for less than the cost of each alone.
// Correct without it; with it, scans take time that hardly depends on the length of the window. Ask [TrackerOf], or
// call [Track].
type Tracker interface {
	// TrackTo writes score m of the windows x[p:p+window], p = 0 … len(x)−window, into dst, which has len(x)−window+1
	// entries: ScoreTo of each window up to rounding, at a cost per window that depends little on its length. 1 ≤
	// window ≤ len(x). The error of a window is that of its own sum: none is carried along the sequence.
	TrackTo(dst []float64, m int, x []byte, window int)
}

// TrackerOf returns the [Tracker] of s, nil if it has none.
func TrackerOf(s Scorer) Tracker {
	return Lookup(s, func(w interface{ Tracker() Tracker }) Tracker { return w.Tracker() })
}

// Track writes score m of the windows x[p:p+window] into dst, which has len(x)−window+1 entries: by the [Tracker] of s
// if it has one, else by ScoreTo of each window. A sequence shorter than window ≥ 1 has no windows.
func Track(dst []float64, s Scorer, m int, x []byte, window int) {
	if len(x) < window {
		return
	}
	if t := TrackerOf(s); t != nil {
		t.TrackTo(dst, m, x, window)
		return
	}
	TrackEach(dst, s, m, x, window)
}

// TrackEach is [Track] by ScoreTo of each window: what a Tracker does with windows for which it has no shorter way.
func TrackEach(dst []float64, s Scorer, m int, x []byte, window int) {
	scores := make([]float64, s.Outputs())
	for p := range dst[:len(x)-window+1] {
		s.ScoreTo(scores, x[p:p+window])
		dst[p] = scores[m]
	}
}
