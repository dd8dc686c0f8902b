package substring

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kernel is the exact-matching string kernel of Vishwanathan & Smola,
//
//	k(x, y) = Σ_{s ∈ 𝒜⁺} w_s #_s(x) #_s(y),
//
// over all substrings s, with a weight that depends on the length of s or, for tfidf, on its document frequency too. It
// runs on the suffix structures of package suffix: see the comment of this package for the algorithm and its cost.
//
// A symbol is a letter of the alphabet, or what Unit says. With Ends a record that has a symbol gets a mark on either
// side, which no text can contain: its prefixes and suffixes are separate features then, and #_s counts strings
// with marks. A mark is as long as a symbol.
//
// With Count a function of both counts takes the place of their product: see [stringkernel.Count] and this package's
// comment.
//
// With weight=tfidf the kernel is a [stringkernel.Fitter]: document frequencies are those of the corpus it was fitted
// to, n its number of sequences. Unfitted, Gram takes the corpus it is given as that reference, while Eval and Merge
// know none: df(s) = n = 0 and the weight is φ. Eval and Merge of a fitted kernel index the reference once more, so
// they cost O(its letters) each; SelfEval indexes it once.
type Kernel struct {
	Weight   Weighting             `json:"weight" doc:"fixed (|s| = k), bounded (|s| ≤ k), constant, decay (λ^|s|), length (a list) or tfidf"`
	K        int                   `json:"k,omitempty" above:"0" doc:"length for fixed, longest length for bounded; bounds the length for constant, decay and tfidf"`
	Lambda   float64               `json:"lambda,omitempty" above:"0" doc:"λ of decay, and of tfidf if given; below 1 unless k bounds the length"`
	Weights  []float64             `json:"weights,omitempty" doc:"weights of lengths 1, 2, … for weight=length: numbers with colons between, or @FILE"`
	Count    stringkernel.Count    `json:"count,omitempty"`
	Alphabet stringkernel.Alphabet `json:"alphabet,omitempty"`
	Unit     Unit                  `json:"unit,omitempty" doc:"byte (a letter of the alphabet; the default), rune (a code point of UTF-8) or word (of UAX #29)"`
	Ends     bool                  `json:"ends,omitempty" doc:"a mark before the first and behind the last letter or word of a record: a symbol of its own, that counts as one"`

	units    *Units // other ones than Unit names
	rc       bool   // count both strands; only of counts that are not raw
	fitted   *fitted
	compiled bool
}

// fitted is what a tfidf kernel knows of its reference corpus.
type fitted struct {
	corpus *stringkernel.Corpus
	lock   sync.Mutex // of paths
	paths  prefixes   // serves normalisation alone: made when first asked for
}

// index returns the index of the reference corpus. A caller whose context ends while it builds it leaves that to the
// next.
func (f *fitted) index(ctx context.Context, k Kernel) (prefixes, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.paths != nil {
		return f.paths, nil
	}
	s, err := k.Merge(ctx, new(stringkernel.Corpus), &stringkernel.Coefficients{Outputs: 1})
	if err != nil {
		return nil, err
	}
	f.paths = s.(prefixes)
	return f.paths, nil
}

// Traits says what the symbols are and how many letters a feature has at least.
func (k Kernel) Traits() stringkernel.Traits {
	t := stringkernel.Traits{Compile: k.Compile, MinLength: k.minLength(), Text: k.ReadsText()}
	if k.Count.Linear() {
		t.Compare, t.JointSelf = k.Compare, k.jointSelf
	}
	if k.fitted != nil {
		t.Prepare = func(ctx context.Context) (err error) {
			defer cancel.Catch(&err)
			_, err = k.fitted.index(ctx, k)
			return err
		}
	}
	return t
}

// minLength returns the least number of letters with a weight: 1 of units that may be of any number of bytes.
func (k Kernel) minLength() int {
	least := 1
	switch {
	case k.ReadsText():
	case k.Weight == Fixed:
		least = k.K
	case k.Weight == Length:
		least = 1 + slices.IndexFunc(k.Weights, func(w float64) bool { return w > 0 })
	}
	return max(1, least-int(k.marks()))
}

// Fitter returns the kernel if the weighting is tfidf, else nil.
func (k Kernel) Fitter() stringkernel.Fitter {
	if k.Weight != TFIDF {
		return nil
	}
	return k
}

// SelfContained reports false: norms of windows and of both strands need the reference.
func (k Kernel) SelfContained() bool { return false }

// Fit returns the kernel with document frequencies from c.
func (k Kernel) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	if k.Weight == TFIDF {
		k.fitted = &fitted{corpus: c}
	}
	return k, nil
}

// Reference returns the corpus of a fitted tfidf kernel, else nil.
func (k Kernel) Reference() *stringkernel.Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.corpus
}

// Eval returns k(x, y): a structure of the shorter sequence, and the matching statistics of the longer against it. It
// panics if the shorter one, with the reference of a fitted kernel, has 2³¹ letters or more.
func (k Kernel) Eval(x, y []byte) float64 {
	if len(x) < len(y) || len(x) == len(y) && string(x) < string(y) {
		x, y = y, x // one order, so that Eval is symmetric to the bit
	}
	s, err := stringkernel.Merge(context.Background(), k, stringkernel.View(y), []float64{1})
	if err != nil {
		panic("stringkernel: Eval: " + err.Error()) // more letters than the package comment allows
	}
	value := make([]float64, 1)
	s.ScoreTo(value, x)
	return value[0]
}

// Gram indexes a corpus: O(N) time, memory as stated in the package comment. It fails beyond 2³¹ letters.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (g stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if p, is := k.counted(); is {
		return p.Gram(ctx, c)
	}
	if !k.Count.Linear() {
		return throughCount(k).gram(ctx, c)
	}
	return k.treeGram(ctx, c)
}

// Merge folds support vectors into one annotated suffix structure: O(their letters).
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (scorer stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	if !k.Count.Linear() {
		return throughCount(k).merge(ctx, sv, c)
	}
	e := newEncoding(k, sv, k.Reference())
	build := mergeCompact
	if e.wide() {
		build = newScorer
	}
	s, err := build(ctx, k, sv, c.Dense(), e)
	if err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	return s, nil
}

// beside returns the records of the reference that a text has behind those of c, and the number of the reference's
// first document there: 0 if all records of c are of the reference.
func (k Kernel) beside(c *stringkernel.Corpus) (others *stringkernel.Corpus, first int) {
	r := k.Reference()
	if r == nil {
		return nil, c.Len()
	}
	if r == c {
		return nil, 0
	}
	copies := make(map[string]int, c.Len())
	for i := range c.Len() {
		copies[string(c.Seq(i))]++
	}
	var rest []int
	for i := range r.Len() {
		if x := string(r.Seq(i)); copies[x] > 0 {
			copies[x]--
		} else {
			rest = append(rest, i)
		}
	}
	if len(rest)+c.Len() > r.Len() {
		return r, c.Len()
	}
	return r.Subset(rest), 0
}

// mostPacked is the length of the longest nucleotide substrings that package spectrum counts for this kernel: a table
// of all 4⁹ takes less memory than an index of a megabase. Through a function, which makes a tree of each query, longer
// ones pay: those of one length, and of all lengths up to mostFolded, beyond which a model would take much memory.
const (
	mostPacked = 9
	mostFolded = 10
)

// Compile checks the parameters. The compiled kernel of short nucleotide substrings is that of package spectrum, which
// counts them in less time and memory than a suffix tree takes, and so are matrices of those of up to 32 letters.
// Values of raw counts are whole numbers, and so have the same bits.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	if err := k.Check(); err != nil {
		return k, err
	}
	k.compiled = true
	if p, is := k.counted(); is && (k.K <= mostPacked || !k.Count.Linear()) {
		return p, nil
	}
	return k, nil
}

// counted returns the kernel of package spectrum that has the same features, if the kernel is compiled and these are of
// nucleotides and short enough to be numbers. Raw counts of longer ones than mostPacked are in training alone: in a
// model they would take more memory than support vectors do.
func (k Kernel) counted() (p spectrum.Kernel, is bool) {
	p = spectrum.Kernel{K: k.K, Bounded: k.Weight == Bounded, Count: k.Count, Alphabet: k.Alphabet}
	is = k.compiled && (k.Weight == Fixed || k.Weight == Bounded) && !k.ReadsText() && !k.Ends &&
		k.Alphabet.Complementary() && p.Check() == nil && (k.Count.Linear() || k.Weight == Fixed || k.K <= mostFolded)
	if is && k.rc {
		p = p.Stranded().BothStrands().(spectrum.Kernel)
	}
	return p, is
}
