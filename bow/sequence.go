package bow

import (
	"context"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// Word is the Unit of a [Sequence] that counts sequences of words.
const Word substring.Unit = "word"

// Sequence is the substring kernel over letters, code points or, with Unit Word, the terms of a [Tokenizer]:
//
//	k(x, y) = Σ_s w_s #_s(x) #_s(y)
//
// over all sequences s of terms, of any length, under any weighting of [substring.Kernel], on the same suffix structure
// and so in linear time. Words are those of [EachWord]; nothing breaks a sequence of them. Stop words are removed
// first: terms on both sides of one are adjacent, as in an n-gram of [Kernel].
//
// The vocabulary is open: a word absent from the training documents counts in k(x, x).
type Sequence struct {
	substring.Kernel `json:",inline"`

	Case       bool     `json:"case,omitempty" doc:"keep upper and lower case of words apart"`
	NFKC       bool     `json:"nfkc,omitempty" doc:"bring words to Unicode's normal form NFKC, not NFC"`
	Stem       string   `json:"stem,omitempty" doc:"stem words of english, french, hungarian, norwegian, russian, spanish or swedish (Snowball)"`
	Stop       []string `json:"stop,omitempty" doc:"words to leave out: english, words with colons between, or @FILE with one per line, # before a comment"`
	Delimiters []string `json:"delimiters,omitempty" doc:"what separates words, with colons between: characters, comma, colon, slash, plus, minus, at or white"`

	units *substring.Units // of Unit Word; nil before Compile
}

// Tokenizer returns how the kernel makes terms of a text, with Unit Word.
func (k Sequence) Tokenizer() Tokenizer {
	return Tokenizer{KeepCase: k.Case, NFKC: k.NFKC, Stop: k.Stop, Stem: k.Stem, Delimiters: k.Delimiters}
}

// Check returns an error that names the first parameter that is out of range or meaningless with the unit.
func (k Sequence) Check() error {
	if err := k.checkWords(); err != nil {
		return fmt.Errorf("substring: %w", err)
	}
	return k.engine().Check()
}

func (k Sequence) checkWords() error {
	switch k.Unit {
	case Word:
		return k.Tokenizer().Check()
	case "", substring.ByteUnit, substring.RuneUnit:
	default:
		return fmt.Errorf("unit = %.20q, want byte, rune or word", string(k.Unit))
	}
	if k.Case || k.NFKC || k.Stem != "" || len(k.Stop)+len(k.Delimiters) > 0 {
		return errors.New("case, nfkc, stem, stop and delimiters need unit=word")
	}
	return nil
}

// Compile compiles the substring kernel of letters, which may be that of another package. For words it reads the stop
// words, and prepares a table of words that the norms of several texts share.
func (k Sequence) Compile() (stringkernel.Kernel, error) {
	if err := k.checkWords(); err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	if k.Unit == Word {
		if k.units == nil {
			k.units = newUnits(k.Tokenizer())
		}
		return k, k.engine().Check()
	}
	compiled, err := k.Kernel.Compile()
	if err != nil {
		return nil, err
	}
	if counted, is := compiled.(spectrum.Kernel); is {
		return countedSequence{counted, k}, nil
	}
	k.Kernel = compiled.(substring.Kernel)
	return k, nil
}

// countedSequence is the kernel of package spectrum that has the features of a sequence of letters.
type countedSequence struct {
	spectrum.Kernel
	source Sequence
}

// Source returns the kernel that was compiled.
func (k countedSequence) Source() stringkernel.Kernel { return k.source }

// engine returns the kernel of package substring over the units.
func (k Sequence) engine() substring.Kernel {
	switch {
	case k.Unit != Word:
		return k.Kernel
	case k.units == nil:
		return k.Over(newUnits(k.Tokenizer()))
	default:
		return k.Over(k.units)
	}
}

// Traits are those of the substring kernel; contributions are of words with Unit Word.
func (k Sequence) Traits() stringkernel.Traits {
	t := k.Kernel.Traits()
	t.Compile = k.Compile
	if k.Unit == Word {
		words := k.Tokenizer().cutter()
		t.EachUnit, t.Warnings = words.eachWord, k.Tokenizer().stopWarnings
		t.JointSelf = nil // words have no complement
		if t.Compare != nil {
			t.Compare = func(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
				return k.engine().Compare(ctx, c)
			}
		}
	}
	return t
}

// Eval returns k(x, y) in O(|x| + |y|).
func (k Sequence) Eval(x, y []byte) float64 { return k.engine().Eval(x, y) }

// Gram indexes a corpus: O(N), see [substring.Kernel.Gram].
func (k Sequence) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.engine().Gram(ctx, c)
}

// Stranded has counts of both strands added before a function sees them: see [substring.Kernel.Stranded].
func (k Sequence) Stranded() compose.Stranded {
	if k.Kernel.Stranded() == nil {
		return nil
	}
	return strandedSequence(k)
}

type strandedSequence Sequence

func (k strandedSequence) BothStrands() stringkernel.Kernel {
	k.Kernel = k.Kernel.Stranded().BothStrands().(substring.Kernel)
	return Sequence(k)
}

func (k strandedSequence) OneStrand() (one stringkernel.Kernel, both bool) {
	kernel, both := k.Kernel.Stranded().OneStrand()
	k.Kernel = kernel.(substring.Kernel)
	return Sequence(k), both
}

// Merge folds support vectors into one annotated suffix structure: O(their letters).
func (k Sequence) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.engine().Merge(ctx, sv, c)
}

// Fitter returns the kernel if the weighting is tfidf, else nil.
func (k Sequence) Fitter() stringkernel.Fitter {
	if k.Weight != substring.TFIDF {
		return nil
	}
	return k
}

// Fit returns the kernel with document frequencies from c.
func (k Sequence) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	compiled, err := k.Compile()
	if err != nil {
		return nil, err
	}
	k = compiled.(Sequence)
	fitted, err := k.engine().Fit(ctx, c)
	if err != nil {
		return nil, err
	}
	k.Kernel = fitted.(substring.Kernel)
	return k, nil
}

// SelfEval returns k(x, x) in O(|x|).
func (k Sequence) SelfEval(x []byte) float64 { return k.engine().SelfEval(x) }

var _ substring.UnitSpeller = (*unitReader)(nil)
