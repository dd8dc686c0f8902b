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
