package stringkernel

// Standalone is a Fitter whose stored scorers hold what the kernel has learned from its reference corpus: Restore of the kernel before it was
// fitted gives the same bits of every score, so that a compiled model needs no corpus. Correct without: a model file carries the reference.
// Ask [IsStandalone] rather than the type assertion.
type Standalone interface {
	Fitter
	Standalone() bool
}

// IsStandalone reports whether k is Standalone all the way down: a wrapper is exactly when the kernel inside is, a [compose.Mean] when every term that depends on a
// corpus is.
func IsStandalone(k Kernel) bool {
	s, ok := k.(Standalone)
	return ok && s.Standalone()
}

// SelfScorer is a Scorer that finds k(x, x) on its way through x, for less than a score and a SelfEval. Normalisation uses it for each query. A scorer
// of a [Standalone] kernel that was restored is one: the kernel itself may not know the features.
type SelfScorer interface {
	Scorer
	// SelfScoreTo is ScoreTo and returns k(x, x), up to rounding; ok = false if this very scorer does not know it.
	SelfScoreTo(dst []float64, x []byte) (self float64, ok bool)
}
