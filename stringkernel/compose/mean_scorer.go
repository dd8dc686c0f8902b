package compose

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

type meanScorer struct {
	scorerOptions
	kernel Mean
	norms  []selfScorer // of the terms; nil if their scores are raw
}

func newMeanScorer(k Mean, terms []stringkernel.Scorer, norms []selfScorer) *meanScorer {
	return &meanScorer{scorerOptions{terms, meanScores{k, terms}}, k, norms}
}

// newScorer collects the scorers of the terms.
func (k Mean) newScorer(
	of func(t int, term stringkernel.Kernel) (stringkernel.Scorer, error),
) (stringkernel.Scorer, error) {
	terms, err := ofTerms(k, of)
	if err != nil {
		return nil, err
	}
	norms := make([]selfScorer, len(terms))
	for t, s := range terms {
		if n, first := s.Outputs(), terms[0].Outputs(); n != first {
			return nil, fmt.Errorf("sum: term %d has %d outputs, term 1 has %d", t+1, n, first)
		}
		norms[t] = newSelfScorer(k.Terms[t], s)
	}
	return newMeanScorer(k, terms, norms), nil
}

func (s *meanScorer) ScoreTo(dst []float64, x []byte) {
	one := make([]float64, s.Outputs()) // takes less time than a loan
	meanBy(one, dst[:len(one)], s.kernel.Weights, s.inside, func(out []float64, t stringkernel.Scorer) {
		t.ScoreTo(out, x)
	})
}

// SelfScorer has the mean of the terms' k(x, x), each by its scorer if that knows. Raw scores have no kernel.
func (s *meanScorer) SelfScorer() SelfScorer {
	if s.norms == nil {
		return nil
	}
	return meanSelf{s.kernel.Weights, s.norms}
}

type meanSelf struct {
	weights shares
	terms   []selfScorer
}

func (s meanSelf) SelfScoreTo(dst []float64, x []byte) (self float64) {
	one := make([]float64, s.terms[0].Outputs())
	t := 0
	meanBy(one, dst[:len(one)], s.weights, s.terms, func(out []float64, term selfScorer) {
		self += float64(s.weights.weight(t) * term.SelfScoreTo(out, x))
		t++
	})
	return self / s.weights.total(len(s.terms))
}

// Traits are the length of windows of the first term that has one.
func (s *meanScorer) Traits() stringkernel.Traits {
	all := stringkernel.Traits{Prepare: func(ctx context.Context) error { return prepareAll(ctx, s.inside) }}
	for _, t := range s.inside {
		if length := stringkernel.WindowLength(t); length > 0 {
			all.WindowLength = length
			break
		}
	}
	return all
}

// BatchScorer has the mean of the terms' scores, if any term scores batches.
func (s *meanScorer) BatchScorer() stringkernel.BatchScorer {
	if slices.ContainsFunc(s.inside, func(t stringkernel.Scorer) bool { return stringkernel.BatchScorerOf(t) != nil }) {
		return s.outside
	}
	return nil
}

// meanScores are the scorers of the terms, with the means of their options.
type meanScores struct {
	kernel Mean
	terms  []stringkernel.Scorer
}

// mean is that of what write gives for each scorer.
func (s meanScores) mean(dst []float64, write func(out []float64, t stringkernel.Scorer)) {
	mean(dst, s.kernel.Weights, s.terms, write)
}

func (s meanScores) ExplainTo(dst []float64, m int, x []byte) {
	s.mean(dst[:len(x)], func(out []float64, t stringkernel.Scorer) {
		stringkernel.ExplainerOf(t).ExplainTo(out, m, x)
	})
}

func (s meanScores) ScoreBatchTo(dst []float64, x [][]byte) {
	n := len(x) * s.terms[0].Outputs()
	s.mean(dst[:n], func(out []float64, t stringkernel.Scorer) { stringkernel.ScoreBatch(t, out, x) })
}

func (s meanScores) TrackTo(dst []float64, m int, x []byte, window int) {
	s.mean(dst[:len(x)-window+1], func(out []float64, t stringkernel.Scorer) {
		stringkernel.Track(out, t, m, x, window)
	})
}

func (s meanScores) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	n := len(scores)
	both := make([]float64, n+len(contributions))
	s.mean(both, func(out []float64, t stringkernel.Scorer) {
		var parts []float64
		if contributions != nil {
			parts = out[n:]
		}
		Substitute(out[:n], parts, t, m, x, letters)
	})
	copy(scores, both)
	copy(contributions, both[n:])
}

// TopFeatures ranks the features of all terms together, by what they add to the mean.
func (s meanScores) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.StrongestWeights(s.union(func(t stringkernel.FeatureLister) []stringkernel.Feature {
		return t.TopFeatures(mix, n)
	}), n)
}

func (s meanScores) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	return stringkernel.StrongestContributions(s.union(func(t stringkernel.FeatureLister) []stringkernel.Feature {
		return t.FeaturesOf(mix, x, n)
	}), n)
}

// union joins what the terms list, scaled to the mean, and numbered among the kernels of all terms.
func (s meanScores) union(list func(stringkernel.FeatureLister) []stringkernel.Feature) (union []stringkernel.Feature) {
	weights, before := shares(s.kernel.Weights), 0
	total := weights.total(len(s.terms))
	for t, term := range s.terms {
		for _, f := range list(stringkernel.FeatureListerOf(term)) {
			f.Term += before
			f.Weight = f.Weight * weights.weight(t) / total
			f.Contribution = f.Contribution * weights.weight(t) / total
			union = append(union, f)
		}
		before += leaves(s.kernel.Terms[t])
	}
	return union
}
