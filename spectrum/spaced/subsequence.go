package spaced

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Subsequence is the subsequence kernel of Lodhi et al. (2002),
//
//	k(x, y) = Σ_u Σ_{i: u = x[i]} Σ_{j: u = y[j]} λ^{span(i) + span(j)}
//
// over the words u of K letters and the choices i and j of K places, ascending, at which x and y have the letters of u;
// span(i) = i_K − i_1 + 1. With Span only choices of at most that many letters count: C(Span − 1, K − 1) of them begin
// at a letter, and the kernel has explicit features. Span 0 leaves none out, by the recurrence of the paper in
// O(K·|x|·|y|) for a value: products are of rows then, and scores of values with the support vectors. Letters outside
// the alphabet belong to no word, and may lie between those of one.
type Subsequence struct {
	K        int                   `json:"k" doc:"letters of a subsequence"`
	Span     int                   `json:"span" doc:"the most letters from its first to its last; 0: any, by pairs"`
	Lambda   float64               `json:"lambda" doc:"λ in (0, 1]: an occurrence weighs λ^span"`
	Alphabet stringkernel.Alphabet `json:"alphabet" doc:"dna, rna, protein, bytes or groups of amino acids, as murphy10; letters outside it are skipped"`
}

// Check returns an error if a parameter is out of range.
func (k Subsequence) Check() error {
	if err := kmer.Check("k", k.Alphabet, k.K); err != nil {
		return fmt.Errorf("subsequence: %w", err)
	}
	switch {
	case !(k.Lambda > 0 && k.Lambda <= 1):
		return fmt.Errorf("subsequence: lambda = %v, want above 0 and at most 1", k.Lambda)
	case k.Span != 0 && (k.Span < k.K || k.Span > mostSpan):
		return fmt.Errorf("subsequence: span = %d, want k = %d…%d, or 0 for any", k.Span, k.K, mostSpan)
	case k.Span != 0 && elementary.Choices(k.Span-1, k.K-1) > mostMasks:
		return fmt.Errorf("subsequence: %.0f choices of %d letters within %d, want at most %d: take a shorter span",
			elementary.Choices(k.Span-1, k.K-1), k.K, k.Span, mostMasks)
	}
	return nil
}

// features returns the feature map: a mask for each choice of places within a span.
func (k Subsequence) features() *features {
	f := &features{alphabet: k.Alphabet, together: true, above: 64}
	k.choose(f, []int{0})
	return f
}

// choose adds the masks that begin with the offsets chosen.
func (k Subsequence) choose(f *features, offsets []int) {
	last := offsets[len(offsets)-1]
	if len(offsets) == k.K {
		weight := 1.0
		for range last + 1 {
			weight *= k.Lambda
		}
		f.masks = append(f.masks, mask{append([]int{}, offsets...), weight})
		return
	}
	for o := last + 1; o < k.Span; o++ {
		k.choose(f, append(offsets, o))
	}
}

// engine lists the words of records, or without a bound of the span compares records.
func (k Subsequence) engine() stringkernel.Kernel {
	if k.Span == 0 {
		return recurrence{k}
	}
	return kernel("subsequence", k, k.features)
}

// Traits says that features have at least K letters.
func (k Subsequence) Traits() stringkernel.Traits {
	return stringkernel.Traits{MinLength: k.K, Compare: stringkernel.TraitsOf(k.engine()).Compare}
}

// Eval returns k(x, y).
func (k Subsequence) Eval(x, y []byte) float64 { return k.engine().Eval(x, y) }

// SelfEval returns k(x, x) with a bound of the span.
func (k Subsequence) SelfEval(x []byte) float64 { return k.engine().SelfEval(x) }

// Enumerator lists words where the span is bounded; nil for any span.
func (k Subsequence) Enumerator() stringkernel.Enumerator {
	return stringkernel.EnumeratorOf(k.engine())
}

// Gram lists the features of a corpus, or takes it as it is without a bound of the span.
func (k Subsequence) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.engine().Gram(ctx, c)
}

// Merge folds support vectors into a weight per word and output, or keeps them as they are.
func (k Subsequence) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.engine().Merge(ctx, sv, c)
}

// Restorer stores words as [Kernel.Restorer] does, without a number of a mask; nil without a bound of the span.
func (k Subsequence) Restorer() stringkernel.Restorer { return stringkernel.RestorerOf(k.engine()) }

// recurrence is the kernel without a bound of the span.
type recurrence struct{ kernel Subsequence }

// Check returns the error of the parameters.
func (r recurrence) Check() error { return r.kernel.Check() }

// SelfEval returns k(x, x).
func (r recurrence) SelfEval(x []byte) float64 { return r.Eval(x, x) }

// Gram takes the corpus as it is.
func (r recurrence) Gram(_ context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return stringkernel.DirectGram{Kernel: r, Corpus: c}, r.Check()
}

// Merge keeps the support vectors.
func (r recurrence) Merge(
	_ context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := cmp.Or(r.Check(), c.Check(sv)); err != nil {
		return nil, err
	}
	return stringkernel.NewComparisonScorer(stringkernel.DirectComparison(r, sv), c), nil
}

// Eval returns k(x, y). open[i][j] is the sum, over the words of n letters in the
// prefixes of i and j letters, of λ to the numbers of letters from their first to the ends of the prefixes: K′_n in the
// paper.
func (r recurrence) Eval(x, y []byte) float64 {
	k := r.kernel
	codes, width := k.Alphabet.Codes(), len(y)+1
	size := (len(x) + 1) * width
	open, next := slices.Repeat([]float64{1}, size), make([]float64, size)
	square := float64(k.Lambda * k.Lambda)
	same := func(i, j int) bool { return x[i] == y[j] && codes[x[i]] != stringkernel.Outside }
	for n := 1; n < k.K; n++ {
		clear(next[:width])
		for i := range x {
			row, above := next[(i+1)*width:(i+2)*width], next[i*width:(i+1)*width]
			row[0] = 0
			ending := 0.0 // of words whose last letter is x[i]: K″_n
			for j := range y {
				ending = float64(ending * k.Lambda)
				if same(i, j) {
					ending += float64(square * open[i*width+j])
				}
				row[j+1] = float64(k.Lambda*above[j+1]) + ending
			}
		}
		open, next = next, open
	}
	sum := 0.0
	for i := range x {
		for j := range y {
			if same(i, j) {
				sum += float64(square * open[i*width+j])
			}
		}
	}
	return sum
}
