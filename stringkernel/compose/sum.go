package compose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Mean is the mean of several kernels, (1/m)·Σ_t k_t(x, y): a concatenation of their feature spaces, so everything stays
// linear-time. The mean rather than the sum keeps k(x, x) = 1 when every term is normalised, so that C means the same.
type Mean struct {
	Terms []stringkernel.Kernel
}

// Check checks each term.
func (k Mean) Check() error {
	_, err := k.Compile()
	return err
}

// Compile compiles each term.
func (k Mean) Compile() (stringkernel.Kernel, error) {
	if len(k.Terms) == 0 {
		return nil, errors.New("sum: no kernels, want at least 1")
	}
	terms := make([]stringkernel.Kernel, len(k.Terms))
	for t, term := range k.Terms {
		if term == nil {
			return nil, fmt.Errorf("sum: term %d: no kernel", t+1)
		}
		var err error
		if terms[t], err = stringkernel.Compile(term); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return Mean{Terms: terms}, nil
}

// Eval returns the mean of the terms.
func (k Mean) Eval(x, y []byte) float64 {
	sum := 0.0
	for _, term := range k.Terms {
		sum += term.Eval(x, y)
	}
	return sum / float64(len(k.Terms))
}

// SelfEval returns the mean of the terms' k(x, x).
func (k Mean) SelfEval(x []byte) float64 {
	sum := 0.0
	for _, term := range k.Terms {
		sum += stringkernel.SelfEval(term, x)
	}
	return sum / float64(len(k.Terms))
}

// JointSelfEval returns the mean of the terms' |φ(x) + φ(y)|².
func (k Mean) JointSelfEval(x, y []byte) float64 {
	sum := 0.0
	for _, term := range k.Terms {
		sum += stringkernel.JointSelfEval(term, x, y)
	}
	return sum / float64(len(k.Terms))
}

// Gram indexes the corpus once per term.
func (k Mean) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	g := &meanGram{terms: make([]stringkernel.Gram, len(k.Terms))}
	for t, term := range k.Terms {
		var err error
		if g.terms[t], err = term.Gram(ctx, c); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return g, nil
}

// Merge merges each term.
func (k Mean) Merge(ctx context.Context, sv *stringkernel.Corpus, coef ...[]float64) (stringkernel.Scorer, error) {
	s := meanScorer{terms: make([]stringkernel.Scorer, len(k.Terms)), kernels: k.Terms}
	for t, term := range k.Terms {
		var err error
		if s.terms[t], err = term.Merge(ctx, sv, coef...); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return s, nil
}

// CheckOutputs asks the terms.
func (k Mean) CheckOutputs(outputs int) error {
	for t, term := range k.Terms {
		if err := stringkernel.CheckOutputs(term, outputs); err != nil {
			return fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return nil
}

// DependsOnCorpus reports whether any term does.
func (k Mean) DependsOnCorpus() bool {
	for _, term := range k.Terms {
		if stringkernel.DependsOnCorpus(term) {
			return true
		}
	}
	return false
}

// Fit fits the terms that depend on a corpus.
func (k Mean) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	fitted := Mean{Terms: make([]stringkernel.Kernel, len(k.Terms))}
	for t, term := range k.Terms {
		var err error
		if fitted.Terms[t], err = stringkernel.Fit(ctx, term, c); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return fitted, nil
}

// Reference returns the corpus the terms were fitted to, nil if none was.
func (k Mean) Reference() *stringkernel.Corpus {
	for _, term := range k.Terms {
		if c := stringkernel.Reference(term); c != nil {
			return c
		}
	}
	return nil
}

// CanRestore reports whether every term restores scorers.
func (k Mean) CanRestore() bool {
	return !slices.ContainsFunc(k.Terms, func(t stringkernel.Kernel) bool { return !stringkernel.CanRestore(t) })
}

// Restore rebuilds each term from the arrays named "t/…", t its 0-based number.
func (k Mean) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	parts := make([][]stringkernel.Array, len(k.Terms))
	for _, a := range arrays {
		number, name, found := strings.Cut(a.Name, "/")
		t, err := strconv.Atoi(number)
		if !found || err != nil || t < 0 || t >= len(parts) {
			return nil, fmt.Errorf("sum: array %q belongs to none of %d terms", a.Name, len(parts))
		}
		parts[t] = append(parts[t], stringkernel.Array{Name: name, Data: a.Data})
	}
	s := meanScorer{terms: make([]stringkernel.Scorer, len(k.Terms)), kernels: k.Terms}
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

type meanGram struct {
	terms   []stringkernel.Gram
	scratch sync.Pool
}

func (g *meanGram) Len() int { return g.terms[0].Len() }

// RowBased reports true if any term is: its products dominate.
func (g *meanGram) RowBased() bool { return slices.ContainsFunc(g.terms, stringkernel.IsRowBased) }

func (g *meanGram) Diag(dst []float64) {
	g.mean(dst, func(t stringkernel.Gram, out []float64) { t.Diag(out) })
}

func (g *meanGram) Row(dst []float64, i int) {
	g.mean(dst, func(t stringkernel.Gram, out []float64) { t.Row(out, i) })
}

func (g *meanGram) MulVecTo(dst, v []float64) {
	g.mean(dst, func(t stringkernel.Gram, out []float64) { t.MulVecTo(out, v) })
}

// mean writes the mean over the terms of what write gives.
func (g *meanGram) mean(dst []float64, write func(t stringkernel.Gram, out []float64)) {
	one := scratch.Borrow(&g.scratch, len(dst))
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

type meanScorer struct {
	terms   []stringkernel.Scorer
	kernels []stringkernel.Kernel // of the terms; nil if their scores are raw
}

func (s meanScorer) Outputs() int { return s.terms[0].Outputs() }

func (s meanScorer) ScoreTo(dst []float64, x []byte) {
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
func (s meanScorer) SelfScoreTo(dst []float64, x []byte) (self float64, ok bool) {
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

func (s meanScorer) ExplainTo(dst []float64, m int, x []byte) {
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

func (s meanScorer) CanExplain() bool {
	for _, t := range s.terms {
		if !stringkernel.CanExplain(t) {
			return false
		}
	}
	return true
}

func (s meanScorer) Arrays() ([]stringkernel.Array, bool) {
	var all []stringkernel.Array
	for t, term := range s.terms {
		arrays, ok := stringkernel.ArraysOf(term)
		if !ok {
			return nil, false
		}
		for _, a := range arrays {
			all = append(all, stringkernel.Array{Name: strconv.Itoa(t) + "/" + a.Name, Data: a.Data})
		}
	}
	return all, true
}

func (s meanScorer) CanScoreBatch() bool {
	return slices.ContainsFunc(s.terms, stringkernel.CanScoreBatch)
}

// ScoreBatchTo writes the mean of the terms.
func (s meanScorer) ScoreBatchTo(dst []float64, x [][]byte) {
	dst = dst[:len(x)*s.Outputs()]
	one := make([]float64, len(dst))
	clear(dst)
	for _, t := range s.terms {
		stringkernel.ScoreBatch(t, one, x)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(s.terms))
	}
}

func (g *meanGram) CanMulBlock() bool { return slices.ContainsFunc(g.terms, stringkernel.CanMulBlock) }

// MulBlockTo writes the mean over the terms' block products.
func (g *meanGram) MulBlockTo(dst, v [][]float64) {
	one := scratch.Vectors(len(v), g.Len())
	for m := range v {
		clear(dst[m])
	}
	for _, t := range g.terms {
		stringkernel.MulBlock(t, one, v)
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
func (g *meanGram) DenseCost(float64) (matrix, product float64) {
	for _, t := range g.terms {
		m, p := stringkernel.DenseCost(t, math.Inf(1))
		matrix, product = matrix+m, product+p
	}
	return matrix, product
}

// DenseTo writes the mean of the terms' matrices, of which two are in memory.
func (g *meanGram) DenseTo(dst []float64) {
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
func (k Mean) Family() string {
	terms := make([]string, len(k.Terms))
	for t, term := range k.Terms {
		terms[t] = stringkernel.FamilyOf(term)
	}
	return "sum(" + strings.Join(terms, "; ") + ")"
}

// Share indexes the corpus once per term.
func (k Mean) Share(ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel) (stringkernel.Shared, error) {
	s := meanShared{terms: make([]stringkernel.Shared, len(k.Terms))}
	for t := range k.Terms {
		var err error
		if s.terms[t], err = shareInside(ctx, c, members, func(m stringkernel.Kernel) stringkernel.Kernel { return m.(Mean).Terms[t] }); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return s, nil
}

type meanShared struct{ terms []stringkernel.Shared }

func (s meanShared) GramOf(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
	g := &meanGram{terms: make([]stringkernel.Gram, len(s.terms))}
	for t, term := range k.(Mean).Terms {
		var err error
		if g.terms[t], err = s.terms[t].GramOf(ctx, term, train); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return g, nil
}

// CanListFeatures reports whether every term does.
func (s meanScorer) CanListFeatures() bool {
	return !slices.ContainsFunc(s.terms, func(t stringkernel.Scorer) bool { return !stringkernel.CanListFeatures(t) })
}

// TopFeatures ranks the features of all terms together, by what they add to the mean.
func (s meanScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.StrongestWeights(s.union(func(t stringkernel.Scorer) []stringkernel.Feature { return listTop(t, mix, n) }), n)
}

// FeaturesOf ranks the features of all terms together.
func (s meanScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	return stringkernel.StrongestContributions(s.union(func(t stringkernel.Scorer) []stringkernel.Feature { return listOf(t, mix, x, n) }), n)
}

// union joins what the terms list, scaled to the mean.
func (s meanScorer) union(list func(stringkernel.Scorer) []stringkernel.Feature) (all []stringkernel.Feature) {
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
func (g *meanGram) FeatureRows() stringkernel.FeatureRows {
	rows := &meanRows{scale: 1 / math.Sqrt(float64(len(g.terms))), n: g.Len()}
	for _, t := range g.terms {
		term := stringkernel.RowsOf(t)
		if term == nil || rows.width > math.MaxUint32-term.Width() {
			return nil
		}
		rows.terms, rows.starts = append(rows.terms, term), append(rows.starts, rows.width)
		rows.width += term.Width()
	}
	return rows
}

// meanRows are the rows of m terms side by side, times 1/√m.
type meanRows struct {
	terms  []stringkernel.FeatureRows
	starts []int // of each term in a table
	width  int
	scale  float64
	n      int
}

func (r *meanRows) Width() int { return r.width }

func (r *meanRows) Scatter(t []float64, i int, a float64) {
	for m, term := range r.terms {
		term.Scatter(t[r.starts[m]:r.starts[m]+term.Width()], i, float64(a*r.scale))
	}
}

func (r *meanRows) Gather(t []float64, i int) float64 {
	sum := 0.0
	for m, term := range r.terms {
		sum += term.Gather(t[r.starts[m]:r.starts[m]+term.Width()], i)
	}
	return sum * r.scale
}

func (r *meanRows) Own(dst []float64) {
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

func (r *meanRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
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
func (s meanScorer) Raw() stringkernel.Scorer {
	raw := meanScorer{terms: make([]stringkernel.Scorer, len(s.terms))}
	for t, term := range s.terms {
		raw.terms[t] = stringkernel.Raw(term)
	}
	return raw
}

// Standalone reports whether every term is that depends on a corpus.
func (k Mean) Standalone() bool {
	return !slices.ContainsFunc(k.Terms, func(t stringkernel.Kernel) bool {
		return stringkernel.DependsOnCorpus(t) && !stringkernel.IsStandalone(t)
	})
}

// TrackTo writes the mean of the terms' scores.
func (s meanScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	trackMean(dst[:len(x)-window+1], len(s.terms), func(out []float64, t int) { stringkernel.Track(out, s.terms[t], m, x, window) })
}

// CanTrack reports whether all terms do.
func (s meanScorer) CanTrack() bool {
	for _, t := range s.terms {
		if !stringkernel.CanTrack(t) {
			return false
		}
	}
	return true
}

// TrackSelfTo writes the mean of the terms' k(w, w).
func (k Mean) TrackSelfTo(dst []float64, x []byte, window int) {
	trackMean(dst[:len(x)-window+1], len(k.Terms), func(out []float64, t int) { stringkernel.TrackSelf(out, k.Terms[t], x, window) })
}

// CanTrackSelf reports whether all terms do.
func (k Mean) CanTrackSelf() bool {
	for _, term := range k.Terms {
		if !stringkernel.CanTrackSelf(term) {
			return false
		}
	}
	return true
}

// trackMean writes the mean over terms of what track writes, summed in order as ScoreTo does.
func trackMean(dst []float64, terms int, track func(out []float64, t int)) {
	one := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(one)
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
func (s meanScorer) WindowLength() int {
	for _, t := range s.terms {
		if length := stringkernel.WindowLength(t); length > 0 {
			return length
		}
	}
	return 0
}
