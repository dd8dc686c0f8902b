package compose

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Function is a kernel on top of a kernel: a function of its value and of the norms of both sequences, for decisions
// that are not linear in its features. A sequence without features has the value 0 with every sequence, as everywhere.
//
// Its feature space has no index, so nothing is linear in the corpus. A row costs a row of the wrapped kernel, a
// product n rows (its Gram is row-based), and a score the values of the wrapped kernel with all support vectors, by its
// [Comparer] if it has one. SMO, which asks for rows, is the solver for it; [LowRank] around it makes it linear.
type Function struct {
	Kernel stringkernel.Kernel
	Of     Form
}

// Form is what a [Function] computes: [Power], [Exponential], or the Gaussian of [RBF].
type Form interface {
	// String names the function in errors.
	String() string
	check() error
	// value is that of two sequences with features, with the norms xx and yy and the product xy.
	value(xx, yy, xy float64) float64
	// linear returns the weight w of the linear term of the function's power series in the values of a kernel, all of
	// whose coefficients are at least 0; 0 if it has none.
	linear(of stringkernel.Kernel) float64
}

// Power is ((k + Offset)/(1 + Offset))^Degree, the polynomial kernel: its features are products of up to Degree
// features of the wrapped kernel, of exactly Degree if Offset is 0. It is 1 where k is, so that C means the same.
type Power struct {
	Degree int     // from 1 to MaxDegree
	Offset float64 // at least 0
}

// MaxDegree bounds the Degree of a [Power].
const MaxDegree = 100

// String returns "power".
func (p Power) String() string { return "power" }

func (p Power) check() error {
	if p.Degree < 1 || p.Degree > MaxDegree {
		return fmt.Errorf("degree = %d, want an integer from 1 to %d", p.Degree, MaxDegree)
	}
	if !(p.Offset >= 0) || math.IsInf(p.Offset, 0) {
		return fmt.Errorf("offset = %v, want a finite number of at least 0", p.Offset)
	}
	return nil
}

func (p Power) value(_, _, xy float64) float64 {
	base, product := (xy+p.Offset)/(1+p.Offset), 1.0
	for d := p.Degree; d > 0; d >>= 1 {
		if d&1 == 1 {
			product *= base
		}
		base *= base
	}
	return product
}

func (p Power) linear(stringkernel.Kernel) float64 {
	return float64(p.Degree) * math.Pow(p.Offset/(1+p.Offset), float64(p.Degree-1)) / (1 + p.Offset)
}

// Exponential is exp(Scale·(k − 1)): products of any number of features, the more of them the less. It is 1 where k is.
// Of a normalised kernel it is [RBF] with γ = Scale/2.
type Exponential struct {
	Scale float64 // > 0
}

// String returns "exp".
func (e Exponential) String() string { return "exp" }

func (e Exponential) check() error {
	if !(e.Scale > 0) || math.IsInf(e.Scale, 0) {
		return fmt.Errorf("scale = %v, want a finite number > 0", e.Scale)
	}
	return nil
}

func (e Exponential) value(_, _, xy float64) float64 { return elementary.Exp(e.Scale * (xy - 1)) }

func (e Exponential) linear(stringkernel.Kernel) float64 { return e.Scale * elementary.Exp(-e.Scale) }

// Check checks the function and the wrapped kernel.
func (k Function) Check() error {
	_, err := k.Compile()
	return err
}

// Compile checks the function and compiles the wrapped kernel.
func (k Function) Compile() (stringkernel.Kernel, error) {
	if k.Of == nil {
		return nil, fmt.Errorf("function: none given, want Power or Exponential")
	}
	if err := k.Of.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Of, err)
	}
	err := compileInside(k.Of.String(), &k.Kernel)
	return k, err
}

// Eval returns the value from two norms and k(x, y).
func (k Function) Eval(x, y []byte) float64 {
	return k.value(SelfEval(k.Kernel, x), SelfEval(k.Kernel, y), k.Kernel.Eval(x, y))
}

// SelfEval returns the value from k(x, x).
func (k Function) SelfEval(x []byte) float64 { return k.self(SelfEval(k.Kernel, x)) }

// JointSelfEval returns |φ(x) + φ(y)|².
func (k Function) JointSelfEval(x, y []byte) float64 { return stringkernel.JointByEval(k, x, y) }

// value is that of two sequences with given norms and product, 0 if one has no features.
func (k Function) value(xx, yy, xy float64) float64 {
	if !(xx >= leastNorm && yy >= leastNorm) {
		return 0
	}
	return k.Of.value(xx, yy, xy)
}

// self is the value of a sequence with itself.
func (k Function) self(norm float64) float64 { return k.value(norm, norm, norm) }

// Gram indexes the corpus once, for rows.
func (k Function) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	inner, err := k.Kernel.Gram(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Of, err)
	}
	return newFunctionGram(k, inner), nil
}

// Merge indexes the support vectors for comparisons: a score costs a value of the wrapped kernel for each.
func (k Function) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Of, err)
	}
	compare, err := functionOptions(k).Compare(ctx, sv)
	if err != nil {
		return nil, err
	}
	return stringkernel.NewComparisonScorer(compare, c), nil
}

// Comparer takes the function of what the wrapped kernel's finds.
func (k Function) Comparer() Comparer {
	return given(ComparerOf(k.Kernel), Comparer(functionOptions(k)))
}

// functionOptions are the options that the kernel has if the wrapped one does.
type functionOptions Function

// Fitter fits the wrapped kernel.
func (k Function) Fitter() stringkernel.Fitter {
	if f := stringkernel.FitterOf(k.Kernel); f != nil {
		return functionFitter{innerFitter{f, func(inner stringkernel.Kernel) stringkernel.Kernel {
			return Function{inner, k.Of}
		}}}
	}
	return nil
}

type functionFitter struct{ innerFitter }

// SelfContained reports false: scorers have no stored form.
func (f functionFitter) SelfContained() bool { return false }

// Family is that of the wrapped kernel, whatever the parameters of the function.
func (k Function) Family() string { return k.Of.String() + "(" + stringkernel.FamilyOf(k.Kernel) + ")" }

// Share indexes the corpus for the wrapped kernels.
func (k Function) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	return shareInside(ctx, x, k, members, func(k Function) stringkernel.Kernel { return k.Kernel },
		func(_ context.Context, k Function, g stringkernel.Gram) (stringkernel.Gram, error) {
			return newFunctionGram(k, g), nil
		})
}

type functionGram struct {
	kernel Function
	inner  stringkernel.Gram
	norms  []float64
}

func newFunctionGram(k Function, inner stringkernel.Gram) functionGram {
	g := functionGram{kernel: k, inner: inner, norms: make([]float64, inner.Len())}
	inner.Diag(g.norms)
	return g
}

func (g functionGram) Len() int { return len(g.norms) }

func (g functionGram) Diag(dst []float64) {
	for i, norm := range g.norms {
		dst[i] = g.kernel.self(norm)
	}
}

func (g functionGram) Row(dst []float64, i int) {
	g.inner.Row(dst, i)
	g.apply(dst, i)
}

// apply takes the function of a row of the wrapped matrix.
func (g functionGram) apply(dst []float64, i int) {
	for j, norm := range g.norms {
		dst[j] = g.kernel.value(norm, g.norms[i], dst[j])
	}
	dst[i] = g.kernel.self(g.norms[i])
}

// MulVecTo adds up the rows of the entries of v that are not 0.
func (g functionGram) MulVecTo(dst, v []float64) { stringkernel.MulByRows(g, dst, v) }

// Traits says that products are made of rows.
func (g functionGram) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }

// Dense takes the function of the wrapped matrix.
func (g functionGram) Dense() stringkernel.Dense {
	return given(stringkernel.DenseOf(g.inner), stringkernel.Dense(g))
}

// functionTime is the time of a function's value in nanoseconds.
const functionTime = 10

// DenseCost adds the function's values to the wrapped matrix. A product is made of rows, each of which costs a product
// of the wrapped matrix at most.
func (g functionGram) DenseCost(ctx context.Context, products float64) (matrix, product float64, err error) {
	n := float64(len(g.norms))
	matrix, product, err = stringkernel.DenseOf(g.inner).DenseCost(ctx, products*n)
	return matrix + float64(functionTime*n*n), float64(n * product), err
}

func (g functionGram) DenseTo(ctx context.Context, dst []float64) error {
	if err := stringkernel.DenseOf(g.inner).DenseTo(ctx, dst); err != nil {
		return err
	}
	return eachEntry(ctx, dst, len(g.norms), func(i, j int, inner float64) float64 {
		if i == j {
			return g.kernel.self(g.norms[i])
		}
		return g.kernel.value(g.norms[j], g.norms[i], inner)
	})
}

// functionComparison takes the function of the values of the wrapped kernel. Of a normalised kernel it takes those of
// the kernel that is normalised, so that no norm is computed twice.
type functionComparison struct {
	kernel Function
	raw    stringkernel.Kernel // the wrapped kernel, or what it normalises
	inner  stringkernel.Comparison
	scale  []float64 // of a normalised kernel: norms^−½ of raw; else nil
	norms  []float64 // of the wrapped kernel
}

func (k functionOptions) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	var err error
	if k.Kernel, err = stringkernel.Compile(k.Kernel); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Of, err)
	}
	r := &functionComparison{kernel: Function(k), raw: k.Kernel}
	if l, is := k.Kernel.(Linear); is && l.Cosine {
		r.raw, r.scale = l.raw(), make([]float64, c.Len())
	}
	if r.inner, err = Compare(ctx, r.raw, c); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Of, err)
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

func (r *functionComparison) rowTo(dst []float64, x []byte) {
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
