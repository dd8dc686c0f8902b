package spectrum

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// supportScorer has the support vectors of each k-mer and the coefficients of each support vector, in place of a weight
// of each k-mer for each output. A score takes a step for each k-mer that x has in common with a support vector, then
// one for each coefficient. It is safe for concurrent use.
type supportScorer struct {
	kernel Kernel // not Bounded
	lists  comparison
	coef   *stringkernel.Coefficients
	rows   sync.Pool // *[]float64, a value for each support vector
	latest atomic.Pointer[mixture]
}

// bySupport reports whether a scorer should keep support vectors apart: where weights for all outputs leave the caches,
// and the coefficients are so few that a score takes little longer than by weights. So it is for one-vs-one with many
// classes, where lists take far less memory.
func (k Kernel) bySupport(sequences, letters, outputs, coefficients int) bool {
	const (
		leastTable = 1 << 21 // weights
		slower     = 4       // a step reaches the memory less often than a weight does
	)
	n := float64(letters)
	features := min(n, k.kmers(k.K))
	if k.Bounded || k.weighs() || features*float64(outputs) < leastTable {
		return false
	}
	perRecord := n / float64(max(1, sequences))
	steps := perRecord*n/features + float64(coefficients+sequences)
	return steps <= slower*perRecord*float64(outputs)
}

// newSupportScorer lists the support vectors by k-mer.
func newSupportScorer(
	ctx context.Context, k Kernel, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (*supportScorer, error) {
	lists, err := newComparison(ctx, k, sv)
	if err != nil {
		return nil, err
	}
	return &supportScorer{kernel: k, lists: lists, coef: c}, nil
}

// Outputs returns the number of scores per sequence.
func (s *supportScorer) Outputs() int { return s.coef.Outputs }

// ScoreTo adds up coefficients times kernel values, support vectors in order.
func (s *supportScorer) ScoreTo(dst []float64, x []byte) {
	row := scratch.Borrow(&s.rows, s.coef.Len())
	defer s.rows.Put(row)
	s.lists.rowTo(*row, x)
	clear(dst[:s.coef.Outputs])
	for i, value := range *row {
		if value != 0 {
			s.coef.AddTo(dst, i, value)
		}
	}
}

// ExplainTo writes the contribution of every position of x to score m, as a scorer of that output alone does.
func (s *supportScorer) ExplainTo(dst []float64, m int, x []byte) { s.output(m).ExplainTo(dst, 0, x) }

// Traits says that features are k-mers.
func (s *supportScorer) Traits() stringkernel.Traits {
	return stringkernel.Traits{Around: stringkernel.Within(s.kernel.K)}
}

// FeaturesOf lists the k-mers of x with their weights: see stringkernel.FeatureLister.
func (s *supportScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	return s.mixed(mix).FeaturesOf([]float64{1}, x, n)
}

// TopFeatures lists k-mers with their weights: see stringkernel.FeatureLister. O(postings).
func (s *supportScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return s.mixed(mix).TopFeatures([]float64{1}, n)
}

// TrackTo writes score m of all windows of x. O(|x|).
func (s *supportScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	s.output(m).TrackTo(dst, 0, x, window)
}

// output returns the scorer of an output.
func (s *supportScorer) output(m int) *scorer {
	mix := make([]float64, s.coef.Outputs)
	mix[m] = 1
	return s.mixed(mix)
}

// mixture is the scorer of a linear combination of outputs.
type mixture struct {
	mix    []float64
	scorer *scorer
}

// mixed returns the scorer of a linear combination of outputs, in O(postings), or the latest one. It has a weight for
// each k-mer.
func (s *supportScorer) mixed(mix []float64) *scorer {
	if latest := s.latest.Load(); latest != nil && slices.Equal(latest.mix, mix) {
		return latest.scorer
	}
	coef, h := s.coef.Mix(mix), s.lists[0]
	weights := level{s.kernel.K, slices.Clone(h.codes), make([]float64, len(h.codes))}
	h.Each(context.Background(), func(feature, doc, count uint32) {
		weights.values[feature] += float64(coef[doc] * float64(count))
	})
	of := &mixture{slices.Clone(mix), newScorer(s.kernel.Alphabet, 1, []level{weights.nonzero(1)})}
	s.latest.Store(of)
	return of.scorer
}
