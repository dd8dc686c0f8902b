package stringkernel

// Windowed is a Scorer for windows of one length: sequences of other lengths are no input for it, and score 0. Ask [WindowLength] rather than the type assertion: a
// wrapper has the method whether or not the scorer inside is one.
type Windowed interface {
	Scorer
	// WindowLength returns the length, in letters; 0 if sequences of any length will do.
	WindowLength() int
}

// WindowLength returns the length of the sequences that s scores, 0 if any will do.
func WindowLength(s Scorer) int {
	if w, ok := s.(Windowed); ok {
		return w.WindowLength()
	}
	return 0
}

// WindowLength asks the scorer inside.
func (s normalizedScorer) WindowLength() int { return WindowLength(s.inner) }

// WindowLength asks the scorer inside.
func (s strandScorer) WindowLength() int { return WindowLength(s.inner) }

// WindowLength returns the length of the first term that has one.
func (s sumScorer) WindowLength() int {
	for _, t := range s.terms {
		if length := WindowLength(t); length > 0 {
			return length
		}
	}
	return 0
}
