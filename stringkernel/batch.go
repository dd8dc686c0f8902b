package stringkernel

import "slices"

// BatchScorer is a Scorer that scores many sequences together for less than the cost of each by itself. Correct without, faster with. Ask [CanScoreBatch]
// rather than the type assertion: a wrapper has the method whether or not the scorer inside gains anything.
type BatchScorer interface {
	Scorer
	// ScoreBatchTo writes the scores of x[0], x[1], … into dst, Outputs() numbers each: the same bits as ScoreTo of each.
	ScoreBatchTo(dst []float64, x [][]byte)
}

// CanScoreBatch reports whether s is a BatchScorer all the way down: a wrapper is exactly when the scorer inside is, a [Sum] when any term is.
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

func (s normalizedScorer) CanScoreBatch() bool { return CanScoreBatch(s.inner) }

func (s strandScorer) CanScoreBatch() bool { return CanScoreBatch(s.inner) }

func (s sumScorer) CanScoreBatch() bool { return slices.ContainsFunc(s.terms, CanScoreBatch) }

// ScoreBatchTo scales what the scorer inside gives.
func (s normalizedScorer) ScoreBatchTo(dst []float64, x [][]byte) {
	ScoreBatch(s.inner, dst, x)
	m := s.Outputs()
	for i := range x {
		scale := inverseRoot(s.self(x[i]))
		for j := range dst[i*m : (i+1)*m] {
			dst[i*m+j] *= scale
		}
	}
}

// ScoreBatchTo adds up the scores of both strands.
func (s strandScorer) ScoreBatchTo(dst []float64, x [][]byte) {
	other, scores := make([][]byte, len(x)), make([]float64, len(x)*s.Outputs())
	for i := range x {
		other[i] = s.alphabet.ReverseComplementTo(nil, x[i])
	}
	ScoreBatch(s.inner, dst, x)
	ScoreBatch(s.inner, scores, other)
	for i, value := range scores {
		dst[i] += value
	}
}

// ScoreBatchTo writes the mean of the terms.
func (s sumScorer) ScoreBatchTo(dst []float64, x [][]byte) {
	dst = dst[:len(x)*s.Outputs()]
	one := make([]float64, len(dst))
	clear(dst)
	for _, t := range s.terms {
		ScoreBatch(t, one, x)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(s.terms))
	}
}
