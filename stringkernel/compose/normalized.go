package compose

import (
	"context"
	"fmt"
	"math"

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
	return shareInside(ctx, x, k, members, func(k Normalized) stringkernel.Kernel { return k.Kernel },
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
