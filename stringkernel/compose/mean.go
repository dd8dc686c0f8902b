package compose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Mean is the mean of several kernels, (1/m)·Σ_t k_t(x, y): a concatenation of their feature spaces, so everything
// stays linear-time. The mean rather than the sum keeps k(x, x) = 1 when every term is normalised, so that C means the
// same.
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
		sum += SelfEval(term, x)
	}
	return sum / float64(len(k.Terms))
}

// JointSelfEval returns the mean of the terms' |φ(x) + φ(y)|².
func (k Mean) JointSelfEval(x, y []byte) float64 {
	sum := 0.0
	for _, term := range k.Terms {
		sum += JointSelfEval(term, x, y)
	}
	return sum / float64(len(k.Terms))
}

// Gram indexes the corpus once per term.
func (k Mean) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return k.newGram(func(_ int, term stringkernel.Kernel) (stringkernel.Gram, error) { return term.Gram(ctx, c) })
}

// Merge merges each term.
func (k Mean) Merge(ctx context.Context, sv *stringkernel.Corpus, coef ...[]float64) (stringkernel.Scorer, error) {
	return k.newScorer(func(t int, term stringkernel.Kernel) (stringkernel.Scorer, error) {
		return term.Merge(ctx, sv, coef...)
	})
}

// Traits are the checks of all terms.
func (k Mean) Traits() stringkernel.Traits {
	var checks []func(outputs int) error // by term
	for _, term := range k.Terms {
		checks = append(checks, stringkernel.TraitsOf(term).CheckOutputs)
	}
	return stringkernel.Traits{CheckOutputs: func(outputs int) error {
		for t, check := range checks {
			if check == nil {
				continue
			}
			if err := check(outputs); err != nil {
				return fmt.Errorf("sum: term %d: %w", t+1, err)
			}
		}
		return nil
	}}
}

// Fitter fits the terms that depend on a corpus, if any does.
func (k Mean) Fitter() stringkernel.Fitter {
	if slices.ContainsFunc(k.Terms, stringkernel.DependsOnCorpus) {
		return meanFitter(k)
	}
	return nil
}

type meanFitter Mean

func (f meanFitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	fitted := Mean{Terms: make([]stringkernel.Kernel, len(f.Terms))}
	for t, term := range f.Terms {
		var err error
		if fitted.Terms[t], err = stringkernel.Fit(ctx, term, c); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return fitted, nil
}

// Reference returns the corpus the terms were fitted to, nil if none was.
func (f meanFitter) Reference() *stringkernel.Corpus {
	for _, term := range f.Terms {
		if c := stringkernel.Reference(term); c != nil {
			return c
		}
	}
	return nil
}

// SelfContained reports whether every term is that depends on a corpus.
func (f meanFitter) SelfContained() bool {
	return !slices.ContainsFunc(f.Terms, func(t stringkernel.Kernel) bool {
		inner := stringkernel.FitterOf(t)
		return inner != nil && !inner.SelfContained()
	})
}

// Restorer stores and restores the scorers of the terms, if all of them can be.
func (k Mean) Restorer() stringkernel.Restorer {
	if terms := all(k.Terms, stringkernel.RestorerOf); terms != nil {
		return meanRestorer{k, terms}
	}
	return nil
}

type meanRestorer struct {
	kernel Mean
	terms  []stringkernel.Restorer
}

// Arrays names the arrays of term t, 0-based, "t/…".
func (r meanRestorer) Arrays(s stringkernel.Scorer) (arrays []stringkernel.Array) {
	for t, term := range s.(*meanScorer).terms {
		own := r.terms[t].Arrays(term)
		if own == nil {
			return nil
		}
		for _, a := range own {
			arrays = append(arrays, stringkernel.Array{Name: strconv.Itoa(t) + "/" + a.Name, Data: a.Data})
		}
	}
	return arrays
}

func (r meanRestorer) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	parts := make([][]stringkernel.Array, len(r.terms))
	for _, a := range arrays {
		number, name, found := strings.Cut(a.Name, "/")
		t, err := strconv.Atoi(number)
		if !found || err != nil || t < 0 || t >= len(parts) {
			return nil, fmt.Errorf("sum: array %q belongs to none of %d terms", a.Name, len(parts))
		}
		parts[t] = append(parts[t], stringkernel.Array{Name: name, Data: a.Data})
	}
	return r.kernel.newScorer(func(t int, _ stringkernel.Kernel) (stringkernel.Scorer, error) {
		return r.terms[t].Restore(parts[t])
	})
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
func (k Mean) Share(
	ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	terms := make([]stringkernel.Shared, len(k.Terms))
	for t := range k.Terms {
		var err error
		if terms[t], err = shareInside(ctx, c, members, func(m stringkernel.Kernel) stringkernel.Kernel {
			return m.(Mean).Terms[t]
		}); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return func(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		return k.(Mean).newGram(func(t int, term stringkernel.Kernel) (stringkernel.Gram, error) {
			return terms[t](ctx, term, train)
		})
	}, nil
}

// WindowNorms are the mean of the terms', if all terms have them.
func (k Mean) WindowNorms() WindowNorms {
	if terms := all(k.Terms, WindowNormsOf); terms != nil {
		return meanNorms(terms)
	}
	return nil
}

type meanNorms []WindowNorms

func (n meanNorms) TrackSelfTo(dst []float64, x []byte, window int) {
	mean(dst[:len(x)-window+1], n, func(out []float64, t WindowNorms) { t.TrackSelfTo(out, x, window) })
}

func (n meanNorms) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	mean(dst[:len(x)-window+1], n, func(out []float64, t WindowNorms) { t.TrackJointSelfTo(out, x, y, window) })
}

func (n meanNorms) StrandSymmetric() bool {
	return !slices.ContainsFunc(n, func(t WindowNorms) bool { return !t.StrandSymmetric() })
}

// all returns an option of every term, nil if one does not have it.
func all[T any, O comparable](terms []T, optionOf func(T) O) []O {
	var none O
	options := make([]O, len(terms))
	for t, term := range terms {
		if options[t] = optionOf(term); options[t] == none {
			return nil
		}
	}
	return options
}

// mean writes into dst the mean over the terms of what write gives, summed in order.
func mean[T any](dst []float64, terms []T, write func(out []float64, t T)) {
	one := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(one)
	clear(dst)
	for _, t := range terms {
		write(*one, t)
		for i, value := range *one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(terms))
	}
}

type meanGram struct {
	terms []stringkernel.Gram
}

// newGram collects the matrices of the terms.
func (k Mean) newGram(of func(t int, term stringkernel.Kernel) (stringkernel.Gram, error)) (stringkernel.Gram, error) {
	g := &meanGram{terms: make([]stringkernel.Gram, len(k.Terms))}
	for t, term := range k.Terms {
		var err error
		if g.terms[t], err = of(t, term); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return g, nil
}

func (g *meanGram) Len() int { return g.terms[0].Len() }

func (g *meanGram) Diag(dst []float64) {
	mean(dst, g.terms, func(out []float64, t stringkernel.Gram) { t.Diag(out) })
}

func (g *meanGram) Row(dst []float64, i int) {
	mean(dst, g.terms, func(out []float64, t stringkernel.Gram) { t.Row(out, i) })
}

func (g *meanGram) MulVecTo(dst, v []float64) {
	mean(dst, g.terms, func(out []float64, t stringkernel.Gram) { t.MulVecTo(out, v) })
}

// Traits says that the matrix is row-based if any term is: its products dominate.
func (g *meanGram) Traits() stringkernel.Traits {
	return stringkernel.Traits{RowBased: slices.ContainsFunc(g.terms, stringkernel.IsRowBased)}
}

// BlockMul has the mean of the terms' block products, if any term has them.
func (g *meanGram) BlockMul() stringkernel.BlockMul {
	has := func(t stringkernel.Gram) bool { return stringkernel.BlockMulOf(t) != nil }
	if slices.ContainsFunc(g.terms, has) {
		return meanBlock(*g)
	}
	return nil
}

type meanBlock meanGram

func (b meanBlock) MulBlockTo(dst, v [][]float64) {
	one := scratch.Vectors(len(v), b.terms[0].Len())
	for m := range v {
		clear(dst[m])
	}
	for _, t := range b.terms {
		stringkernel.MulBlock(t, one, v)
		for m := range v {
			for i, value := range one[m] {
				dst[m][i] += value
			}
		}
	}
	for m := range v {
		for i := range dst[m] {
			dst[m][i] /= float64(len(b.terms))
		}
	}
}

// Dense has the mean of the terms' matrices, if all terms have them.
func (g *meanGram) Dense() stringkernel.Dense {
	if terms := all(g.terms, stringkernel.DenseOf); terms != nil {
		return meanDense(terms)
	}
	return nil
}

type meanDense []stringkernel.Dense

// DenseCost adds up the terms'. Which of them is too expensive is not known before all are.
func (d meanDense) DenseCost(float64) (matrix, product float64) {
	for _, t := range d {
		m, p := t.DenseCost(math.Inf(1))
		matrix, product = matrix+m, product+p
	}
	return matrix, product
}

// DenseTo holds two matrices in memory.
func (d meanDense) DenseTo(dst []float64) {
	clear(dst)
	one := make([]float64, len(dst))
	for _, t := range d {
		t.DenseTo(one)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst {
		dst[i] /= float64(len(d))
	}
}

// FeatureRows returns the terms' rows side by side, if all terms have them.
func (g *meanGram) FeatureRows() stringkernel.FeatureRows {
	rows := &meanRows{scale: 1 / math.Sqrt(float64(len(g.terms))), n: g.Len()}
	for _, t := range g.terms {
		term := stringkernel.FeatureRowsOf(t)
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

type meanScorer struct {
	terms []stringkernel.Scorer
	norms []selfScorer // of the terms; nil if their scores are raw
}

// newScorer collects the scorers of the terms.
func (k Mean) newScorer(
	of func(t int, term stringkernel.Kernel) (stringkernel.Scorer, error),
) (stringkernel.Scorer, error) {
	s := &meanScorer{terms: make([]stringkernel.Scorer, len(k.Terms)), norms: make([]selfScorer, len(k.Terms))}
	for t, term := range k.Terms {
		var err error
		if s.terms[t], err = of(t, term); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
		if n, first := s.terms[t].Outputs(), s.terms[0].Outputs(); n != first {
			return nil, fmt.Errorf("sum: term %d has %d outputs, term 1 has %d", t+1, n, first)
		}
		s.norms[t] = newSelfScorer(term, s.terms[t])
	}
	return s, nil
}

func (s *meanScorer) Outputs() int { return s.terms[0].Outputs() }

func (s *meanScorer) ScoreTo(dst []float64, x []byte) {
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

// SelfScorer has the mean of the terms' k(x, x), each by its scorer if that knows. Raw scores have no kernel.
func (s *meanScorer) SelfScorer() SelfScorer {
	if s.norms == nil {
		return nil
	}
	return meanSelf(s.norms)
}

type meanSelf []selfScorer

func (s meanSelf) SelfScoreTo(dst []float64, x []byte) (self float64) {
	dst = dst[:s[0].Outputs()]
	one := make([]float64, len(dst))
	clear(dst)
	for t := range s {
		self += s[t].SelfScoreTo(one, x)
		for m, value := range one {
			dst[m] += value
		}
	}
	for m := range dst {
		dst[m] /= float64(len(s))
	}
	return self / float64(len(s))
}

// Traits are the length of windows of the first term that has one.
func (s *meanScorer) Traits() stringkernel.Traits {
	for _, t := range s.terms {
		if length := stringkernel.WindowLength(t); length > 0 {
			return stringkernel.Traits{WindowLength: length}
		}
	}
	return stringkernel.Traits{}
}

// Explainer has the mean of the terms' contributions, if all terms explain.
func (s *meanScorer) Explainer() stringkernel.Explainer {
	if terms := all(s.terms, stringkernel.ExplainerOf); terms != nil {
		return meanExplainer(terms)
	}
	return nil
}

type meanExplainer []stringkernel.Explainer

func (e meanExplainer) ExplainTo(dst []float64, m int, x []byte) {
	mean(dst[:len(x)], e, func(out []float64, t stringkernel.Explainer) { t.ExplainTo(out, m, x) })
}

// FeatureLister ranks the features of all terms together, by what they add to the mean, if all terms list them.
func (s *meanScorer) FeatureLister() stringkernel.FeatureLister {
	if terms := all(s.terms, stringkernel.FeatureListerOf); terms != nil {
		return meanLister(terms)
	}
	return nil
}

type meanLister []stringkernel.FeatureLister

func (l meanLister) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.StrongestWeights(l.union(func(t stringkernel.FeatureLister) []stringkernel.Feature {
		return t.TopFeatures(mix, n)
	}), n)
}

func (l meanLister) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	return stringkernel.StrongestContributions(l.union(func(t stringkernel.FeatureLister) []stringkernel.Feature {
		return t.FeaturesOf(mix, x, n)
	}), n)
}

// union joins what the terms list, scaled to the mean.
func (l meanLister) union(list func(stringkernel.FeatureLister) []stringkernel.Feature) (union []stringkernel.Feature) {
	for t, term := range l {
		for _, f := range list(term) {
			f.Term = t
			f.Weight /= float64(len(l))
			f.Contribution /= float64(len(l))
			union = append(union, f)
		}
	}
	return union
}

// BatchScorer has the mean of the terms' scores, if any term scores batches.
func (s *meanScorer) BatchScorer() stringkernel.BatchScorer {
	has := func(t stringkernel.Scorer) bool { return stringkernel.BatchScorerOf(t) != nil }
	if slices.ContainsFunc(s.terms, has) {
		return meanBatch(s.terms)
	}
	return nil
}

type meanBatch []stringkernel.Scorer

func (b meanBatch) ScoreBatchTo(dst []float64, x [][]byte) {
	n := len(x) * b[0].Outputs()
	mean(dst[:n], b, func(out []float64, t stringkernel.Scorer) { stringkernel.ScoreBatch(t, out, x) })
}

// Tracker has the mean of the terms' scores, if all terms track.
func (s *meanScorer) Tracker() stringkernel.Tracker {
	if terms := all(s.terms, stringkernel.TrackerOf); terms != nil {
		return meanTracker(terms)
	}
	return nil
}

type meanTracker []stringkernel.Tracker

func (m meanTracker) TrackTo(dst []float64, output int, x []byte, window int) {
	mean(dst[:len(x)-window+1], m, func(out []float64, t stringkernel.Tracker) { t.TrackTo(out, output, x, window) })
}
