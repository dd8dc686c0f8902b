package stringkernel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Sum is the mean of several kernels, (1/m)·Σ_t k_t(x, y): a concatenation of their feature spaces, so everything stays
// linear-time. The mean rather than the sum keeps k(x, x) = 1 when every term is normalised, so that C means the same.
type Sum struct {
	Terms []Kernel
}

// Check checks each term.
func (k Sum) Check() error {
	if len(k.Terms) == 0 {
		return errors.New("sum: no kernels, want at least 1")
	}
	for t, term := range k.Terms {
		if term == nil {
			return fmt.Errorf("sum: term %d: no kernel", t+1)
		}
		if err := term.Check(); err != nil {
			return fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return nil
}

// Eval returns the mean of the terms.
func (k Sum) Eval(x, y []byte) float64 {
	sum := 0.0
	for _, term := range k.Terms {
		sum += term.Eval(x, y)
	}
	return sum / float64(len(k.Terms))
}

// SelfEval returns the mean of the terms' k(x, x).
func (k Sum) SelfEval(x []byte) float64 {
	sum := 0.0
	for _, term := range k.Terms {
		sum += selfEval(term, x)
	}
	return sum / float64(len(k.Terms))
}

// JointSelfEval returns the mean of the terms' |φ(x) + φ(y)|².
func (k Sum) JointSelfEval(x, y []byte) float64 {
	sum := 0.0
	for _, term := range k.Terms {
		sum += jointSelfEval(term, x, y)
	}
	return sum / float64(len(k.Terms))
}

// Gram indexes the corpus once per term.
func (k Sum) Gram(c *Corpus) (Gram, error) {
	g := &sumGram{terms: make([]Gram, len(k.Terms))}
	for t, term := range k.Terms {
		var err error
		if g.terms[t], err = term.Gram(c); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return g, nil
}

// Merge merges each term.
func (k Sum) Merge(sv *Corpus, coef ...[]float64) (Scorer, error) {
	s := sumScorer{terms: make([]Scorer, len(k.Terms)), kernels: k.Terms}
	for t, term := range k.Terms {
		var err error
		if s.terms[t], err = term.Merge(sv, coef...); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return s, nil
}

// CheckOutputs asks the terms.
func (k Sum) CheckOutputs(outputs int) error {
	for t, term := range k.Terms {
		if err := CheckOutputs(term, outputs); err != nil {
			return fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return nil
}

// DependsOnCorpus reports whether any term does.
func (k Sum) DependsOnCorpus() bool {
	for _, term := range k.Terms {
		if DependsOnCorpus(term) {
			return true
		}
	}
	return false
}

// Fit fits the terms that depend on a corpus.
func (k Sum) Fit(c *Corpus) (Kernel, error) {
	fitted := Sum{Terms: make([]Kernel, len(k.Terms))}
	for t, term := range k.Terms {
		var err error
		if fitted.Terms[t], err = Fit(term, c); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return fitted, nil
}

// Reference returns the corpus the terms were fitted to, nil if none was.
func (k Sum) Reference() *Corpus {
	for _, term := range k.Terms {
		if c := reference(term); c != nil {
			return c
		}
	}
	return nil
}

// CanRestore reports whether every term restores scorers.
func (k Sum) CanRestore() bool {
	return !slices.ContainsFunc(k.Terms, func(t Kernel) bool { return !CanRestore(t) })
}

// Restore rebuilds each term from the arrays named "t/…", t its 0-based number.
func (k Sum) Restore(arrays []Array) (Scorer, error) {
	parts := make([][]Array, len(k.Terms))
	for _, a := range arrays {
		number, name, found := strings.Cut(a.Name, "/")
		t, err := strconv.Atoi(number)
		if !found || err != nil || t < 0 || t >= len(parts) {
			return nil, fmt.Errorf("sum: array %q belongs to none of %d terms", a.Name, len(parts))
		}
		parts[t] = append(parts[t], Array{Name: name, Data: a.Data})
	}
	s := sumScorer{terms: make([]Scorer, len(k.Terms)), kernels: k.Terms}
	for t, term := range k.Terms {
		var err error
		if s.terms[t], err = restore(term, parts[t]); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
		if s.terms[t].Outputs() != s.terms[0].Outputs() {
			return nil, fmt.Errorf("sum: term %d has %d outputs, term 1 has %d", t+1, s.terms[t].Outputs(), s.terms[0].Outputs())
		}
	}
	return s, nil
}

type sumGram struct {
	terms   []Gram
	scratch sync.Pool
}

func (g *sumGram) Len() int { return g.terms[0].Len() }

// RowBased reports true if any term is: its products dominate.
func (g *sumGram) RowBased() bool { return slices.ContainsFunc(g.terms, IsRowBased) }

func (g *sumGram) Diag(dst []float64) { g.mean(dst, func(t Gram, out []float64) { t.Diag(out) }) }

func (g *sumGram) Row(dst []float64, i int) {
	g.mean(dst, func(t Gram, out []float64) { t.Row(out, i) })
}

func (g *sumGram) MulVecTo(dst, v []float64) {
	g.mean(dst, func(t Gram, out []float64) { t.MulVecTo(out, v) })
}

// mean writes the mean over the terms of what write gives.
func (g *sumGram) mean(dst []float64, write func(t Gram, out []float64)) {
	one := borrow(&g.scratch, len(dst))
	defer g.scratch.Put(one)
	clear(dst)
	for _, t := range g.terms {
		write(t, *one)
		for i, value := range *one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(g.terms))
	}
}

type sumScorer struct {
	terms   []Scorer
	kernels []Kernel // of the terms; nil if their scores are raw
}

func (s sumScorer) Outputs() int { return s.terms[0].Outputs() }

func (s sumScorer) ScoreTo(dst []float64, x []byte) {
	dst = dst[:s.Outputs()]
	one := make([]float64, len(dst))
	clear(dst)
	for _, t := range s.terms {
		t.ScoreTo(one, x)
		for m, value := range one {
			dst[m] += value
		}
	}
	for m := range dst {
		dst[m] /= float64(len(s.terms))
	}
}

// SelfScoreTo is ScoreTo and returns the mean of the terms' k(x, x), each by its scorer if that knows.
func (s sumScorer) SelfScoreTo(dst []float64, x []byte) (self float64, ok bool) {
	if s.kernels == nil {
		s.ScoreTo(dst, x)
		return 0, false
	}
	dst = dst[:s.Outputs()]
	one := make([]float64, len(dst))
	clear(dst)
	for t, term := range s.terms {
		self += scoreSelf(s.kernels[t], term, one, x)
		for m, value := range one {
			dst[m] += value
		}
	}
	for m := range dst {
		dst[m] /= float64(len(s.terms))
	}
	return self / float64(len(s.terms)), true
}

func (s sumScorer) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	one := make([]float64, len(x))
	clear(dst)
	for _, t := range s.terms {
		explain(t, one, m, x)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(s.terms))
	}
}

func (s sumScorer) CanExplain() bool {
	for _, t := range s.terms {
		if !CanExplain(t) {
			return false
		}
	}
	return true
}

func (s sumScorer) Arrays() ([]Array, bool) {
	var all []Array
	for t, term := range s.terms {
		arrays, ok := arraysOf(term)
		if !ok {
			return nil, false
		}
		for _, a := range arrays {
			all = append(all, Array{Name: strconv.Itoa(t) + "/" + a.Name, Data: a.Data})
		}
	}
	return all, true
}
