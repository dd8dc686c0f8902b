package compose

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// RBF is the Gaussian of a kernel's distance, exp(−γ(k(x, x) + k(y, y) − 2k(x, y))): a kernel on top of a kernel, for
// decisions that are not linear in its features. A sequence without features has the value 0 with every sequence, as
// everywhere; all others have 1 with themselves.
//
// Its feature space has no index, so nothing is linear in the corpus. A row costs a row of the wrapped kernel, a
// product n rows (its Gram is row-based), and a score the values of the wrapped kernel with all support vectors, by its
// [Comparer] if it has one. SMO, which asks for rows, is the solver for it.
//
// On a [Normalized] kernel the distance is 2 − 2k, so exp(γ'(k − 1)), the RBF of LS-GKM (-t 3, -t 5), is γ = γ'/2. If
// the wrapped kernel is indefinite, a negative distance counts as 0, and the RBF is indefinite too.
type RBF struct {
	Kernel stringkernel.Kernel
	Gamma  float64 // γ > 0
}

// Check checks γ and the wrapped kernel.
func (k RBF) Check() error {
	_, err := k.Compile()
	return err
}

// Compile checks γ and compiles the wrapped kernel.
func (k RBF) Compile() (stringkernel.Kernel, error) {
	if !(k.Gamma > 0) || math.IsInf(k.Gamma, 0) {
		return nil, fmt.Errorf("rbf: gamma = %v, want a finite number > 0", k.Gamma)
	}
	err := compileInside("rbf", &k.Kernel)
	return k, err
}

// Eval returns the value from two norms and k(x, y).
func (k RBF) Eval(x, y []byte) float64 {
	return k.value(SelfEval(k.Kernel, x), SelfEval(k.Kernel, y), k.Kernel.Eval(x, y))
}

// SelfEval returns 1, or 0 for a sequence without features.
func (k RBF) SelfEval(x []byte) float64 { return unit(inverseRoot(SelfEval(k.Kernel, x))) }

// JointSelfEval returns |φ(x) + φ(y)|².
func (k RBF) JointSelfEval(x, y []byte) float64 { return stringkernel.JointByEval(k, x, y) }

// value is the Gaussian of the distance of two sequences with given norms and product.
func (k RBF) value(xx, yy, xy float64) float64 {
	if !(xx >= leastNorm && yy >= leastNorm) {
		return 0
	}
	return elementary.Exp(-k.Gamma * max(0, xx+yy-2*xy))
}

// Gram indexes the corpus once, for rows.
func (k RBF) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	inner, err := k.Kernel.Gram(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("rbf: %w", err)
	}
	return newRBFGram(k, inner), nil
}

// Merge indexes the support vectors for comparisons: a score costs a value of the wrapped kernel for each.
func (k RBF) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("rbf: %w", err)
	}
	compare, err := k.compare(ctx, sv)
	if err != nil {
		return nil, err
	}
	return stringkernel.NewComparisonScorer(compare, c), nil
}

// Comparer takes Gaussians of what the wrapped kernel's finds.
func (k RBF) Comparer() Comparer {
	return given(ComparerOf(k.Kernel), Comparer(rbfOptions(k)))
}

// rbfOptions are the options that the kernel has if the wrapped one does.
type rbfOptions RBF

func (k rbfOptions) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	return RBF(k).compare(ctx, c)
}

// Fitter fits the wrapped kernel.
func (k RBF) Fitter() stringkernel.Fitter {
	if f := stringkernel.FitterOf(k.Kernel); f != nil {
		return rbfFitter{innerFitter{f, func(inner stringkernel.Kernel) stringkernel.Kernel {
			return RBF{inner, k.Gamma}
		}}}
	}
	return nil
}

type rbfFitter struct{ innerFitter }

// SelfContained reports false: scorers have no stored form.
func (f rbfFitter) SelfContained() bool { return false }

// Family is that of the wrapped kernel, whatever γ.
func (k RBF) Family() string { return "rbf(" + stringkernel.FamilyOf(k.Kernel) + ")" }

// Share indexes the corpus for the wrapped kernels.
func (k RBF) Share(
	ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	return shareInside(ctx, c, members, func(k RBF) stringkernel.Kernel { return k.Kernel },
		func(_ context.Context, k RBF, g stringkernel.Gram) (stringkernel.Gram, error) {
			return newRBFGram(k, g), nil
		})
}

type rbfGram struct {
	kernel RBF
	inner  stringkernel.Gram
	norms  []float64
}

func newRBFGram(k RBF, inner stringkernel.Gram) rbfGram {
	g := rbfGram{kernel: k, inner: inner, norms: make([]float64, inner.Len())}
	inner.Diag(g.norms)
	return g
}

func (g rbfGram) Len() int { return len(g.norms) }

func (g rbfGram) Diag(dst []float64) {
	for i, norm := range g.norms {
		dst[i] = unit(inverseRoot(norm))
	}
}

func (g rbfGram) Row(dst []float64, i int) {
	g.inner.Row(dst, i)
	for j, norm := range g.norms {
		dst[j] = g.kernel.value(norm, g.norms[i], dst[j])
	}
	dst[i] = unit(inverseRoot(g.norms[i]))
}

// MulVecTo adds up the rows of the entries of v that are not 0.
func (g rbfGram) MulVecTo(dst, v []float64) { stringkernel.MulByRows(g, dst, v) }

// Traits says that products are made of rows.
func (g rbfGram) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }

// Dense takes Gaussians of the wrapped matrix.
func (g rbfGram) Dense() stringkernel.Dense {
	return given(stringkernel.DenseOf(g.inner), stringkernel.Dense(g))
}

// gaussianTime is the time of a Gaussian in nanoseconds.
const gaussianTime = 10

// DenseCost adds the Gaussians to the wrapped matrix. A product is made of rows, each of which costs a product of the
// wrapped matrix at most.
func (g rbfGram) DenseCost(ctx context.Context, products float64) (matrix, product float64, err error) {
	n := float64(len(g.norms))
	matrix, product, err = stringkernel.DenseOf(g.inner).DenseCost(ctx, products*n)
	return matrix + float64(gaussianTime*n*n), float64(n * product), err
}

func (g rbfGram) DenseTo(ctx context.Context, dst []float64) error {
	if err := stringkernel.DenseOf(g.inner).DenseTo(ctx, dst); err != nil {
		return err
	}
	return eachEntry(ctx, dst, len(g.norms), func(i, j int, inner float64) float64 {
		if i == j {
			return unit(inverseRoot(g.norms[i]))
		}
		return g.kernel.value(g.norms[j], g.norms[i], inner)
	})
}

// rbfComparison takes Gaussians of the values of the wrapped kernel. Of a normalised kernel it takes those of the
// kernel that is normalised, so that no norm is computed twice.
type rbfComparison struct {
	kernel RBF
	raw    stringkernel.Kernel // the wrapped kernel, or what it normalises
	inner  stringkernel.Comparison
	scale  []float64 // of a normalised kernel: norms^−½ of raw; else nil
	norms  []float64 // of the wrapped kernel
}

func (k RBF) compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	var err error
	if k.Kernel, err = stringkernel.Compile(k.Kernel); err != nil {
		return nil, fmt.Errorf("rbf: %w", err)
	}
	r := &rbfComparison{kernel: k, raw: k.Kernel}
	if normalized, ok := k.Kernel.(Normalized); ok {
		r.raw, r.scale = normalized.Kernel, make([]float64, c.Len())
	}
	if r.inner, err = Compare(ctx, r.raw, c); err != nil {
		return nil, fmt.Errorf("rbf: %w", err)
	}
	if r.norms, err = ofEach(ctx, r.raw, c, func(x []byte) float64 { return SelfEval(r.raw, x) }); err != nil {
		return nil, err
	}
	for i := range r.scale {
		r.scale[i] = inverseRoot(r.norms[i])
		r.norms[i] = unit(r.scale[i])
	}
	return r.rowTo, nil
}

func (r *rbfComparison) rowTo(dst []float64, x []byte) {
	norm := SelfEval(r.raw, x)
	scale := inverseRoot(norm)
	if r.scale != nil {
		norm = unit(scale)
	}
	if !(norm >= leastNorm) {
		clear(dst)
		return
	}
	r.inner(dst, x)
	for i, product := range dst {
		if r.scale != nil {
			product *= r.scale[i] * scale
		}
		dst[i] = r.kernel.value(r.norms[i], norm, product)
	}
}
