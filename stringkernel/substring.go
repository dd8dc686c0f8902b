package stringkernel

import (
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/suffix"
)

// Substring is the exact-matching string kernel of Vishwanathan & Smola,
//
//	k(x, y) = Σ_{s ∈ 𝒜⁺} w_s #_s(x) #_s(y),
//
// over all substrings s, with a weight that depends on the length of s or, for tfidf, on its document frequency too. It runs on the
// suffix structures of package suffix: see the comment of this package for the algorithm and its cost.
//
// With weight=tfidf the kernel is a [Fitter]: document frequencies are those of the corpus it was fitted to, n its number of
// sequences. Unfitted, Gram takes the corpus it is given as that reference, while Eval and Merge know none: df(s) = n = 0 and the weight is φ.
// Eval and Merge of a fitted kernel index the reference once more, so they cost O(its letters) each; SelfEval and JointSelfEval index it once.
type Substring struct {
	Weight   Weighting `json:"weight" doc:"fixed (|s| = k), bounded (|s| ≤ k), constant, decay (λ^|s|), length (a list) or tfidf"`
	K        int       `json:"k,omitempty" doc:"length for fixed, longest length for bounded; bounds the length for constant, decay and tfidf"`
	Lambda   float64   `json:"lambda,omitempty" doc:"λ of decay, and of tfidf if given; below 1 unless k bounds the length"`
	Weights  []float64 `json:"weights,omitempty" doc:"weights of lengths 1, 2, … for weight=length: numbers with colons between, or @FILE"`
	Alphabet Alphabet  `json:"alphabet,omitempty" doc:"dna, rna, protein or bytes; other letters break matches"`

	fitted *fitted
}

// fitted is what a tfidf kernel knows of its reference corpus.
type fitted struct {
	corpus *Corpus
	once   sync.Once // the profile serves normalisation alone: made when first asked for
	paths  pathIndex
	err    error
}

// ShortestFeature returns the least length with a weight.
func (k Substring) ShortestFeature() int {
	switch k.Weight {
	case Fixed:
		return k.K
	case Length:
		return 1 + slices.IndexFunc(k.Weights, func(w float64) bool { return w > 0 })
	default:
		return 1
	}
}

// DependsOnCorpus reports whether the weighting is tfidf.
func (k Substring) DependsOnCorpus() bool { return k.Weight == TFIDF }

// Fit returns the kernel with document frequencies from c.
func (k Substring) Fit(c *Corpus) (Kernel, error) {
	if k.Weight == TFIDF {
		k.fitted = &fitted{corpus: c}
	}
	return k, nil
}

// Reference returns the corpus of a fitted tfidf kernel, else nil.
func (k Substring) Reference() *Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.corpus
}

// Eval returns k(x, y): a structure of the shorter sequence, and the matching statistics of the longer against it. It panics if the
// shorter one, with the reference of a fitted kernel, has 2³¹ letters or more.
func (k Substring) Eval(x, y []byte) float64 {
	if len(x) < len(y) || len(x) == len(y) && string(x) < string(y) {
		x, y = y, x // one order, so that Eval is symmetric to the bit
	}
	s, err := k.Merge(view(y), []float64{1})
	if err != nil {
		panic("stringkernel: Eval: " + err.Error()) // more letters than the package comment allows
	}
	value := make([]float64, 1)
	s.ScoreTo(value, x)
	return value[0]
}

// Gram indexes a corpus: O(N) time, memory as stated in the package comment. It fails beyond 2³¹ letters.
func (k Substring) Gram(c *Corpus) (Gram, error) {
	e := newEncoding(k.Alphabet, c, k.otherReference(c))
	var (
		g   *substringGram
		err error
	)
	if e.wide() {
		g, err = newSubstringGram[int32](k, c, e)
	} else {
		g, err = newSubstringGram[uint8](k, c, e)
	}
	if err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	return g, nil
}

// Merge folds support vectors into one annotated suffix structure: O(their letters).
func (k Substring) Merge(sv *Corpus, coef ...[]float64) (Scorer, error) {
	if err := CheckCoef(sv, coef); err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	e := newEncoding(k.Alphabet, sv, k.Reference())
	var (
		s   Scorer
		err error
	)
	if e.wide() {
		s, err = newSubstringScorer[int32](k, sv, coef, e)
	} else {
		s, err = newSubstringScorer[uint8](k, sv, coef, e)
	}
	if err != nil {
		return nil, fmt.Errorf("substring: %w", err)
	}
	return s, nil
}

// otherReference returns the reference corpus if it is another one than c.
func (k Substring) otherReference(c *Corpus) *Corpus {
	if r := k.Reference(); r != c {
		return r
	}
	return nil
}

// encoding maps letters to symbols of package suffix: 0 is a break, letters are 1 …. An alphabet of 256 letters is first cut down
// to the bytes that occur, so that the symbols fit a byte unless all 256 do.
type encoding struct {
	symbol [256]int32
	sigma  int
}

func newEncoding(a Alphabet, corpora ...*Corpus) encoding {
	e := encoding{sigma: a.Size() + 1}
	codes := a.Codes()
	if e.sigma <= 256 {
		for b, code := range codes {
			e.symbol[b] = int32(code) + 1
		}
		return e
	}
	e.sigma = 1
	used := bytesUsed(corpora)
	for b := range used {
		if used[b] {
			e.symbol[b] = int32(e.sigma)
			e.sigma++
		}
	}
	return e
}

func bytesUsed(corpora []*Corpus) (used [256]bool) {
	for _, c := range corpora {
		if c == nil {
			continue
		}
		for _, b := range c.arena {
			used[b] = true
		}
	}
	return used
}

// wide reports whether symbols need more than a byte.
func (e *encoding) wide() bool { return e.sigma > 256 }

// encode appends the symbols of x to dst.
func encode[S suffix.Symbol](e *encoding, dst []S, x []byte) []S {
	for _, b := range x {
		dst = append(dst, S(e.symbol[b]))
	}
	return dst
}

// newText lays the sequences of the corpora end to end; nil corpora are skipped.
func newText[S suffix.Symbol](e *encoding, corpora ...*Corpus) (*suffix.Text[S], error) {
	b := suffix.NewBuilder[S](e.sigma)
	var symbols []S
	for _, c := range corpora {
		if c == nil {
			continue
		}
		b.Grow(c.Len(), c.Letters())
		for i := range c.Len() {
			symbols = encode(e, symbols[:0], c.Seq(i))
			if err := b.Append(symbols); err != nil {
				return nil, err
			}
		}
	}
	return b.Text()
}
