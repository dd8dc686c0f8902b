package compose

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

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
	err := compileInside("normalized", &k.Kernel)
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
	return newNormalizedGram(k.Kernel, inner), nil
}

// Merge folds the norms of the support vectors into their coefficients.
func (k Normalized) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("normalized: %w", err)
	}
	kernel, err := stringkernel.Compile(k.Kernel)
	if err != nil {
		return nil, err
	}
	scale, err := ofEach(ctx, kernel, sv, func(x []byte) float64 { return inverseRoot(SelfEval(kernel, x)) })
	if err != nil {
		return nil, err
	}
	inner, err := kernel.Merge(ctx, sv, c.Scaled(scale))
	if err != nil {
		return nil, err
	}
	return newNormalizedScorer(kernel, inner), nil
}

// Comparer scales what the wrapped kernel's finds.
func (k Normalized) Comparer() Comparer {
	return given(ComparerOf(k.Kernel), Comparer(normalizedOptions(k)))
}

func (k normalizedOptions) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	compare, err := ComparerOf(k.Kernel).Compare(ctx, c)
	if err != nil {
		return nil, err
	}
	scale, err := ofEach(ctx, k.Kernel, c, func(x []byte) float64 { return inverseRoot(SelfEval(k.Kernel, x)) })
	return normalizedComparison{compare, k.Kernel, scale}.rowTo, err
}

// normalizedComparison is a comparison divided by norms.
type normalizedComparison struct {
	compare stringkernel.Comparison
	kernel  stringkernel.Kernel
	scale   []float64 // k(x_i, x_i)^−½
}

func (r normalizedComparison) rowTo(dst []float64, x []byte) {
	r.compare(dst, x)
	scale := inverseRoot(SelfEval(r.kernel, x))
	for i := range dst {
		dst[i] *= r.scale[i] * scale
	}
}

// Describer is that of the wrapped kernel.
func (k Normalized) Describer() stringkernel.Describer { return stringkernel.DescriberOf(k.Kernel) }

// Fitter fits the wrapped kernel.
func (k Normalized) Fitter() stringkernel.Fitter {
	if f := stringkernel.FitterOf(k.Kernel); f != nil {
		return innerFitter{f, func(inner stringkernel.Kernel) stringkernel.Kernel { return Normalized{inner} }}
	}
	return nil
}

// normalizedOptions are the options that the kernel has if the wrapped one does.
type normalizedOptions Normalized

// Restorer stores and restores the wrapped scorer.
func (k Normalized) Restorer() stringkernel.Restorer {
	return given(stringkernel.RestorerOf(k.Kernel), stringkernel.Restorer(normalizedOptions(k)))
}

func (k normalizedOptions) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	return stringkernel.RestorerOf(k.Kernel).Arrays(s.(*normalizedScorer).inner)
}

func (k normalizedOptions) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	kernel, err := stringkernel.Compile(k.Kernel)
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
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	return shareInside(ctx, x, members, func(k Normalized) stringkernel.Kernel { return k.Kernel },
		func(_ context.Context, k Normalized, g stringkernel.Gram) (stringkernel.Gram, error) {
			return newNormalizedGram(k.Kernel, g), nil
		})
}

// Enumerator divides values by the norm of the sequence.
func (k Normalized) Enumerator() stringkernel.Enumerator {
	return given(stringkernel.EnumeratorOf(k.Kernel), stringkernel.Enumerator(normalizedOptions(k)))
}

func (k normalizedOptions) EachFeature(x []byte, visit func(name string, value float64)) {
	scale := inverseRoot(SelfEval(k.Kernel, x))
	stringkernel.EnumeratorOf(k.Kernel).EachFeature(x, func(name string, value float64) {
		visit(name, float64(value*scale))
	})
}

// WindowNorms are 1, or 0 for windows without features.
func (k Normalized) WindowNorms() WindowNorms {
	return given(WindowNormsOf(k.Kernel), WindowNorms(normalizedOptions(k)))
}

func (k normalizedOptions) TrackSelfTo(dst []float64, x []byte, window int) {
	TrackSelf(dst, k.Kernel, x, window)
	for p, norm := range dst[:len(x)-window+1] {
		dst[p] = unit(inverseRoot(norm))
	}
}

func (k normalizedOptions) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	stringkernel.TrackJointByEval(Normalized(k), dst, x, y, window)
}

func (k normalizedOptions) StrandSymmetric() bool { return WindowNormsOf(k.Kernel).StrandSymmetric() }

type normalizedGram struct {
	gramOptions
	kernel stringkernel.Kernel // the wrapped one
	scale  []float64           // K_ii^−½, 0 where K_ii is
}

func newNormalizedGram(kernel stringkernel.Kernel, inner stringkernel.Gram) *normalizedGram {
	scale := make([]float64, inner.Len())
	inner.Diag(scale)
	for i, kii := range scale {
		scale[i] = inverseRoot(kii)
	}
	g := &normalizedGram{gramOptions: gramOptions{inner: inner}, kernel: kernel, scale: scale}
	g.outside = g
	return g
}

func (g *normalizedGram) Len() int { return len(g.scale) }

func (g *normalizedGram) Diag(dst []float64) {
	for i, s := range g.scale {
		dst[i] = unit(s)
	}
}

func (g *normalizedGram) Row(dst []float64, i int) {
	g.inner.Row(dst, i)
	g.scaleRow(dst, i)
}

// scaleRow scales a row of the wrapped matrix.
func (g *normalizedGram) scaleRow(dst []float64, i int) {
	for j, s := range g.scale {
		dst[j] *= s * g.scale[i]
	}
	dst[i] = unit(g.scale[i])
}

// Merging takes the norms from the diagonal, if that has the bits of SelfEval.
func (g *normalizedGram) Merging(documents []int) stringkernel.MergeFunc {
	if SelfValuesOf(g.inner) == nil {
		return nil
	}
	kernel, scale := g.kernel, make([]float64, len(documents))
	for i, document := range documents {
		scale[i] = g.scale[document]
	}
	merge := stringkernel.Merging(kernel, g.inner, documents)
	return func(
		ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
	) (stringkernel.Scorer, error) {
		inner, err := merge(ctx, sv, c.Scaled(scale))
		if err != nil {
			return nil, err
		}
		return newNormalizedScorer(kernel, inner), nil
	}
}

// MulBlockTo scales before and after the product of the wrapped matrix.
func (g *normalizedGram) MulBlockTo(dst, v [][]float64) {
	g.borrow(len(v), len(g.scale), func(scaled [][]float64) {
		for m := range v {
			floats.MulTo(scaled[m], v[m], g.scale)
		}
		stringkernel.MulBlock(g.inner, dst, scaled)
	})
	for m := range v {
		floats.Mul(dst[m], g.scale)
	}
}

// Dense scales the wrapped matrix.
func (g *normalizedGram) Dense() stringkernel.Dense {
	return given(stringkernel.DenseOf(g.inner), stringkernel.Dense(g))
}

func (g *normalizedGram) DenseCost(ctx context.Context, products float64) (matrix, product float64, err error) {
	return stringkernel.DenseOf(g.inner).DenseCost(ctx, products)
}

func (g *normalizedGram) DenseTo(ctx context.Context, dst []float64) error {
	if err := stringkernel.DenseOf(g.inner).DenseTo(ctx, dst); err != nil {
		return err
	}
	return eachEntry(ctx, dst, len(g.scale), func(i, j int, inner float64) float64 {
		if i == j {
			return unit(g.scale[i])
		}
		return inner * float64(g.scale[i]*g.scale[j])
	})
}

func (g *normalizedGram) rows(inner stringkernel.FeatureRows) stringkernel.FeatureRows {
	return normalizedRows{inner, g.scale}
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
	scorerOptions
	inner stringkernel.Scorer
	norms selfScorer
}

func newNormalizedScorer(k stringkernel.Kernel, inner stringkernel.Scorer) *normalizedScorer {
	s := &normalizedScorer{inner: inner, norms: newSelfScorer(k, inner)}
	s.scorerOptions = scorerOptions{[]stringkernel.Scorer{inner}, normalizedScores{s}}
	return s
}

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

// normalizedScores are the options of the scorer: contributions and scores are divided by the norm of the sequence, the
// weights of features are raw.
type normalizedScores struct{ *normalizedScorer }

func (s normalizedScores) ExplainTo(dst []float64, m int, x []byte) {
	stringkernel.ExplainerOf(s.inner).ExplainTo(dst, m, x)
	floats.Scale(inverseRoot(s.norms.self(x)), dst[:len(x)])
}

func (s normalizedScores) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.FeatureListerOf(s.inner).TopFeatures(mix, n)
}

func (s normalizedScores) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	features := stringkernel.FeatureListerOf(s.inner).FeaturesOf(mix, x, n)
	scale := inverseRoot(s.norms.self(x))
	for i := range features {
		features[i].Contribution *= scale
	}
	return features
}

func (s normalizedScores) ScoreBatchTo(dst []float64, x [][]byte) {
	stringkernel.ScoreBatch(s.inner, dst, x)
	m := s.Outputs()
	for i := range x {
		floats.Scale(inverseRoot(s.norms.self(x[i])), dst[i*m:(i+1)*m])
	}
}

// SubstituteTo divides by the norm of each sequence with another letter.
func (s normalizedScores) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	Substitute(scores, contributions, s.inner, m, x, letters)
	y, self := bytes.Clone(x), s.substitutedSelf(x)
	for i, own := range x {
		for b, letter := range letters {
			y[i] = letter
			scale, at := inverseRoot(self(y, i)), i*len(letters)+b
			scores[at] *= scale
			if contributions != nil {
				contributions[at] *= scale
			}
		}
		y[i] = own
	}
}

// kmerSum returns the length of k-mers if φ(x) is a sum over those of x, wherever they are, else 0.
func kmerSum(k stringkernel.Kernel) int {
	switch k := k.(type) {
	case BothStrands:
		return kmerSum(k.Kernel)
	case Normalized, Mean, RBF:
		return 0
	}
	if WindowNormsOf(k) == nil { // as where k-mers weigh by their place
		return 0
	}
	return stringkernel.TraitsOf(k).KmerLength
}

// substitutedSelf returns a function from y, which is x with another letter at position i, to k(y, y). Of k-mers only
// those around the position differ: with v and w, the letters around it in x and in y, φ(y) = φ(x) + φ(w) − φ(v). That
// is used as long as k(y, y) is not so small that the difference loses digits.
func (s normalizedScores) substitutedSelf(x []byte) func(y []byte, i int) float64 {
	const (
		least = 4       // times the length of a k-mer: x is so much longer than w that less is computed
		small = 0x1p-10 // of k(x, x)
	)
	k, self := s.norms.kernel, s.norms.self
	span, whole := kmerSum(k), self(x)
	if span == 0 || len(x) < least*span {
		return func(y []byte, _ int) float64 { return self(y) }
	}
	last, fixed := -1, 0.0 // what is the same for all letters of the last position
	return func(y []byte, i int) float64 {
		lo, hi := max(0, i-span+1), min(len(x), i+span)
		v, w := x[lo:hi], y[lo:hi]
		if i != last {
			last, fixed = i, whole+SelfEval(k, v)-float64(2*k.Eval(x, v))
		}
		if y[i] == x[i] {
			return whole
		}
		sum := fixed + SelfEval(k, w) + float64(2*(k.Eval(x, w)-k.Eval(v, w)))
		if sum < small*whole {
			return self(y)
		}
		return sum
	}
}

// TrackTo computes the norms of windows one by one unless the wrapped kernel has [WindowNorms].
func (s normalizedScores) TrackTo(dst []float64, m int, x []byte, window int) {
	stringkernel.Track(dst, s.inner, m, x, window)
	norms := scratch.Borrow(&scratch.Pool, len(x)-window+1)
	defer scratch.Pool.Put(norms)
	TrackSelf(*norms, s.norms.kernel, x, window)
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
