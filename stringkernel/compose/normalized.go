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

// Normalized is the cosine of a kernel: k(x, y)/√(k(x, x)·k(y, y)), the default of the tool. A sequence without features
// has the value 0 with every sequence, itself included.
//
// It costs one k(x, x) per sequence and changes no structure: the Gram operator becomes S·K·S with S = diag(K_ii)^−½, and merging folds S into
// the coefficients.
type Normalized struct {
	Kernel stringkernel.Kernel
}

// Check checks the kernel inside.
func (k Normalized) Check() error {
	_, err := k.Compile()
	return err
}

// Compile compiles the kernel inside.
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
	scale := inverseRoot(stringkernel.SelfEval(k.Kernel, x)) * inverseRoot(stringkernel.SelfEval(k.Kernel, y))
	if scale == 0 {
		return 0
	}
	return k.Kernel.Eval(x, y) * scale
}

// SelfEval returns 1, or 0 for a sequence without features.
func (k Normalized) SelfEval(x []byte) float64 {
	return unit(inverseRoot(stringkernel.SelfEval(k.Kernel, x)))
}

// Gram indexes the corpus once.
func (k Normalized) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	inner, err := k.Kernel.Gram(ctx, c)
	if err != nil {
		return nil, err
	}
	return newNormalizedGram(inner), nil
}

// Merge folds the norms of the support vectors into their coefficients.
func (k Normalized) Merge(ctx context.Context, sv *stringkernel.Corpus, coef ...[]float64) (stringkernel.Scorer, error) {
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
			scale[i] = inverseRoot(stringkernel.SelfEval(kernel, sv.Seq(i)))
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
	return normalizedScorer{kernel: kernel, inner: inner}, nil
}

// CheckOutputs asks the kernel inside.
func (k Normalized) CheckOutputs(outputs int) error {
	return stringkernel.CheckOutputs(k.Kernel, outputs)
}

// DependsOnCorpus reports whether the kernel inside does.
func (k Normalized) DependsOnCorpus() bool { return stringkernel.DependsOnCorpus(k.Kernel) }

// Fit fits the kernel inside.
func (k Normalized) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	inner, err := stringkernel.Fit(ctx, k.Kernel, c)
	if err != nil {
		return nil, err
	}
	return Normalized{inner}, nil
}

// Reference returns the corpus the kernel inside was fitted to.
func (k Normalized) Reference() *stringkernel.Corpus { return stringkernel.Reference(k.Kernel) }

// CanRestore reports whether the kernel inside restores scorers.
func (k Normalized) CanRestore() bool { return stringkernel.CanRestore(k.Kernel) }

// Restore rebuilds a scorer from the arrays of the kernel inside.
func (k Normalized) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	kernel, err := stringkernel.Compile(k.Kernel)
	if err != nil {
		return nil, err
	}
	inner, err := restore(kernel, arrays)
	if err != nil {
		return nil, err
	}
	return normalizedScorer{kernel: kernel, inner: inner}, nil
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

func (g *normalizedGram) RowBased() bool { return stringkernel.IsRowBased(g.inner) }

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

type normalizedScorer struct {
	kernel stringkernel.Kernel
	inner  stringkernel.Scorer
}

func (s normalizedScorer) Outputs() int { return s.inner.Outputs() }

func (s normalizedScorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// SelfScoreTo is ScoreTo and returns 1, or 0 for a sequence without features.
func (s normalizedScorer) SelfScoreTo(dst []float64, x []byte) (self float64, ok bool) {
	scale := inverseRoot(scoreSelf(s.kernel, s.inner, dst, x))
	for m := range dst[:s.Outputs()] {
		dst[m] *= scale
	}
	return unit(scale), true
}

func (s normalizedScorer) ExplainTo(dst []float64, m int, x []byte) {
	explain(s.inner, dst, m, x)
	scale := inverseRoot(s.self(x))
	for i := range dst[:len(x)] {
		dst[i] *= scale
	}
}

// self returns k(x, x) by the scorer inside if it knows, for the kernel may not.
func (s normalizedScorer) self(x []byte) float64 {
	if own, ok := s.inner.(stringkernel.SelfScorer); ok {
		return scoreSelf(s.kernel, own, make([]float64, own.Outputs()), x)
	}
	return stringkernel.SelfEval(s.kernel, x)
}

func (s normalizedScorer) CanExplain() bool { return stringkernel.CanExplain(s.inner) }

func (s normalizedScorer) Arrays() ([]stringkernel.Array, bool) {
	return stringkernel.ArraysOf(s.inner)
}

// leastNorm is the least k(x, x) that is not taken for 0: the least float64 of full precision. The product of two inverse roots of such
// norms does not overflow.
const leastNorm = 0x1p-1022

// inverseRoot returns k^−½, and 0 for the norm of a sequence without features, or one that an indefinite kernel makes negative.
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

func (s normalizedScorer) CanScoreBatch() bool { return stringkernel.CanScoreBatch(s.inner) }

// ScoreBatchTo scales what the scorer inside gives.
func (s normalizedScorer) ScoreBatchTo(dst []float64, x [][]byte) {
	stringkernel.ScoreBatch(s.inner, dst, x)
	m := s.Outputs()
	for i := range x {
		scale := inverseRoot(s.self(x[i]))
		for j := range dst[i*m : (i+1)*m] {
			dst[i*m+j] *= scale
		}
	}
}

func (g *normalizedGram) CanMulBlock() bool { return stringkernel.CanMulBlock(g.inner) }

// MulBlockTo scales before and after the block product of the matrix inside.
func (g *normalizedGram) MulBlockTo(dst, v [][]float64) {
	scaled := scratch.Vectors(len(v), len(g.scale))
	for m := range v {
		for i, s := range g.scale {
			scaled[m][i] = v[m][i] * s
		}
	}
	stringkernel.MulBlock(g.inner, dst, scaled)
	for m := range v {
		for i, s := range g.scale {
			dst[m][i] *= s
		}
	}
}

// DenseCost is that of the matrix inside.
func (g *normalizedGram) DenseCost(products float64) (matrix, product float64) {
	return stringkernel.DenseCost(g.inner, products)
}

// DenseTo scales the matrix inside.
func (g *normalizedGram) DenseTo(dst []float64) {
	denseTo(g.inner, dst)
	eachEntry(dst, len(g.scale), func(i, j int, inner float64) float64 {
		if i == j {
			return unit(g.scale[i])
		}
		return inner * float64(g.scale[i]*g.scale[j])
	})
}

// CanEnumerate reports whether the kernel inside enumerates.
func (k Normalized) CanEnumerate() bool { return stringkernel.CanEnumerate(k.Kernel) }

// EachFeature divides values by the norm of x.
func (k Normalized) EachFeature(x []byte, visit func(name string, value float64)) {
	e, ok := k.Kernel.(stringkernel.Enumerator)
	if !ok {
		return
	}
	scale := inverseRoot(stringkernel.SelfEval(k.Kernel, x))
	e.EachFeature(x, func(name string, value float64) { visit(name, float64(value*scale)) })
}

// Family is that of the kernel inside.
func (k Normalized) Family() string { return "normalized(" + stringkernel.FamilyOf(k.Kernel) + ")" }

// Share indexes the corpus for the kernels inside.
func (k Normalized) Share(ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel) (stringkernel.Shared, error) {
	inner, err := shareInside(ctx, c, members, func(m stringkernel.Kernel) stringkernel.Kernel { return m.(Normalized).Kernel })
	return normalizedShared{inner}, err
}

type normalizedShared struct{ inner stringkernel.Shared }

func (s normalizedShared) GramOf(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
	inner, err := s.inner.GramOf(ctx, k.(Normalized).Kernel, train)
	if err != nil {
		return nil, err
	}
	return newNormalizedGram(inner), nil
}

// CanListFeatures reports whether the scorer inside lists.
func (s normalizedScorer) CanListFeatures() bool { return stringkernel.CanListFeatures(s.inner) }

// TopFeatures returns those of the scorer inside: weights are raw.
func (s normalizedScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return listTop(s.inner, mix, n)
}

// FeaturesOf divides the contributions by the norm of x.
func (s normalizedScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	features := listOf(s.inner, mix, x, n)
	scale := inverseRoot(s.self(x))
	for i := range features {
		features[i].Contribution *= scale
	}
	return features
}

// FeatureRows returns the rows of the matrix inside, scaled.
func (g *normalizedGram) FeatureRows() stringkernel.FeatureRows {
	if inner := stringkernel.RowsOf(g.inner); inner != nil {
		return scaledRows{inner, g.scale}
	}
	return nil
}

// scaledRows are rows times a number each.
type scaledRows struct {
	stringkernel.FeatureRows
	scale []float64
}

func (r scaledRows) Scatter(t []float64, i int, a float64) {
	r.FeatureRows.Scatter(t, i, float64(a*r.scale[i]))
}

func (r scaledRows) Gather(t []float64, i int) float64 {
	return r.FeatureRows.Gather(t, i) * r.scale[i]
}

func (r scaledRows) Own(dst []float64) {
	r.FeatureRows.Own(dst)
	for i, s := range r.scale {
		dst[i] *= float64(s * s)
	}
}

func (r scaledRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	before := len(values)
	ids, values = r.FeatureRows.AppendRow(ids, values, i)
	for j := range values[before:] {
		values[before+j] *= r.scale[i]
	}
	return ids, values
}

// Raw returns the scorer inside.
func (s normalizedScorer) Raw() stringkernel.Scorer { return s.inner }

// Standalone reports whether the kernel inside is, and scores by itself.
func (k Normalized) Standalone() bool { return stringkernel.IsStandalone(k.Kernel) }

// scoreSelf scores x and returns k(x, x) by the cheapest way there is.
func scoreSelf(k stringkernel.Kernel, s stringkernel.Scorer, dst []float64, x []byte) float64 {
	if own, ok := s.(stringkernel.SelfScorer); ok {
		if self, known := own.SelfScoreTo(dst, x); known {
			return self
		}
	} else {
		s.ScoreTo(dst, x)
	}
	return stringkernel.SelfEval(k, x)
}

// TrackTo scales the scores of the scorer inside by the norms of the windows, which are computed one by one if the kernel inside does not track.
func (s normalizedScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	stringkernel.Track(dst, s.inner, m, x, window)
	norms := scratch.Borrow(&scratch.Pool, len(x)-window+1)
	defer scratch.Pool.Put(norms)
	stringkernel.TrackSelf(*norms, s.kernel, x, window)
	for p, norm := range *norms {
		dst[p] *= inverseRoot(norm)
	}
}

// CanTrack reports whether the scorer inside does.
func (s normalizedScorer) CanTrack() bool { return stringkernel.CanTrack(s.inner) }

// TrackSelfTo writes 1, or 0 for windows without features.
func (k Normalized) TrackSelfTo(dst []float64, x []byte, window int) {
	stringkernel.TrackSelf(dst, k.Kernel, x, window)
	for p, norm := range dst[:len(x)-window+1] {
		dst[p] = unit(inverseRoot(norm))
	}
}

// CanTrackSelf reports whether the kernel inside does.
func (k Normalized) CanTrackSelf() bool { return stringkernel.CanTrackSelf(k.Kernel) }

// WindowLength asks the scorer inside.
func (s normalizedScorer) WindowLength() int { return stringkernel.WindowLength(s.inner) }

// TrackStrands writes score m of the windows of x into plus and of those of its reverse complement rc into minus, as two calls of [stringkernel.Track] would, and faster where both have
// the same norms.
func TrackStrands(plus, minus []float64, s stringkernel.Scorer, m int, x, rc []byte, window int) {
	n, ok := s.(normalizedScorer)
	if ok && len(x) >= window {
		mirrored, tells := n.kernel.(stringkernel.SelfMirrored)
		ok = n.CanTrack() && tells && mirrored.SelfMirrored()
	}
	if !ok || len(x) < window {
		stringkernel.Track(plus, s, m, x, window)
		stringkernel.Track(minus, s, m, rc, window)
		return
	}
	stringkernel.Track(plus, n.inner, m, x, window)
	stringkernel.Track(minus, n.inner, m, rc, window)
	norms := scratch.Borrow(&scratch.Pool, len(x)-window+1)
	defer scratch.Pool.Put(norms)
	stringkernel.TrackSelf(*norms, n.kernel, x, window)
	for p, norm := range *norms {
		scale := inverseRoot(norm)
		plus[p] *= scale
		minus[len(*norms)-1-p] *= scale
	}
}
