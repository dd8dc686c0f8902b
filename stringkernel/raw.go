package stringkernel

// RawScorer is a Scorer whose scores are divided by the norm of the query, and which can do without: what [compose.Normalized] makes. The norm
// takes longer than the score where k(x, x) is quadratic in |x|, and raw scores of words add up to that of the sequence they are in; a raw
// score is what the scorer inside computes alone. Correct without: [Raw] takes any other scorer as it is.
type RawScorer interface {
	Scorer
	// Raw returns the scorer of f_m(x) = Σ_i coef[m][i]·k(x_i, x)/√k(x_i, x_i): the support vectors are normalised, x is not. It shares its
	// structure with the scorer it comes from.
	Raw() Scorer
}

// Raw returns the scorer without the norms of queries: s.Raw() if s is a [RawScorer], else s. The raw score of a [compose.Mean] is the mean of
// its terms' raw scores. It takes O(1) per term.
func Raw(s Scorer) Scorer {
	if r, ok := s.(RawScorer); ok {
		return r.Raw()
	}
	return s
}
