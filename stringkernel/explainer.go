package stringkernel

// Explainer is an option of a [Scorer] that can say which positions made a score. Correct without it; with it,
// predictions can be explained by position. Ask [ExplainerOf].
type Explainer interface {
	// ExplainTo writes into dst, which has len(x) entries, the contribution of every position of x (0-based) to score
	// m. Contributions sum to f_m(x) up to rounding. A feature's weight is spread evenly over the positions of
	// each of its occurrences; those of a gapped k-mer are the k positions that it has letters at.
	ExplainTo(dst []float64, m int, x []byte)
}

// ExplainerOf returns the [Explainer] of s, nil if it has none.
func ExplainerOf(s Scorer) Explainer {
	return Lookup(s, func(w interface{ Explainer() Explainer }) Explainer { return w.Explainer() })
}
