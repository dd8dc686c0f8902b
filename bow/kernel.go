package bow

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kernel is the inner product of weighted counts of words and word n-grams: see the package comment. It is a
// self-contained [stringkernel.Fitter], unless Open; its Gram matrix has explicit rows, and scorers of a fitted or open
// kernel can be stored.
//
// The zero value counts lower-case words.
type Kernel struct {
	NGram      string             `json:"ngram" doc:"words per feature: n, or m-n for a range, up to 8; empty: 1"`
	Letters    bool               `json:"letters,omitempty" doc:"count character n-grams of space-padded words, not words"`
	Skip       int                `json:"skip,omitempty" doc:"words that an n-gram may leave out between its words, in all: 0…4"`
	Count      stringkernel.Count `json:"count,omitempty" doc:"raw, presence, sqrt, log, sublinear, min or chi2: the function of counts; the last two without tfidf or l1"`
	Binary     bool               `json:"binary,omitempty" doc:"count=presence: a word counts once, however often it occurs"`
	Sublinear  bool               `json:"sublinear,omitempty" doc:"count=sublinear: 1 + ln tf for a count tf"`
	TFIDF      bool               `json:"tfidf,omitempty" doc:"times 1 + ln((1 + n)/(1 + df)), df of n training documents having it"`
	LogEntropy bool               `json:"logentropy,omitempty" doc:"ln(1 + tf) times 1 − (entropy over training documents)/ln n"`
	Laplace    bool               `json:"laplace,omitempty" doc:"(tf + 1)/(T + V): T features in the document, V in the vocabulary"`
	L1         bool               `json:"l1,omitempty" doc:"scale weights of a document to sum 1; use without normalisation"`
	MinDF      float64            `json:"mindf,omitempty" doc:"minimum training documents with a feature; below 1 a share"`
	MaxDF      float64            `json:"maxdf,omitempty" above:"0" doc:"maximum training documents with a feature; up to 1 a share"`
	Open       bool               `json:"open,omitempty" doc:"words that training lacks count in k(x, x), as new letters do"`
	Case       bool               `json:"case,omitempty" doc:"keep upper and lower case apart"`
	NFKC       bool               `json:"nfkc,omitempty" doc:"bring words to Unicode's normal form NFKC, not NFC"`
	Stem       string             `json:"stem,omitempty" doc:"stem words of english, french, hungarian, norwegian, russian, spanish or swedish (Snowball)"`
	Stop       []string           `json:"stop,omitempty" doc:"words to leave out: english, words with colons between, or @FILE with one per line, # before a comment"`
	Dict       []string           `json:"dict,omitempty" doc:"count only these words, phrases and prefixes*: with colons between, or @FILE with one per line, # before a comment"`
	Delimiters []string           `json:"delimiters,omitempty" doc:"what separates words, with colons between: characters, comma, colon, slash, plus, minus, at or white"`
	Leaves     bool               `json:"leaves,omitempty" doc:"records are trees in brackets; the words are leaf labels"`
	After      string             `json:"after,omitempty" doc:"the word is the part of a leaf label after the first such string"`
	Before     string             `json:"before,omitempty" doc:"the word is the part of a leaf label before the last such string"`

	fitted   *fitted
	compiled *phrases // of Dict; nil before Compile
}

// Limits of parameters.
const (
	mostGram = 8
	mostSkip = 4
)

// Tokenizer returns how the kernel makes terms of a text.
func (k Kernel) Tokenizer() Tokenizer {
	return Tokenizer{
		KeepCase: k.Case, NFKC: k.NFKC, Stop: k.Stop, Stem: k.Stem, Leaves: k.Leaves, After: k.After, Before: k.Before,
		Delimiters: k.Delimiters,
	}
}

// Check returns an error that names the first parameter that is out of range or contradicts another.
func (k Kernel) Check() error {
	_, err := k.Compile()
	return err
}

// Compile builds the dictionary of Dict, if any, in time linear in its letters.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	if k.fitted != nil || k.compiled != nil {
		return k, nil // checked before
	}
	err := k.check()
	if err == nil {
		k.compiled, err = k.phrases()
	}
	if err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	return k, nil
}

func (k Kernel) check() error {
	shortest, longest, err := k.lengths()
	switch {
	case err != nil:
		return err
	case k.Letters && (k.Skip != 0 || len(k.Dict) > 0):
		return errors.New("letters cannot be used with skip or dict")
	case k.Skip < 0 || k.Skip > mostSkip:
		return fmt.Errorf("skip = %d, want 0…%d", k.Skip, mostSkip)
	case k.Skip > 0 && longest == 1:
		return fmt.Errorf("skip = %d with ngram = %d, want n-grams of 2 words or more", k.Skip, shortest)
	}
	if err := k.checkWeights(); err != nil {
		return err
	}
	return k.Tokenizer().Check()
}

// checkWeights returns an error for more than one weighting or limits out of range.
func (k Kernel) checkWeights() error {
	if err := k.Count.Check(); err != nil {
		return err
	}
	if !k.Count.Separable() && (k.TFIDF || k.L1) {
		return fmt.Errorf("count = %s cannot be used with tfidf or l1: it is of whole numbers", k.Count)
	}
	chosen := ""
	for _, w := range []struct {
		name string
		on   bool
	}{
		{"count", k.Count != ""}, {"binary", k.Binary}, {"sublinear", k.Sublinear},
		{"logentropy", k.LogEntropy}, {"laplace", k.Laplace},
	} {
		if w.on && chosen != "" {
			return fmt.Errorf("%s cannot be used with %s", chosen, w.name)
		}
		if w.on {
			chosen = w.name
		}
	}
	if k.TFIDF && (k.LogEntropy || k.Laplace) {
		return fmt.Errorf("%s cannot be used with tfidf", chosen)
	}
	if k.Open && (k.TFIDF || k.LogEntropy || k.Laplace || k.L1 || k.MinDF != 0 || k.MaxDF != 0 || len(k.Dict) > 0) {
		return errors.New("open cannot be used with tfidf, logentropy, laplace, l1, mindf, maxdf or dict")
	}
	for _, limit := range []struct {
		name  string
		value float64
	}{{"mindf", k.MinDF}, {"maxdf", k.MaxDF}} {
		if !(limit.value >= 0) || math.IsInf(limit.value, 0) {
			return fmt.Errorf("%s = %v, want a number of documents or a share of them", limit.name, limit.value)
		}
	}
	return nil
}

// function returns that of counts.
func (k Kernel) function() stringkernel.Count {
	switch {
	case k.Binary:
		return stringkernel.CountPresence
	case k.Sublinear:
		return stringkernel.CountSublinear
	}
	return k.Count
}

// lengths parses NGram.
func (k Kernel) lengths() (shortest, longest int, err error) {
	if k.NGram == "" {
		return 1, 1, nil
	}
	from, to, isRange := strings.Cut(k.NGram, "-")
	if !isRange {
		to = from
	}
	shortest, first := strconv.Atoi(from)
	longest, second := strconv.Atoi(to)
	if errors.Join(first, second) != nil || shortest < 1 || longest < shortest || longest > mostGram {
		return 0, 0, fmt.Errorf("ngram = %.20q, want n or m-n with 1 ≤ m ≤ n ≤ %d", k.NGram, mostGram)
	}
	return shortest, longest, nil
}

// phrases returns the explicit dictionary, nil without one.
func (k Kernel) phrases() (*phrases, error) {
	if len(k.Dict) == 0 || k.compiled != nil {
		return k.compiled, nil
	}
	return newPhrases(k.Tokenizer(), k.Dict)
}

// Traits says that the features are counts of words, that explanations are by word, that records are trees if the words
// are those of leaves, how many outputs are too many for the weights of a fitted kernel's vocabulary, and which entries
// of lists do not match what they say.
func (k Kernel) Traits() stringkernel.Traits {
	words := k.Tokenizer().cutter()
	t := stringkernel.Traits{Compile: k.Compile, WordCounts: true, EachUnit: words.eachWord}
	t.Warnings = func() []string {
		return append(k.Tokenizer().dictWarnings(k.Dict), k.Tokenizer().stopWarnings()...)
	}
	if k.Leaves {
		t.CheckRecord = checkTree
	}
	if k.fitted != nil || k.Open { // else what the words of each pair of texts are is not known
		t.Compare = k.compare
	}
	if k.fitted != nil {
		t.Fold = k.fold
		t.CheckOutputs = func(outputs int) error { return named(rows.CheckTable(k.fitted.vocabulary.Len(), outputs, outputs)) }
	}
	return t
}

// Fitter returns the kernel, nil if it is open: it does not depend on a corpus then.
func (k Kernel) Fitter() stringkernel.Fitter {
	if k.Open {
		return nil
	}
	return k
}

// SelfContained reports true: a stored scorer holds the vocabulary.
func (k Kernel) SelfContained() bool { return true }

// letterBytes is the memory of a letter at the peak of counting words, as measured on words of six letters and a space.
const letterBytes = 16

// Fit returns the kernel with the vocabulary, the document frequencies and the weights of c. O(N) for N bytes; it keeps
// c and its rows, so that support vectors need not be read again.
func (k Kernel) Fit(ctx context.Context, c *stringkernel.Corpus) (kernel stringkernel.Kernel, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if err := stringkernel.CheckIndex(c, letterBytes); err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	k.fitted = nil
	v, counted, err := k.learn(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	k.fitted = newFitted(c, v, counted)
	return k, nil
}

// Reference returns the corpus of a fitted kernel, else nil.
func (k Kernel) Reference() *stringkernel.Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.corpus
}

// Features returns the number of features of a fitted kernel, 0 if it is not fitted.
func (k Kernel) Features() int {
	if k.fitted == nil {
		return 0
	}
	return k.fitted.vocabulary.size
}

// Eval returns k(x, y) in O(|x| + |y|). Unless fitted, every word is a feature with g = 1 and V = 0, and each call
// reads the stop words and the dictionary again. It panics if the parameters fail Check.
func (k Kernel) Eval(x, y []byte) float64 {
	v := k.vocabularyOf(x, y)
	row := v.borrow()
	defer v.Return(row)
	weights := make(map[int32]float64)
	row.eachOf(x, func(node int32, value float64) { weights[node] = value })
	sum := 0.0
	row.eachOf(y, func(node int32, value float64) { sum += k.pair(weights[node], value) })
	return sum
}

// pair returns what a feature adds to the kernel whose values in two texts are a and b.
func (k Kernel) pair(a, b float64) float64 {
	if k.Count.Separable() {
		return float64(a * b)
	}
	return k.Count.Pair(int(a), int(b))
}

// SelfEval returns k(x, x) in one pass over x. It panics if the parameters fail Check.
func (k Kernel) SelfEval(x []byte) float64 {
	sum := 0.0
	if i, known := k.fitted.find(x); known {
		_, values := k.fitted.rows.Row(i)
		for _, value := range values {
			sum += k.pair(value, value)
		}
		return sum
	}
	if k.Open {
		v, table := k.countTexts(x)
		for _, count := range table.document(0).counts {
			value := v.local(int(count), 0)
			sum += k.pair(value, value)
		}
		return sum
	}
	v := k.vocabularyOf(x)
	row := v.borrow()
	defer v.Return(row)
	_ = row.Read(x) // there is no error
	return row.Self()
}

// vocabularyOf returns the vocabulary of a fitted kernel, else that of the texts with weight 1 for all features.
func (k Kernel) vocabularyOf(texts ...[]byte) *vocabulary {
	if k.fitted != nil {
		return k.fitted.vocabulary
	}
	v, _ := k.countTexts(texts...)
	v.setOnes()
	return v
}

// countTexts numbers the features of some texts and counts them.
func (k Kernel) countTexts(texts ...[]byte) (*vocabulary, *counted) {
	c, err := stringkernel.NewCorpus(texts, nil)
	if err != nil {
		panic("bow: " + err.Error()) // never: no names are given
	}
	v, table, err := k.count(context.Background(), c)
	if err != nil {
		panic("bow: Eval: " + err.Error())
	}
	return v, table
}

// Gram indexes a corpus: O(N) to count, 12 bytes per feature of a document.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (gram stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if k.fitted == nil {
		reference, err := k.Fit(ctx, c)
		if err != nil {
			return nil, err
		}
		k = reference.(Kernel)
	}
	if k.fitted.corpus == c {
		return k.gramOf(ctx, k.fitted.rows)
	}
	return k.gramOf(ctx, k.fitted.vocabulary.rowsOf(ctx, c, k.fitted))
}

// gramOf returns the matrix of rows of values.
func (k Kernel) gramOf(ctx context.Context, listed *rows.Rows) (*rows.Gram, error) {
	if !k.Count.Separable() {
		var err error
		if _, listed, err = k.occurrences(ctx, listed); err != nil {
			return nil, err
		}
	}
	return rows.NewGram(ctx, listed), nil
}

// occurrences numbers the occurrences of features in rows of counts, and returns rows of these.
func (k Kernel) occurrences(ctx context.Context, counts *rows.Rows) (*rows.Occurrences, *rows.Rows, error) {
	o, err := rows.NewOccurrences(k.Count, counts.Width(), counts.Len(), counts.Row)
	if err == nil {
		counts, err = o.Rows(ctx, counts)
	}
	return o, counts, named(err)
}

// named returns err, unless it is nil, with the name of the kernel.
func named(err error) error {
	if err != nil {
		err = fmt.Errorf("words: %w", err)
	}
	return err
}

// Merge folds the support vectors into a row of weights per feature. O(N + F·m) for N bytes, F features and m outputs.
// Of many outputs, features that few support vectors have keep these instead of weights: see listWeights.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (merged stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	v, closed := (*vocabulary)(nil), k.fitted != nil
	if closed {
		v = k.fitted.vocabulary
	} else if err := k.Check(); err != nil {
		return nil, err
	} else if v, err = k.collect(ctx, sv); err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	f, row := rows.Features(v), v.rowsOf(ctx, sv, k.fitted).Row
	if !k.Count.Separable() {
		o, err := rows.NewOccurrences(k.Count, v.Len(), sv.Len(), row)
		if err != nil {
			return nil, named(err)
		}
		f, row = occurring{v, o}, o.Row(row)
	}
	merged, err = rows.Merge(f, row, c, closed)
	return merged, named(err)
}

// Counts returns the kernel of plain counts of the same words, without any weighting but presence. It is not fitted.
func (k Kernel) Counts() Kernel {
	k.Sublinear, k.TFIDF, k.LogEntropy, k.Laplace, k.L1, k.Open = false, false, false, false, false, false
	if k.Count != stringkernel.CountPresence {
		k.Count = ""
	}
	k.fitted = nil
	return k
}
