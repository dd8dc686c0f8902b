package rows

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Scorer is the weights of the features of support vectors: a score takes a look-up per feature of the record. It is
// safe for concurrent use.
type Scorer struct {
	features Features
	outputs  int
	weights  weights
	self     bool // readers know k(x, x)
}

// Merge returns the scorer of support vectors, given the features of each; self says whether readers know k(x, x). It
// is an error if that takes too much memory. O(entries + features · outputs).
func Merge(
	f Features, row func(i int) (ids []uint32, values []float64), c *stringkernel.Coefficients, self bool,
) (*Scorer, error) {
	if err := CheckTable(f.Len(), c.Outputs, c.Outputs); err != nil {
		return nil, err
	}
	s := &Scorer{features: f, outputs: c.Outputs, self: self}
	if lists := newListWeights(f.Len(), row, c); lists != nil {
		s.weights = lists
		return s, nil
	}
	table := newTableWeights(f.Len(), c.Outputs)
	AddUp(c, row, func(id uint32) []float64 { return table.row(int32(id)) })
	s.weights = table
	return s, nil
}

// Restore reads the weights of features, the last of the arrays of a scorer.
func Restore(a *stored.Arrays, f Features, self bool) (s *Scorer, err error) {
	if a.Err() != nil {
		return nil, a.Err()
	}
	s = &Scorer{features: f, outputs: a.Outputs(), self: self}
	if a.IsSparse() {
		s.weights, err = restoreLists(a, f)
		return s, err
	}
	s.weights = &tableWeights{s.outputs, a.Table(weightsName, f.Len(), s.outputs)}
	return s, a.Close()
}

// Arrays returns the scorer as flat arrays: see [Kernel.Arrays].
func (s *Scorer) Arrays() []stringkernel.Array {
	return append(s.weights.arrays(s.features), s.features.Arrays()...)
}

// Outputs returns the number of scores per record.
func (s *Scorer) Outputs() int { return s.outputs }

// ScoreTo writes the scores of x with a look-up per feature. What is no record scores 0.
func (s *Scorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// Traits says whether readers know k(x, x).
func (s *Scorer) Traits() (t stringkernel.Traits) {
	if s.self {
		t.SelfScoreTo = s.SelfScoreTo
	}
	return t
}

// SelfScoreTo is ScoreTo and also returns k(x, x).
func (s *Scorer) SelfScoreTo(dst []float64, x []byte) float64 {
	dst = dst[:s.outputs]
	clear(dst)
	r := s.features.Borrow()
	defer s.features.Return(r)
	find(r, x, false).each(func(_ int, id int32, value float64) { s.weights.addTo(dst, id, value) })
	return r.Self()
}

// ExplainTo spreads the contribution of each occurrence of a feature to score m evenly over its letters.
func (s *Scorer) ExplainTo(dst []float64, m int, x []byte) {
	clear(dst[:len(x)])
	r := s.features.Borrow()
	defer s.features.Return(r)
	found := find(r, x, false)
	of, each := make([]float64, s.outputs), make([]float64, len(found.IDs))
	found.each(func(entry int, id int32, _ float64) {
		clear(of)
		s.weights.addTo(of, id, 1)
		each[entry] = of[m]
	})
	r.Spread(dst[:len(x)], each)
}

// mixture returns a function of the weights of features in a linear combination of outputs.
func (s *Scorer) mixture(mix []float64) func(id int32) float64 {
	of := make([]float64, s.outputs)
	return func(id int32) float64 {
		clear(of)
		s.weights.addTo(of, id, 1)
		return stringkernel.Mix(mix, of)
	}
}

// TopFeatures lists features: see [stringkernel.FeatureLister]. A weight is that of an occurrence. O(features).
func (s *Scorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	weight := s.mixture(mix)
	return stringkernel.StrongestOf(s.features.Len(), n,
		func(id int) float64 { return float64(s.features.Worth(int32(id)) * weight(int32(id))) },
		func(id int) string { return s.features.Name(int32(id), false) })
}

// FeaturesOf lists the features of x: see [stringkernel.FeatureLister]. It takes the time to score x and to name n
// features.
func (s *Scorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	weight := s.mixture(mix)
	r := s.features.Borrow()
	defer s.features.Return(r)
	found := find(r, x, false)
	kept := strongest.NewList(min(n, len(found.IDs)))
	found.each(func(entry int, id int32, value float64) {
		if w := weight(id); w != 0 {
			kept.Offer(entry, math.Abs(float64(value*w)))
		}
	})
	var list []stringkernel.Feature
	for _, item := range kept.Items() {
		id := found.IDs[item.Number]
		list = append(list, stringkernel.Feature{
			Text: s.features.Name(id, false), Weight: float64(s.features.Worth(id) * weight(id)),
			Count: int(found.Counts[item.Number]), Contribution: float64(found.Values[item.Number] * weight(id)),
		})
	}
	return list
}
