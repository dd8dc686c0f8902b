package markov

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kernel is the Fisher kernel of a Markov chain, or with Top the TOP kernel of one chain per class; the package comment
// has the definitions. It is a self-contained [stringkernel.Fitter]; before it is fitted all θ are 1/σ and all ν_a 1.
type Kernel struct {
	Order      int                   `json:"order" doc:"letters before a letter that its probability depends on"`
	Positional bool                  `json:"positional,omitempty" doc:"probabilities at each position of windows of one length"`
	Top        bool                  `json:"top,omitempty" doc:"a chain for each class and their log odds (TOP), not one chain for all records (Fisher)"`
	Odds       float64               `json:"odds,omitempty" above:"0" doc:"with top: times the log odds, beside their derivatives; 1 if not given"`
	Pseudo     float64               `json:"pseudo" doc:"pseudocount of each letter after each context"`
	Alphabet   stringkernel.Alphabet `json:"alphabet" doc:"dna, rna, protein, bytes or groups of amino acids, as murphy10; letters outside it do not count"`

	rc     bool
	fitted *fitted
}

// fitted is what a kernel has learned, and from what.
type fitted struct {
	*chains
	corpus *stringkernel.Corpus
}

// Limits of parameters.
const (
	mostWords  = 1 << 24 // σ^(order + 1)
	mostPseudo = 1e9
	mostOdds   = 1e6
)

// Check returns an error that names the first parameter out of range.
func (k Kernel) Check() error {
	if err := k.Alphabet.Check(); err != nil {
		return fmt.Errorf("markov: %w", err)
	}
	most := int(math.Log(mostWords)/math.Log(float64(k.Alphabet.Size()))+1e-9) - 1
	switch {
	case k.Order < 0 || k.Order > most:
		return fmt.Errorf("markov: order = %d, want 0…%d for %d letters", k.Order, most, k.Alphabet.Size())
	case !(k.Pseudo > 0 && k.Pseudo <= mostPseudo):
		return fmt.Errorf("markov: pseudo = %v, want above 0, at most %g", k.Pseudo, float64(mostPseudo))
	case k.Odds != 0 && !k.Top:
		return fmt.Errorf("markov: odds = %v without top, whose log odds it weighs", k.Odds)
	case !(k.Odds >= 0 && k.Odds <= mostOdds):
		return fmt.Errorf("markov: odds = %v, want above 0, at most %g", k.Odds, float64(mostOdds))
	}
	return nil
}

// BothStrands returns the kernel that counts both strands, φ(x) + φ(rc(x)); chains count each strand as a record.
func (k Kernel) BothStrands() stringkernel.Kernel {
	k.rc = true
	return k
}

// OneStrand returns the kernel that counts one strand, and whether k counts both.
func (k Kernel) OneStrand() (one stringkernel.Kernel, both bool) {
	both = k.rc
	k.rc = false
	return k, both
}

// Traits says that a letter is a feature, whether the kernel learns from classes, and how many outputs are too many for
// the weights of its cells.
func (k Kernel) Traits() stringkernel.Traits {
	t := stringkernel.Traits{MinLength: 1, OfClasses: k.Top}
	if k.fitted != nil {
		t.CheckOutputs = func(outputs int) error {
			return rows.CheckTable(int(k.fitted.width(k.fitted.length)), outputs, 2*outputs)
		}
	}
	return t
}

// SelfContained reports true: a stored scorer holds the counts of the chains.
func (k Kernel) SelfContained() bool { return true }

// Reference returns the corpus of a fitted kernel, else nil.
func (k Kernel) Reference() *stringkernel.Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.corpus
}

// Fit returns the kernel with the chain of c or, with Top, with those of the classes of its records, of which there
// must be two or more ([stringkernel.Corpus.WithClasses]). It takes the time and memory of [Kernel.Learn].
func (k Kernel) Fit(ctx context.Context, c *stringkernel.Corpus) (kernel stringkernel.Kernel, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	groups := [][]int{nil}
	if k.Top {
		if groups, err = classes(c); err != nil {
			return nil, err
		}
	}
	l := newLayout(k, longest(c))
	if err := l.check(c, len(groups)); err != nil {
		return nil, err
	}
	k.fitted = &fitted{&chains{layout: l, weight: cmp.Or(k.Odds, 1)}, c}
	for _, records := range groups {
		k.fitted.all = append(k.fitted.all, k.learn(ctx, l, c, records))
	}
	return k, nil
}

// classes lists the records of each class that occurs, by its number.
func classes(c *stringkernel.Corpus) ([][]int, error) {
	of := c.Classes()
	if of == nil {
		return nil, fmt.Errorf("markov: top: %w: want labels, or markov without top", stringkernel.ErrNoClasses)
	}
	numbers := slices.Compact(slices.Sorted(slices.Values(of)))
	if len(numbers) < 2 {
		return nil, fmt.Errorf("markov: top needs records of two classes or more, these are of %d", len(numbers))
	}
	groups := make([][]int, len(numbers))
	for i, class := range of {
		number, _ := slices.BinarySearch(numbers, class)
		groups[number] = append(groups[number], i)
	}
	return groups, nil
}

// chains returns those of a fitted kernel, else one that knows nothing.
func (k Kernel) chains() *chains {
	if k.fitted != nil {
		return k.fitted.chains
	}
	l := newLayout(k, unlimited)
	return &chains{layout: l, all: []*Chain{uniform(l)}}
}

// Eval returns k(x, y) in O(σ(|x| + |y|)) for each chain.
func (k Kernel) Eval(x, y []byte) float64 { return k.chains().eval(x, y) }

// SelfEval returns k(x, x).
func (k Kernel) SelfEval(x []byte) float64 {
	m := k.chains()
	w := m.take(x)
	defer profiles.Put(w)
	return m.square(w)
}

// Gram lists the features of a corpus; see the package comment for time and memory. A kernel that is not fitted is
// fitted to c.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (g stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if k.fitted == nil {
		fitted, err := k.Fit(ctx, c)
		if err != nil {
			return nil, err
		}
		k = fitted.(Kernel)
	}
	listed, err := k.fitted.rows(ctx, c, k.fitted.known(c))
	if err != nil {
		return nil, err
	}
	return rows.NewGram(ctx, listed), nil
}

// Merge folds support vectors into a weight per cell and output.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (merged stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("markov: %w", err)
	}
	m := k.chains()
	length := m.length
	if k.fitted == nil {
		length = m.known(sv)
	}
	return m.merge(ctx, sv, c, length)
}

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, their number), "records" ([]float64, of each chain),
// "counts" ([]float64, the N_ab of each chain by cell) and "weights" ([]float64, one per output for each cell); nil for
// one of a kernel that was not fitted. Cells are the words of one letter, then those of two, up to order letters, and
// then those of order + 1 letters, with positional at each place from there on; words of one length are in the order of
// the alphabet.
func (k Kernel) Arrays(s stringkernel.Scorer) []stringkernel.Array { return s.(*scorer).arrays() }

// Restore rebuilds a scorer from its arrays, to the same bits of every score. It returns an error if an array is
// missing, unknown, duplicate, or of another type or length than the others say, or if a number is not finite or a
// count negative.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return stored.Restore(k, "markov", arrays, k.restore)
}
