package kmers

import (
	"context"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Scorer scores k-mers of one length. It is immutable and safe for concurrent use.
type Scorer struct {
	raw, whole stringkernel.Scorer // without norms, and as the model has it
	explainer  stringkernel.Explainer
	alphabet   stringkernel.Alphabet
	rho        float64 // the decision is the score less this
	length     int
	both       bool // strands
}

// NewScorer makes a model ready to score k-mers, in the time of [model.Model.Classifier]. It returns an error for a
// model whose raw score is not a sum over k-mers of one length: one of more than two classes, of several labels per
// record, of several kernels, of another kernel or alphabet.
func NewScorer(ctx context.Context, m *model.Model) (*Scorer, error) {
	s, err := describe(m)
	if err != nil {
		return nil, fmt.Errorf("kmers: %w", err)
	}
	c, err := m.Classifier(ctx)
	if err != nil {
		return nil, err
	}
	s.raw, s.whole, s.explainer = compose.Raw(c.Scorer), c.Scorer, stringkernel.ExplainerOf(c.Scorer)
	s.rho = m.Decision.Machines[0].Rho
	return s, nil
}

// describe returns the k-mers of a model, without the scores.
func describe(m *model.Model) (*Scorer, error) {
	if n := len(m.Decision.Classes); n > 2 && m.Decision.Labelling() != dataset.OrderedClasses {
		return nil, fmt.Errorf("the model has %d classes; scores of k-mers need a model of two classes", n)
	}
	if m.Decision.Process != nil {
		return nil, errors.New("the model also has machines for the deviation; scores of k-mers need a model of --task " +
			"regress, whose numbers are about the same with the same --lambda")
	}
	if n := len(m.Decision.Machines); n != 1 {
		return nil, fmt.Errorf("the model has %d machines, one per label (%s); scores of k-mers need a model of "+
			"two classes", n,
			m.Decision.Scheme)
	}
	if m.Decision.Ball {
		return nil, decide.ErrBall
	}
	term, single := m.Kernel.Single()
	if !single {
		return nil, fmt.Errorf("the model has the kernel %s; scores of k-mers need a single one", m.Kernel)
	}
	if term.Rank != 0 {
		return nil, fmt.Errorf("the model has an approximation (rank=%d) of its kernel, which holds no scores of "+
			"k-mers", term.Rank)
	}
	if term.RBF != 0 {
		return nil, fmt.Errorf(
			"the model has a Gaussian (rbf=%v) of its kernel, whose scores are not a sum over k-mers",
			term.RBF)
	}
	if term.Composed() {
		return nil, fmt.Errorf("the model has the kernel %s; scores of k-mers need one of whole sequences", term)
	}
	s := &Scorer{alphabet: term.Alphabet(), both: term.RC}
	if s.length = stringkernel.TraitsOf(term.Kernel).KmerLength; s.length == 0 {
		return nil, fmt.Errorf("the model has the kernel %s, want one whose raw scores are sums over k-mers of one "+
			"length: gapped, mismatch or spectrum without bounded, of raw counts", term)
	}
	if s.alphabet == "" || s.alphabet == stringkernel.Bytes {
		return nil, errors.New(
			"the model is of bytes, want dna, rna or protein: k-mers of bytes may contain tabs and line ends")
	}
	return s, nil
}

// Length returns the number of letters of a k-mer.
func (s *Scorer) Length() int { return s.length }

// Alphabet returns the letters that k-mers consist of.
func (s *Scorer) Alphabet() stringkernel.Alphabet { return s.alphabet }

// Explains reports whether the model has contributions of positions, as [Scorer.Importance] needs.
func (s *Scorer) Explains() bool { return s.explainer != nil }

// Sum returns Σ w(u) over the k-mers of x, 0 if it has none.
func (s *Scorer) Sum(x []byte) (sum float64) {
	scores := s.each(x)
	defer scratch.Pool.Put(scores)
	for _, w := range *scores {
		sum += w
	}
	return sum
}

// each returns w(u) of the k-mer at each place of x, 0 of one that is broken, in a vector of the pool.
func (s *Scorer) each(x []byte) *[]float64 {
	scores := scratch.Borrow(&scratch.Pool, max(0, len(x)-s.length+1))
	stringkernel.Track(*scores, s.raw, 0, x, s.length)
	return scores
}

// score returns w(u), using one.
func (s *Scorer) score(one []float64, kmer []byte) float64 {
	s.raw.ScoreTo(one, kmer)
	return one[0]
}
