package stringkernel

import (
	"errors"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// BothStrands makes a kernel on nucleotides blind to the strand: φ_rc(x) = φ(x) + φ(rc(x)), so
// k_rc(x, y) = k(x, y) + k(x, rc y) + k(rc x, y) + k(rc x, rc y). A sequence and its reverse complement have the same score, to
// the bit.
//
// It wraps any kernel: both strands are indexed as two sequences that share a coefficient. Time and memory double.
type BothStrands struct {
	Kernel   Kernel
	Alphabet Alphabet // DNA or RNA

	fitted *strandPair
}

// strandPair is the corpus that Fit was given, and both strands of it, which the kernel inside was fitted to.
type strandPair struct {
	forward, both *Corpus
}

// Check checks the alphabet and the kernel inside.
func (k BothStrands) Check() error {
	if !k.Alphabet.Complementary() {
		return fmt.Errorf("rc: alphabet %q has no complement, want dna or rna", string(k.Alphabet))
	}
	if k.Kernel == nil {
		return errors.New("rc: no kernel inside")
	}
	return k.Kernel.Check()
}

// Eval returns k_rc(x, y).
func (k BothStrands) Eval(x, y []byte) float64 {
	rx, ry := k.Alphabet.ReverseComplementTo(nil, x), k.Alphabet.ReverseComplementTo(nil, y)
	same := k.Kernel.Eval(x, y) + k.Kernel.Eval(rx, ry)
	across := k.Kernel.Eval(x, ry) + k.Kernel.Eval(rx, y)
	return same + across
}

// SelfEval returns k_rc(x, x).
func (k BothStrands) SelfEval(x []byte) float64 {
	return jointSelfEval(k.Kernel, x, k.Alphabet.ReverseComplementTo(nil, x))
}

// Gram indexes both strands of the corpus. An unfitted kernel that depends on a corpus takes both strands of this one.
func (k BothStrands) Gram(c *Corpus) (Gram, error) {
	both := k.double(c)
	if reference(k.Kernel) == nil {
		inner, err := Fit(k.Kernel, both)
		if err != nil {
			return nil, err
		}
		k.Kernel = inner
	}
	inner, err := k.Kernel.Gram(both)
	if err != nil {
		return nil, err
	}
	return newStrandGram(k, inner, c), nil
}

// CheckOutputs asks the kernel inside.
func (k BothStrands) CheckOutputs(outputs int) error { return CheckOutputs(k.Kernel, outputs) }

// Merge merges both strands of every support vector.
func (k BothStrands) Merge(sv *Corpus, coef ...[]float64) (Scorer, error) {
	if err := CheckCoef(sv, coef); err != nil {
		return nil, fmt.Errorf("rc: %w", err)
	}
	doubled := make([][]float64, len(coef))
	for m := range coef {
		doubled[m] = append(append(make([]float64, 0, 2*sv.Len()), coef[m]...), coef[m]...)
	}
	inner, err := k.Kernel.Merge(k.double(sv), doubled...)
	if err != nil {
		return nil, err
	}
	return newStrandScorer(inner, k.Alphabet), nil
}

// double returns all sequences of c followed by their reverse complements. Of the corpus fitted to, it is the very corpus the kernel inside
// was fitted to, which that need not index twice then.
func (k BothStrands) double(c *Corpus) *Corpus {
	if k.fitted != nil && c == k.fitted.forward {
		return k.fitted.both
	}
	var b CorpusBuilder
	b.Grow(2*c.Len(), 2*c.Letters())
	for i := range c.Len() {
		b.Add(c.Name(i), c.Seq(i))
	}
	var rc []byte
	for i := range c.Len() {
		rc = k.Alphabet.ReverseComplementTo(rc, c.Seq(i))
		b.Add(c.Name(i), rc)
	}
	return b.Corpus()
}

// DependsOnCorpus reports whether the kernel inside does.
func (k BothStrands) DependsOnCorpus() bool { return DependsOnCorpus(k.Kernel) }

// Fit fits the kernel inside to both strands: each strand counts as a sequence.
func (k BothStrands) Fit(c *Corpus) (Kernel, error) {
	if !k.DependsOnCorpus() {
		return k, nil
	}
	both := k.double(c)
	inner, err := Fit(k.Kernel, both)
	if err != nil {
		return nil, err
	}
	return BothStrands{Kernel: inner, Alphabet: k.Alphabet, fitted: &strandPair{c, both}}, nil
}

// Reference returns the corpus that Fit was given, nil before.
func (k BothStrands) Reference() *Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.forward
}

// CanRestore reports whether the kernel inside restores scorers.
func (k BothStrands) CanRestore() bool { return CanRestore(k.Kernel) }

// Restore rebuilds the scorer of the kernel inside.
func (k BothStrands) Restore(arrays []Array) (Scorer, error) {
	inner, err := restore(k.Kernel, arrays)
	if err != nil {
		return nil, err
	}
	return newStrandScorer(inner, k.Alphabet), nil
}

// strandGram sees the doubled corpus: rows i and n + i are the two strands of sequence i.
type strandGram struct {
	inner   Gram
	n       int
	diag    []float64
	scratch sync.Pool
}

func newStrandGram(k BothStrands, inner Gram, c *Corpus) *strandGram {
	g := &strandGram{inner: inner, n: c.Len(), diag: make([]float64, c.Len())}
	parallel.For(g.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			g.diag[i] = k.SelfEval(c.Seq(i))
		}
	})
	return g
}

func (g *strandGram) Len() int { return g.n }

func (g *strandGram) RowBased() bool { return IsRowBased(g.inner) }

func (g *strandGram) Diag(dst []float64) { copy(dst, g.diag) }

func (g *strandGram) Row(dst []float64, i int) {
	both := borrow(&g.scratch, 2*g.n)
	defer g.scratch.Put(both)
	g.inner.Row(*both, i)
	for j := range dst[:g.n] {
		dst[j] = (*both)[j] + (*both)[g.n+j]
	}
	g.inner.Row(*both, g.n+i)
	for j := range dst[:g.n] {
		dst[j] += (*both)[j] + (*both)[g.n+j]
	}
}

func (g *strandGram) MulVecTo(dst, v []float64) {
	in, out := borrow(&g.scratch, 2*g.n), borrow(&g.scratch, 2*g.n)
	defer g.scratch.Put(in)
	defer g.scratch.Put(out)
	copy((*in)[:g.n], v)
	copy((*in)[g.n:], v)
	g.inner.MulVecTo(*out, *in)
	for j := range dst[:g.n] {
		dst[j] = (*out)[j] + (*out)[g.n+j]
	}
}

type strandScorer struct {
	inner    Scorer
	alphabet Alphabet
	scratch  *sync.Pool // of *strandScratch
}

type strandScratch struct {
	rc     []byte
	scores []float64
}

func newStrandScorer(inner Scorer, a Alphabet) strandScorer {
	return strandScorer{inner: inner, alphabet: a, scratch: &sync.Pool{New: func() any { return new(strandScratch) }}}
}

func (s strandScorer) Outputs() int { return s.inner.Outputs() }

// ScoreTo adds the strands' scores last, and addition commutes: that is why both strands give the same bits.
func (s strandScorer) ScoreTo(dst []float64, x []byte) {
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = resize(w.scores, s.Outputs())
	s.inner.ScoreTo(dst, x)
	s.inner.ScoreTo(w.scores, w.rc)
	for m, value := range w.scores {
		dst[m] += value
	}
}

func (s strandScorer) ExplainTo(dst []float64, m int, x []byte) {
	w := s.scratch.Get().(*strandScratch)
	defer s.scratch.Put(w)
	w.rc = s.alphabet.ReverseComplementTo(w.rc, x)
	w.scores = resize(w.scores, len(x))
	explain(s.inner, dst, m, x)
	explain(s.inner, w.scores, m, w.rc)
	for i := range w.scores {
		dst[i] += w.scores[len(x)-1-i]
	}
}

func (s strandScorer) CanExplain() bool { return CanExplain(s.inner) }

func (s strandScorer) Arrays() ([]Array, bool) { return arraysOf(s.inner) }
