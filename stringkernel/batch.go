package stringkernel

// BatchScorer is an option of a [Scorer] that scores many sequences together for less than the cost of each alone.
// Correct without it; with it, predicting many sequences is faster. Ask [BatchScorerOf], or call [ScoreBatch].
type BatchScorer interface {
	// ScoreBatchTo writes the scores of x[0], x[1], … into dst, Outputs() numbers each: the same bits as ScoreTo of
	// each.
	ScoreBatchTo(dst []float64, x [][]byte)
}

// BatchScorerOf returns the [BatchScorer] of s, nil if it has none.
func BatchScorerOf(s Scorer) BatchScorer {
	return Lookup(s, func(w interface{ BatchScorer() BatchScorer }) BatchScorer { return w.BatchScorer() })
}

// ScoreBatch writes the scores of x[0], x[1], … into dst, s.Outputs() numbers each: together if s has a [BatchScorer],
// else one by one.
func ScoreBatch(s Scorer, dst []float64, x [][]byte) {
	if b := BatchScorerOf(s); b != nil {
		b.ScoreBatchTo(dst, x)
		return
	}
	for i, m := 0, s.Outputs(); i < len(x); i++ {
		s.ScoreTo(dst[i*m:(i+1)*m], x[i])
	}
}
