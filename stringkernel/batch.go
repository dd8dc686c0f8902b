package stringkernel

// BatchScorer is a Scorer that scores many sequences together for less than the cost of each by itself. Correct without, faster with. Ask [CanScoreBatch]
// rather than the type assertion: a wrapper has the method whether or not the scorer inside gains anything.
type BatchScorer interface {
	Scorer
	// ScoreBatchTo writes the scores of x[0], x[1], … into dst, Outputs() numbers each: the same bits as ScoreTo of each.
	ScoreBatchTo(dst []float64, x [][]byte)
}

// CanScoreBatch reports whether s is a BatchScorer all the way down: a wrapper is exactly when the scorer inside is, a [compose.Mean] when any term is.
func CanScoreBatch(s Scorer) bool {
	if w, wrapper := s.(interface{ CanScoreBatch() bool }); wrapper {
		return w.CanScoreBatch()
	}
	_, ok := s.(BatchScorer)
	return ok
}

// ScoreBatch writes the scores of x[0], x[1], … into dst, s.Outputs() numbers each: together if that is any use, else one by one.
func ScoreBatch(s Scorer, dst []float64, x [][]byte) {
	if CanScoreBatch(s) {
		s.(BatchScorer).ScoreBatchTo(dst, x)
		return
	}
	for i, m := 0, s.Outputs(); i < len(x); i++ {
		s.ScoreTo(dst[i*m:(i+1)*m], x[i])
	}
}
