package stringkernel

import (
	"errors"
	"fmt"
	"math"
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

func (s sumScorer) CanScoreBatch() bool { return slices.ContainsFunc(s.terms, CanScoreBatch) }

// ScoreBatchTo writes the mean of the terms.
func (s sumScorer) ScoreBatchTo(dst []float64, x [][]byte) {
	dst = dst[:len(x)*s.Outputs()]
	one := make([]float64, len(dst))
	clear(dst)
	for _, t := range s.terms {
		ScoreBatch(t, one, x)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(s.terms))
	}
}

func (g *sumGram) CanMulBlock() bool { return slices.ContainsFunc(g.terms, CanMulBlock) }

// MulBlockTo writes the mean over the terms' block products.
func (g *sumGram) MulBlockTo(dst, v [][]float64) {
	one := vectors(len(v), g.Len())
	for m := range v {
		clear(dst[m])
	}
	for _, t := range g.terms {
		MulBlock(t, one, v)
		for m := range v {
			for i, value := range one[m] {
				dst[m][i] += value
			}
		}
	}
	for m := range v {
		for i := range dst[m] {
			dst[m][i] /= float64(len(g.terms))
		}
	}
}

// DenseCost adds up the terms', all of which must have such a way. Which of them is too dear is not known before all are.
func (g *sumGram) DenseCost(float64) (matrix, product float64) {
	for _, t := range g.terms {
		m, p := DenseCost(t, math.Inf(1))
		matrix, product = matrix+m, product+p
	}
	return matrix, product
}

// DenseTo writes the mean of the terms' matrices, of which two are in memory.
func (g *sumGram) DenseTo(dst []float64) {
	clear(dst)
	one := make([]float64, len(dst))
	for _, t := range g.terms {
		denseTo(t, one)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(g.terms))
	}
}

// Family is that of the terms, in order.
func (k Sum) Family() string {
	terms := make([]string, len(k.Terms))
	for t, term := range k.Terms {
		terms[t] = FamilyOf(term)
	}
	return "sum(" + strings.Join(terms, "; ") + ")"
}

// Share indexes the corpus once per term.
func (k Sum) Share(c *Corpus, members []Kernel) (Shared, error) {
	s := sumShared{terms: make([]Shared, len(k.Terms))}
	for t := range k.Terms {
		var err error
		if s.terms[t], err = shareInside(c, members, func(m Kernel) Kernel { return m.(Sum).Terms[t] }); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return s, nil
}

type sumShared struct{ terms []Shared }

func (s sumShared) GramOf(k Kernel, train []int) (Gram, error) {
	g := &sumGram{terms: make([]Gram, len(s.terms))}
	for t, term := range k.(Sum).Terms {
		var err error
		if g.terms[t], err = s.terms[t].GramOf(term, train); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return g, nil
}

// CanListFeatures reports whether every term does.
func (s sumScorer) CanListFeatures() bool {
	return !slices.ContainsFunc(s.terms, func(t Scorer) bool { return !CanListFeatures(t) })
}

// TopFeatures ranks the features of all terms together, by what they add to the mean.
func (s sumScorer) TopFeatures(mix []float64, n int) []Feature {
	return StrongestWeights(s.union(func(t Scorer) []Feature { return listTop(t, mix, n) }), n)
}

// FeaturesOf ranks the features of all terms together.
func (s sumScorer) FeaturesOf(mix []float64, x []byte, n int) []Feature {
	return StrongestContributions(s.union(func(t Scorer) []Feature { return listOf(t, mix, x, n) }), n)
}

// union joins what the terms list, scaled to the mean.
func (s sumScorer) union(list func(Scorer) []Feature) (all []Feature) {
	for t, term := range s.terms {
		for _, f := range list(term) {
			f.Term = t
			f.Weight /= float64(len(s.terms))
			f.Contribution /= float64(len(s.terms))
			all = append(all, f)
		}
	}
	return all
}

// FeatureRows returns the terms' rows side by side, if all terms have them.
func (g *sumGram) FeatureRows() FeatureRows {
	rows := &sumRows{scale: 1 / math.Sqrt(float64(len(g.terms))), n: g.Len()}
	for _, t := range g.terms {
		term := RowsOf(t)
		if term == nil || rows.width > math.MaxUint32-term.Width() {
			return nil
		}
		rows.terms, rows.starts = append(rows.terms, term), append(rows.starts, rows.width)
		rows.width += term.Width()
	}
	return rows
}

// sumRows are the rows of m terms side by side, times 1/√m.
type sumRows struct {
	terms  []FeatureRows
	starts []int // of each term in a table
	width  int
	scale  float64
	n      int
}

func (r *sumRows) Width() int { return r.width }

func (r *sumRows) Scatter(t []float64, i int, a float64) {
	for m, term := range r.terms {
		term.Scatter(t[r.starts[m]:r.starts[m]+term.Width()], i, float64(a*r.scale))
	}
}

func (r *sumRows) Gather(t []float64, i int) float64 {
	sum := 0.0
	for m, term := range r.terms {
		sum += term.Gather(t[r.starts[m]:r.starts[m]+term.Width()], i)
	}
	return sum * r.scale
}

func (r *sumRows) Own(dst []float64) {
	one := make([]float64, r.n)
	clear(dst[:r.n])
	for _, term := range r.terms {
		term.Own(one)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst[:r.n] {
		dst[i] /= float64(len(r.terms))
	}
}

func (r *sumRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	for m, term := range r.terms {
		before := len(ids)
		ids, values = term.AppendRow(ids, values, i)
		for j := before; j < len(ids); j++ {
			ids[j] += uint32(r.starts[m])
			values[j] *= r.scale
		}
	}
	return ids, values
}

// Raw returns the mean of the raw scores of the terms.
func (s sumScorer) Raw() Scorer {
	raw := sumScorer{terms: make([]Scorer, len(s.terms))}
	for t, term := range s.terms {
		raw.terms[t] = Raw(term)
	}
	return raw
}

// Standalone reports whether every term is that depends on a corpus.
func (k Sum) Standalone() bool {
	return !slices.ContainsFunc(k.Terms, func(t Kernel) bool { return DependsOnCorpus(t) && !IsStandalone(t) })
}

// TrackTo writes the mean of the terms' scores.
func (s sumScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	trackMean(dst[:len(x)-window+1], len(s.terms), func(out []float64, t int) { Track(out, s.terms[t], m, x, window) })
}

// CanTrack reports whether all terms do.
func (s sumScorer) CanTrack() bool {
	for _, t := range s.terms {
		if !CanTrack(t) {
			return false
		}
	}
	return true
}

// TrackSelfTo writes the mean of the terms' k(w, w).
func (k Sum) TrackSelfTo(dst []float64, x []byte, window int) {
	trackMean(dst[:len(x)-window+1], len(k.Terms), func(out []float64, t int) { TrackSelf(out, k.Terms[t], x, window) })
}

// CanTrackSelf reports whether all terms do.
func (k Sum) CanTrackSelf() bool {
	for _, term := range k.Terms {
		if !CanTrackSelf(term) {
			return false
		}
	}
	return true
}

// trackMean writes the mean over terms of what track writes, summed in order as ScoreTo does.
func trackMean(dst []float64, terms int, track func(out []float64, t int)) {
	one := borrow(&trackPool, len(dst))
	defer trackPool.Put(one)
	clear(dst)
	for t := range terms {
		track(*one, t)
		for p, value := range *one {
			dst[p] += value
		}
	}
	for p := range dst {
		dst[p] /= float64(terms)
	}
}

// WindowLength returns the length of the first term that has one.
func (s sumScorer) WindowLength() int {
	for _, t := range s.terms {
		if length := WindowLength(t); length > 0 {
			return length
		}
	}
	return 0
}
