package compose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Normalized is the cosine of a kernel: k(x, y)/√(k(x, x)·k(y, y)), the default of the tool. A sequence without
// features has the value 0 with every sequence, itself included.
//
// It costs one k(x, x) per sequence and changes no structure: the Gram operator becomes S·K·S with S = diag(K_ii)^−½,
// and merging folds S into the coefficients.
type Normalized struct {
	Kernel stringkernel.Kernel
}

// Check checks the wrapped kernel.
func (k Normalized) Check() error {
	_, err := k.Compile()
	return err
}

// Compile compiles the wrapped kernel.
func (k Normalized) Compile() (stringkernel.Kernel, error) {
	if k.Kernel == nil {
		return nil, errors.New("normalized: no kernel inside")
	}
	var err error
	k.Kernel, err = stringkernel.Compile(k.Kernel)
	return k, err
}

// Eval returns the normalised value, in [−1, 1] up to rounding, and in [0, 1] for kernels of counts.
func (k Normalized) Eval(x, y []byte) float64 {
	scale := inverseRoot(SelfEval(k.Kernel, x)) * inverseRoot(SelfEval(k.Kernel, y))
	if scale == 0 {
		return 0
	}
	return k.Kernel.Eval(x, y) * scale
}

// SelfEval returns 1, or 0 for a sequence without features.
func (k Normalized) SelfEval(x []byte) float64 { return unit(inverseRoot(SelfEval(k.Kernel, x))) }

// JointSelfEval returns |φ(x) + φ(y)|² of the normalised features.
func (k Normalized) JointSelfEval(x, y []byte) float64 { return stringkernel.JointByEval(k, x, y) }

// Gram indexes the corpus once.
func (k Normalized) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	inner, err := k.Kernel.Gram(ctx, c)
	if err != nil {
		return nil, err
	}
	return newNormalizedGram(inner), nil
}

// Merge folds the norms of the support vectors into their coefficients.
func (k Normalized) Merge(
	ctx context.Context, sv *stringkernel.Corpus, coef ...[]float64,
) (stringkernel.Scorer, error) {
	if err := stringkernel.CheckCoef(sv, coef); err != nil {
		return nil, fmt.Errorf("normalized: %w", err)
	}
	kernel, err := stringkernel.Compile(k.Kernel)
	if err != nil {
		return nil, err
	}
	scale := make([]float64, sv.Len())
	parallel.For(sv.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			scale[i] = inverseRoot(SelfEval(kernel, sv.Seq(i)))
		}
	})
	scaled := make([][]float64, len(coef))
	for m := range coef {
		scaled[m] = make([]float64, sv.Len())
		for i, a := range coef[m] {
			scaled[m][i] = float64(a * scale[i])
		}
	}
	inner, err := kernel.Merge(ctx, sv, scaled...)
	if err != nil {
		return nil, err
	}
	return newNormalizedScorer(kernel, inner), nil
}

// Describer is that of the wrapped kernel.
func (k Normalized) Describer() stringkernel.Describer { return stringkernel.DescriberOf(k.Kernel) }

// Fitter fits the wrapped kernel.
func (k Normalized) Fitter() stringkernel.Fitter {
	if f := stringkernel.FitterOf(k.Kernel); f != nil {
		return normalizedFitter{f}
	}
	return nil
}

type normalizedFitter struct{ stringkernel.Fitter }

func (f normalizedFitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	inner, err := f.Fitter.Fit(ctx, c)
	if err != nil {
		return nil, err
	}
	return Normalized{inner}, nil
}

// Restorer stores and restores the wrapped scorer.
func (k Normalized) Restorer() stringkernel.Restorer {
	if r := stringkernel.RestorerOf(k.Kernel); r != nil {
		return normalizedRestorer{k.Kernel, r}
	}
	return nil
}

type normalizedRestorer struct {
	kernel stringkernel.Kernel
	inner  stringkernel.Restorer
}

func (r normalizedRestorer) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	return r.inner.Arrays(s.(*normalizedScorer).inner)
}

func (r normalizedRestorer) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	kernel, err := stringkernel.Compile(r.kernel)
	if err != nil {
		return nil, err
	}
	inner, err := stringkernel.RestorerOf(kernel).Restore(arrays)
	if err != nil {
		return nil, err
	}
	return newNormalizedScorer(kernel, inner), nil
}

// Family is that of the wrapped kernel.
func (k Normalized) Family() string { return "normalized(" + stringkernel.FamilyOf(k.Kernel) + ")" }

// Share indexes the corpus for the wrapped kernels.
func (k Normalized) Share(
	ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	inner, err := shareInside(ctx, c, members, func(m stringkernel.Kernel) stringkernel.Kernel {
		return m.(Normalized).Kernel
	})
	return func(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		g, err := inner(ctx, k.(Normalized).Kernel, train)
		if err != nil {
			return nil, err
		}
		return newNormalizedGram(g), nil
	}, err
}

// Enumerator divides values by the norm of the sequence.
func (k Normalized) Enumerator() stringkernel.Enumerator {
	if e := stringkernel.EnumeratorOf(k.Kernel); e != nil {
		return normalizedEnumerator{k.Kernel, e}
	}
	return nil
}

type normalizedEnumerator struct {
	kernel stringkernel.Kernel
	inner  stringkernel.Enumerator
}

func (e normalizedEnumerator) EachFeature(x []byte, visit func(name string, value float64)) {
	scale := inverseRoot(SelfEval(e.kernel, x))
	e.inner.EachFeature(x, func(name string, value float64) { visit(name, float64(value*scale)) })
}

// WindowNorms are 1, or 0 for windows without features.
func (k Normalized) WindowNorms() WindowNorms {
	if w := WindowNormsOf(k.Kernel); w != nil {
		return normalizedNorms{w, k}
	}
	return nil
}

type normalizedNorms struct {
	WindowNorms
	kernel Normalized
}

func (n normalizedNorms) TrackSelfTo(dst []float64, x []byte, window int) {
	n.WindowNorms.TrackSelfTo(dst, x, window)
	for p, norm := range dst[:len(x)-window+1] {
		dst[p] = unit(inverseRoot(norm))
	}
}

func (n normalizedNorms) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	stringkernel.TrackJointByEval(n.kernel, dst, x, y, window)
}

type normalizedGram struct {
	inner   stringkernel.Gram
	scale   []float64 // K_ii^−½, 0 where K_ii is
	scratch sync.Pool
}

func newNormalizedGram(inner stringkernel.Gram) *normalizedGram {
	scale := make([]float64, inner.Len())
	inner.Diag(scale)
	for i, kii := range scale {
		scale[i] = inverseRoot(kii)
	}
	return &normalizedGram{inner: inner, scale: scale}
}

func (g *normalizedGram) Len() int { return len(g.scale) }

func (g *normalizedGram) Diag(dst []float64) {
	for i, s := range g.scale {
		dst[i] = unit(s)
	}
}

func (g *normalizedGram) Row(dst []float64, i int) {
	g.inner.Row(dst, i)
	for j, s := range g.scale {
		dst[j] *= s * g.scale[i]
	}
	dst[i] = unit(g.scale[i])
}

func (g *normalizedGram) MulVecTo(dst, v []float64) {
	scaled := scratch.Borrow(&g.scratch, len(v))
	defer g.scratch.Put(scaled)
	for i, s := range g.scale {
		(*scaled)[i] = v[i] * s
	}
	g.inner.MulVecTo(dst, *scaled)
	for i, s := range g.scale {
		dst[i] *= s
	}
}

func (g *normalizedGram) Describer() stringkernel.Describer { return stringkernel.DescriberOf(g.inner) }

// BlockMul scales before and after the block product of the wrapped matrix.
func (g *normalizedGram) BlockMul() stringkernel.BlockMul {
	if b := stringkernel.BlockMulOf(g.inner); b != nil {
		return normalizedBlock{b, g.scale}
	}
	return nil
}

type normalizedBlock struct {
	inner stringkernel.BlockMul
	scale []float64
}

func (b normalizedBlock) MulBlockTo(dst, v [][]float64) {
	scaled := scratch.Vectors(len(v), len(b.scale))
	for m := range v {
		for i, s := range b.scale {
			scaled[m][i] = v[m][i] * s
		}
	}
	b.inner.MulBlockTo(dst, scaled)
	for m := range v {
		for i, s := range b.scale {
			dst[m][i] *= s
		}
	}
}

// Dense scales the wrapped matrix.
func (g *normalizedGram) Dense() stringkernel.Dense {
	if d := stringkernel.DenseOf(g.inner); d != nil {
		return normalizedDense{d, g.scale}
	}
	return nil
}

type normalizedDense struct {
	stringkernel.Dense
	scale []float64
}

func (d normalizedDense) DenseTo(dst []float64) {
	d.Dense.DenseTo(dst)
	eachEntry(dst, len(d.scale), func(i, j int, inner float64) float64 {
		if i == j {
			return unit(d.scale[i])
		}
		return inner * float64(d.scale[i]*d.scale[j])
	})
}

// FeatureRows returns the rows of the wrapped matrix, scaled.
func (g *normalizedGram) FeatureRows() stringkernel.FeatureRows {
	if inner := stringkernel.FeatureRowsOf(g.inner); inner != nil {
		return normalizedRows{inner, g.scale}
	}
	return nil
}

// normalizedRows are rows times one number each.
type normalizedRows struct {
	stringkernel.FeatureRows
	scale []float64
}

func (r normalizedRows) Scatter(t []float64, i int, a float64) {
	r.FeatureRows.Scatter(t, i, float64(a*r.scale[i]))
}

func (r normalizedRows) Gather(t []float64, i int) float64 {
	return r.FeatureRows.Gather(t, i) * r.scale[i]
}

func (r normalizedRows) Own(dst []float64) {
	r.FeatureRows.Own(dst)
	for i, s := range r.scale {
		dst[i] *= float64(s * s)
	}
}

func (r normalizedRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	before := len(values)
	ids, values = r.FeatureRows.AppendRow(ids, values, i)
	for j := range values[before:] {
		values[before+j] *= r.scale[i]
	}
	return ids, values
}

// normalizedScorer is a scorer of normalised support vectors that divides by the norm of the query.
type normalizedScorer struct {
	inner stringkernel.Scorer
	norms selfScorer
}

func newNormalizedScorer(k stringkernel.Kernel, inner stringkernel.Scorer) *normalizedScorer {
	return &normalizedScorer{inner, newSelfScorer(k, inner)}
}

func (s *normalizedScorer) Outputs() int { return s.inner.Outputs() }

func (s *normalizedScorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// SelfScoreTo is ScoreTo and returns 1, or 0 for a sequence without features.
func (s *normalizedScorer) SelfScoreTo(dst []float64, x []byte) float64 {
	scale := inverseRoot(s.norms.SelfScoreTo(dst, x))
	for m := range dst[:s.Outputs()] {
		dst[m] *= scale
	}
	return unit(scale)
}

func (s *normalizedScorer) Describer() stringkernel.Describer {
	return stringkernel.DescriberOf(s.inner)
}

// Explainer divides the contributions by the norm of the sequence.
func (s *normalizedScorer) Explainer() stringkernel.Explainer {
	if e := stringkernel.ExplainerOf(s.inner); e != nil {
		return normalizedExplainer{e, s.norms}
	}
	return nil
}

type normalizedExplainer struct {
	inner stringkernel.Explainer
	norms selfScorer
}

func (e normalizedExplainer) ExplainTo(dst []float64, m int, x []byte) {
	e.inner.ExplainTo(dst, m, x)
	scale := inverseRoot(e.norms.self(x))
	for i := range dst[:len(x)] {
		dst[i] *= scale
	}
}

// FeatureLister divides contributions by the norm of the sequence. Weights are raw.
func (s *normalizedScorer) FeatureLister() stringkernel.FeatureLister {
	if l := stringkernel.FeatureListerOf(s.inner); l != nil {
		return normalizedLister{l, s.norms}
	}
	return nil
}

type normalizedLister struct {
	stringkernel.FeatureLister
	norms selfScorer
}

func (l normalizedLister) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	features := l.FeatureLister.FeaturesOf(mix, x, n)
	scale := inverseRoot(l.norms.self(x))
	for i := range features {
		features[i].Contribution *= scale
	}
	return features
}

// BatchScorer scales the scores of a batch.
func (s *normalizedScorer) BatchScorer() stringkernel.BatchScorer {
	if b := stringkernel.BatchScorerOf(s.inner); b != nil {
		return normalizedBatch{b, s}
	}
	return nil
}

type normalizedBatch struct {
	inner  stringkernel.BatchScorer
	scorer *normalizedScorer
}

func (b normalizedBatch) ScoreBatchTo(dst []float64, x [][]byte) {
	b.inner.ScoreBatchTo(dst, x)
	m := b.scorer.Outputs()
	for i := range x {
		scale := inverseRoot(b.scorer.norms.self(x[i]))
		for j := range dst[i*m : (i+1)*m] {
			dst[i*m+j] *= scale
		}
	}
}

// Tracker scales the scores of windows by their norms, which are computed one by one unless the wrapped kernel has
// [WindowNorms].
func (s *normalizedScorer) Tracker() stringkernel.Tracker {
	if t := stringkernel.TrackerOf(s.inner); t != nil {
		return normalizedTracker{t, s.norms.kernel}
	}
	return nil
}

type normalizedTracker struct {
	inner  stringkernel.Tracker
	kernel stringkernel.Kernel
}

func (t normalizedTracker) TrackTo(dst []float64, m int, x []byte, window int) {
	t.inner.TrackTo(dst, m, x, window)
	norms := scratch.Borrow(&scratch.Pool, len(x)-window+1)
	defer scratch.Pool.Put(norms)
	TrackSelf(*norms, t.kernel, x, window)
	for p, norm := range *norms {
		dst[p] *= inverseRoot(norm)
	}
}

// TrackStrands writes score m of the windows of x into plus and of those of its reverse complement rc into minus, as
// two calls of [stringkernel.Track] would, and faster where both have the same norms.
func TrackStrands(plus, minus []float64, s stringkernel.Scorer, m int, x, rc []byte, window int) {
	var (
		n, ok = s.(*normalizedScorer)
		norms WindowNorms
		inner stringkernel.Tracker
	)
	if ok && len(x) >= window {
		norms, inner = WindowNormsOf(n.norms.kernel), stringkernel.TrackerOf(n.inner)
	}
	if norms == nil || inner == nil || !norms.StrandSymmetric() {
		stringkernel.Track(plus, s, m, x, window)
		stringkernel.Track(minus, s, m, rc, window)
		return
	}
	inner.TrackTo(plus, m, x, window)
	inner.TrackTo(minus, m, rc, window)
	squares := scratch.Borrow(&scratch.Pool, len(x)-window+1)
	defer scratch.Pool.Put(squares)
	norms.TrackSelfTo(*squares, x, window)
	for p, square := range *squares {
		scale := inverseRoot(square)
		plus[p] *= scale
		minus[len(*squares)-1-p] *= scale
	}
}

// leastNorm is the least k(x, x) that is not taken for 0: the least float64 of full precision. The product of two
// inverse roots of such norms does not overflow.
const leastNorm = 0x1p-1022

// inverseRoot returns k^−½, and 0 for the norm of a sequence without features, or one that an indefinite kernel makes
// negative.
func inverseRoot(k float64) float64 {
	if !(k >= leastNorm) {
		return 0
	}
	return 1 / math.Sqrt(k)
}

// unit is a normalised diagonal entry: 1, or 0 without features.
func unit(scale float64) float64 {
	if scale == 0 {
		return 0
	}
	return 1
}
