package decide

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/memory"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Classifier decides on sequences. It is immutable and safe for concurrent use.
type Classifier struct {
	Rule
	Scorer stringkernel.Scorer // one output per machine
	// Letters maps each byte of a sequence to what Decide reads it as, as the training data were read: in upper case,
	// U as T. Nil: as it is.
	Letters *[256]byte

	confidence, margin float64 // of regions: see WithConfidence
}

// NewClassifier puts a decision and a scorer together, for example those of a stored model, after checking the decision
// ([Rule.Check]) and that the scorer has one output per machine.
func NewClassifier(d Rule, s stringkernel.Scorer) (*Classifier, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fmt.Errorf("classify: no scorer")
	}
	if s.Outputs() != len(d.Machines) {
		return nil, fmt.Errorf("classify: a scorer of %d outputs for %d machines", s.Outputs(), len(d.Machines))
	}
	return &Classifier{Rule: d.prepared(), Scorer: s}, nil
}

// Decide classifies one sequence, in the time of the scorer. Its letters may be in any case that the model's training
// data were read from; x is not changed.
func (c *Classifier) Decide(x []byte) (p Prediction) {
	f := make([]float64, len(c.Machines))
	if c.Letters != nil {
		read := make([]byte, len(x))
		for i, b := range x {
			read[i] = c.Letters[b]
		}
		x = read
	}
	c.Scorer.ScoreTo(f, x)
	unknown := c.Unknown(x, f)
	c.decide(f, &p)
	p.Unknown = unknown
	return p
}

// longestExplained is the number of letters of a sequence up to which scores of 0 are explained.
const longestExplained = 1 << 22

// Unknown reports whether a sequence with these scores, one per machine, has no feature of the model: all are 0, and so
// is the contribution of every position, where the scorer explains it. Scores of 0 of more than 2²² letters are enough:
// that they cancel is unlikely, and contributions would take 8 bytes per letter.
func (c *Classifier) Unknown(x []byte, scores []float64) bool {
	if slices.ContainsFunc(scores, func(score float64) bool { return score != 0 }) {
		return false
	}
	explainer := stringkernel.ExplainerOf(c.Scorer)
	if explainer == nil || len(x) > longestExplained {
		return true
	}
	part := make([]float64, len(x))
	for m := range scores { // do contributions that are not 0 cancel?
		explainer.ExplainTo(part, m, x)
		if slices.ContainsFunc(part, func(value float64) bool { return value != 0 }) {
			return false
		}
	}
	return true
}

// scoreBytes is the memory of the score of a record and class: in a [Prediction], and a copy by class for its measures.
const scoreBytes = 24

// sequences is space for those of a task of Score.
var sequences sync.Pool // of *[][]byte

// mostBlock bounds the scores of a task of Score.
const mostBlock = 1 << 22

// Predict classifies every sequence of a corpus on all processors and returns one prediction per sequence, the same
// ones whatever the number of processors. The error is that of ctx or of [CheckScores], or says that the scores of all
// records would take too much memory: predict them in parts.
func (c *Classifier) Predict(ctx context.Context, corpus *stringkernel.Corpus) ([]Prediction, error) {
	var scored Scored
	if err := c.Score(ctx, &scored, corpus); err != nil {
		return nil, err
	}
	out := make([]Prediction, corpus.Len())
	parallel.Each(len(out), func(i int) { c.Decided(&out[i], &scored, i) })
	return out, nil
}

// Scored is the scores of the sequences of a corpus, before they become predictions.
type Scored struct {
	Scores  []float64 // those of each sequence in a row, one per machine, before Rho is taken off
	Unknown []bool    // which sequences have no feature of the model: see [Classifier.Unknown]
}

// Of returns the scores of a sequence (0-based), one per machine.
func (s *Scored) Of(i int) []float64 {
	machines := len(s.Scores) / len(s.Unknown)
	return s.Scores[i*machines : (i+1)*machines : (i+1)*machines]
}

// Score scores every sequence of a corpus, in place of what was scored before if there is room: of a long input, one
// part after another, nothing is left to the garbage collector. A scorer of batches, which takes longer for many small
// batches, gets one for each processor. The error is as of Predict.
func (c *Classifier) Score(ctx context.Context, to *Scored, corpus *stringkernel.Corpus) error {
	n, machines := corpus.Len(), len(c.Machines)
	if err := memory.Check(scoreBytes * float64(n) * float64(len(c.Classes))); err != nil {
		return fmt.Errorf("classify: scores of %d records for %d classes need %w", n, len(c.Classes), err)
	}
	if err := stringkernel.Prepare(ctx, c.Scorer); err != nil {
		return err
	}
	to.Scores, to.Unknown = scratch.Resize(to.Scores, n*machines), scratch.Resize(to.Unknown, n)
	block := 64 // sequences per task
	if stringkernel.TraitsOf(c.Scorer).ScoreBatchTo != nil {
		processors := runtime.GOMAXPROCS(0)
		block = max(block, min((n+processors-1)/processors, mostBlock/machines))
	}
	return parallel.Do(ctx, (n+block-1)/block, func(b int) error {
		lo, hi := b*block, min((b+1)*block, n)
		space := scratch.BorrowOf[[]byte](&sequences, hi-lo)
		defer func() {
			clear(*space)
			sequences.Put(space)
		}()
		x := *space
		for i := range x {
			x[i] = corpus.Seq(lo + i)
		}
		stringkernel.ScoreBatch(c.Scorer, to.Scores[lo*machines:hi*machines], x)
		for i := lo; i < hi; i++ {
			if err := CheckScores(corpus, i, to.Of(i)); err != nil {
				return err
			}
			to.Unknown[i] = c.Unknown(x[i-lo], to.Of(i))
		}
		return nil
	})
}

// Decided makes the prediction of a sequence that was scored (0-based), once: it changes the scores and keeps them.
// Several calls may run at once for different sequences.
func (c *Classifier) Decided(p *Prediction, scored *Scored, i int) {
	c.decide(scored.Of(i), p)
	p.Unknown = scored.Unknown[i]
}

// CheckScores returns a [stringkernel.RecordError] about sequence i of a corpus (0-based) unless its scores, one per
// machine, are finite. Those of trained models are; coefficients of a model file may be so large that their sums are
// not.
func CheckScores(corpus *stringkernel.Corpus, i int, scores []float64) error {
	for m, score := range scores {
		if math.IsNaN(score) || math.IsInf(score, 0) {
			err := fmt.Errorf("the score of machine %d is %v, want a finite number: "+
				"the model's coefficients are too large", m+1, score)
			return &stringkernel.RecordError{Record: i, Name: corpus.Name(i), Err: err}
		}
	}
	return nil
}

// Model is a trained classifier with its support vectors, before they are merged into one structure, or with that
// structure if there are none.
type Model struct {
	Rule
	Kernel  stringkernel.Kernel  // fitted to the training corpus, if it depends on one
	Scorer  stringkernel.Scorer  // merged already: there are no support vectors; else nil
	Support *stringkernel.Corpus // the union of the machines' support vectors, in the order of the training corpus
	Index   []int                // their 0-based indices in the training corpus
	// records with a coefficient in any machine; 0 where that is not known, of records in shards
	SupportVectors int
	// over Support, y_i α_i of each machine: none for support vectors of other machines only
	Coef *stringkernel.Coefficients
	// a machine of each problem that was solved, with its certificate: those that Crammer and Singer's scheme trains
	// together, of all classes or of the children of a node, are one problem
	Problems []Binary
}

// Classifier merges the support vectors into a scorer for all machines at once.
func (m *Model) Classifier(ctx context.Context) (*Classifier, error) {
	if m.Scorer != nil {
		return m.Rule.Classifier(m.Kernel, m.Scorer)
	}
	s, err := m.Kernel.Merge(ctx, m.Support, m.Coef)
	if err != nil {
		return nil, fmt.Errorf("classify: merging %d support vectors: %w", m.Support.Len(), err)
	}
	return m.Rule.Classifier(m.Kernel, s)
}

// ErrBall is what asks for parts of the decision of a ball.
var ErrBall = errors.New("the decision of a ball has k(x, x), which is no sum over features or positions; predict, scan " +
	"and explain --mutagenesis need none")

// Classifier is [NewClassifier] with the scorer of a kernel's support vectors, to which the rule of a ball adds what
// [compose.HalfSelf] does.
func (d Rule) Classifier(k stringkernel.Kernel, s stringkernel.Scorer) (*Classifier, error) {
	if d.Ball {
		s = compose.HalfSelf(k, s)
	}
	return NewClassifier(d, s)
}
