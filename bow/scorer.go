package bow

import (
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// weights are those of nodes for several outputs.
type weights interface {
	// factors returns the factors of nodes in the corpus: that of node i is values[i·stride].
	factors() (values []float64, stride int)
	// addTo adds the weights of a node, times a value, to dst, which has an entry per output.
	addTo(dst []float64, node int32, value float64)
	// of returns the weight for one output.
	of(node int32, m int) float64
	// mixed returns Σ_m mix[m]·weight.
	mixed(node int32, mix []float64) float64
}

// scorer is the weights of all features of support vectors: see [Kernel.Merge]. It is safe for concurrent use.
type scorer struct {
	vocabulary *vocabulary
	outputs    int
	weights    weights
	closed     bool // the vocabulary is that of a fitted kernel

	occurrences *rows.Occurrences // of nodes, which have weights then; nil if each node has one
}

// features returns the number of features with weights.
func (s *scorer) features() int {
	if s.occurrences != nil {
		return s.occurrences.Width()
	}
	return s.vocabulary.nodes()
}

// factors returns those of all features: of occurrences after the first they are 1.
func (s *scorer) factors() []float64 {
	factors := s.vocabulary.global
	if s.occurrences != nil {
		factors = append(slices.Clip(factors), slices.Repeat([]float64{1}, s.features()-len(factors))...)
	}
	return factors
}

// each calls visit with the features that a node with a value is, and their values.
func (s *scorer) each(node int32, value float64, visit func(feature int32, value float64)) {
	if s.occurrences == nil {
		visit(node, value)
		return
	}
	s.occurrences.Each(uint32(node), value, func(number uint32, value float64) { visit(int32(number), value) })
}

// addTo adds what a node with a value adds to scores.
func (s *scorer) addTo(dst []float64, node int32, value float64) {
	if s.occurrences == nil { // no closure where all words of texts pass
		s.weights.addTo(dst, node, value)
		return
	}
	s.each(node, value, func(feature int32, value float64) { s.weights.addTo(dst, feature, value) })
}

// checkOutputs returns an error if a scorer of that many outputs would be too large.
func checkOutputs(features, outputs int) error {
	if err := rows.CheckTable(features, outputs, outputs+1); err != nil {
		return fmt.Errorf("words: %w", err)
	}
	return nil
}

// Outputs returns the number of scores per text.
func (s *scorer) Outputs() int { return s.outputs }

// ScoreTo writes the scores of x: a look-up per word and n-gram. It allocates nothing per word; the words seen are
// remembered.
func (s *scorer) ScoreTo(dst []float64, x []byte) { s.score(dst, x) }

// SelfScorer returns s, or nil for a scorer of an open kernel or one that was not fitted: it has no place for words
// that the support vectors lack, so it cannot compute k(x, x).
func (s *scorer) SelfScorer() compose.SelfScorer {
	if !s.closed {
		return nil
	}
	return s
}

// SelfScoreTo is ScoreTo and also returns k(x, x).
func (s *scorer) SelfScoreTo(dst []float64, x []byte) float64 { return s.score(dst, x) }

// score writes the scores and returns k(x, x) by the features in the vocabulary.
func (s *scorer) score(dst []float64, x []byte) float64 {
	w := s.vocabulary.borrow()
	defer s.vocabulary.giveBack(w)
	dst = dst[:s.outputs]
	clear(dst)
	w.countText(x)
	scale, self := w.prepare(s.weights.factors()), 0.0
	for i, node := range w.touched {
		value := float64(w.values[i] * scale)
		self += s.vocabulary.kernel.pair(value, value)
		s.addTo(dst, node, value)
	}
	return self
}

// ExplainTo spreads the contribution of each feature to score m evenly over its occurrences, and that of each
// occurrence over the bytes of its words.
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	w := s.vocabulary.borrow()
	defer s.vocabulary.giveBack(w)
	clear(dst[:len(x)])
	w.countText(x)
	scale := w.prepare(s.weights.factors())
	shares := make(map[int32]float64, len(w.touched)) // of one occurrence
	for i, node := range w.touched {
		sum := 0.0
		s.each(node, float64(w.values[i]*scale), func(feature int32, value float64) {
			sum += float64(value * s.weights.of(feature, m))
		})
		shares[node] = sum / float64(w.counts[i])
	}
	w.each(w.reader.ids, func(node int32) {
		share := shares[node]
		if share == 0 {
			return
		}
		length := 0
		for _, at := range w.path {
			length += w.spans[at].hi - w.spans[at].lo
		}
		for _, at := range w.path {
			for i := w.spans[at].lo; i < w.spans[at].hi; i++ {
				dst[i] += share / float64(length)
			}
		}
	})
}
