package compose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Function is a kernel on top of kernels: a function of the product of their values, and of the products of their norms
// of both sequences, for decisions that are not linear in their features. A sequence without features has the value 0
// with every sequence, as everywhere.
//
// Its feature space has no index, so nothing is linear in the corpus. A row costs a row of each kernel inside, a
// product n rows (its Gram is row-based), and a score the values of these kernels with all support vectors ([Compare]).
// SMO, which asks for rows, is the solver for it; [LowRank] around it makes it linear.
type Function struct {
	Of      Form
	Kernels []stringkernel.Kernel
}

// Form is what a [Function] computes: an operation with its parameters.
type Form struct {
	Op     Operation
	Degree int     // of Power: from 1 to MaxDegree
	Offset float64 // of Power: at least 0
	Scale  float64 // of Exponential: > 0
	Gamma  float64 // γ of Gaussian: > 0; 0 where Quantile learns it
	// Quantile, from 0 to 1 exclusive, learns γ from the training records: 1 over this quantile of the squared
	// distances of up to 1,000 pairs (Caputo, Sim, Furesjo & Smola 2002 for 0.1 to 0.9). A fitted kernel has a Gamma
	// and no Quantile; one that is not fitted has the values of γ = 1.
	Quantile float64

	beyond float64 // the weight w of the linear term that is left out: (f − w·k)/(1 − w)
}

// Operation names a function of a kernel.
type Operation string

// The operations. All but Times are 1 where k is, if k(x, x) is, so that C means the same.
const (
	// Times is the product itself.
	Times Operation = "product"
	// Power is ((k + Offset)/(1 + Offset))^Degree, the polynomial kernel: its features are products of up to Degree
	// features of the wrapped kernel, of exactly Degree if Offset is 0.
	Power Operation = "power"
	// Exponential is exp(Scale·(k − 1)): products of any number of features, the more of them the less. Of a normalised
	// kernel it is Gaussian with γ = Scale/2.
	Exponential Operation = "exp"
	// Gaussian is the function of [RBF].
	Gaussian Operation = "rbf"
)

// MaxDegree bounds the Degree of a [Power].
const MaxDegree = 100

// Product is the product of several kernels, Π_t k_t(x, y): sequences are similar if all kernels say so. Its features
// are the products of a feature of each.
func Product(factors ...stringkernel.Kernel) Function { return FunctionOf(Form{Op: Times}, factors...) }

// FunctionOf returns a function of a kernel, or of the product of several.
func FunctionOf(f Form, kernels ...stringkernel.Kernel) Function { return Function{f, kernels} }

func (f Form) check() error {
	finite := func(value float64) bool { return value > 0 && !math.IsInf(value, 0) }
	switch {
	case !slices.Contains([]Operation{Times, Power, Exponential, Gaussian}, f.Op):
		return fmt.Errorf("%q, want product, power, exp or rbf", string(f.Op))
	case f.Op == Power && (f.Degree < 1 || f.Degree > MaxDegree):
		return fmt.Errorf("degree = %d, want an integer from 1 to %d", f.Degree, MaxDegree)
	case f.Op == Power && f.Offset != 0 && !finite(f.Offset):
		return fmt.Errorf("offset = %v, want a finite number of at least 0", f.Offset)
	case f.Op == Exponential && !finite(f.Scale):
		return fmt.Errorf("scale = %v, want a finite number > 0", f.Scale)
	case f.Quantile != 0 && !(f.Op == Gaussian && f.Quantile > 0 && f.Quantile < 1):
		return fmt.Errorf("quantile = %v, want a number between 0 and 1", f.Quantile)
	case f.Quantile != 0 && f.Gamma != 0:
		return fmt.Errorf("gamma = %v beside quantile = %v, which learns it", f.Gamma, f.Quantile)
	case f.Op == Gaussian && f.Quantile == 0 && !finite(f.Gamma):
		return fmt.Errorf("gamma = %v, want a finite number > 0", f.Gamma)
	}
	return nil
}

// gamma returns γ, 1 before it is learned.
func (f Form) gamma() float64 {
	if f.Quantile != 0 {
		return 1
	}
	return f.Gamma
}

// value is that of two sequences with features, with the norms xx and yy and the product xy.
func (f Form) value(xx, yy, xy float64) (value float64) {
	switch value = xy; f.Op {
	case Power:
		value = elementary.Power((xy+f.Offset)/(1+f.Offset), f.Degree)
	case Exponential:
		value = elementary.Exp(f.Scale * (xy - 1))
	case Gaussian:
		value = elementary.Exp(-f.gamma() * max(0, xx+yy-2*xy))
	}
	if f.beyond != 0 {
		value = (value - float64(f.beyond*xy)) / (1 - f.beyond)
	}
	return value
}

// linear returns the weight w of the linear term of the function's power series in the values of a kernel, all of whose
// coefficients are at least 0; 0 if it has none. That of a Gaussian is 2γ·exp(−2γ) if all norms are 1, but for
// sequences without features, by construction: then the function is exp(2γ(k − 1)).
func (f Form) linear(of stringkernel.Kernel) float64 {
	l, is := of.(Linear)
	switch {
	case f.Op == Power:
		return float64(f.Degree) * math.Pow(f.Offset/(1+f.Offset), float64(f.Degree-1)) / (1 + f.Offset)
	case f.Op == Gaussian && is && l.Cosine:
		f.Scale = 2 * f.gamma()
	case f.Op != Exponential:
		return 0
	}
	return f.Scale * elementary.Exp(-f.Scale)
}

// Compile checks the function and compiles the kernels inside.
func (k Function) Compile() (stringkernel.Kernel, error) {
	if err := k.Of.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(k.Of.Op, "function"), err)
	}
	if len(k.Kernels) == 0 {
		return nil, fmt.Errorf("%s: no kernels, want at least 1", k.Of.Op)
	}
	kernels, err := ofFactors(k, func(_ int, factor stringkernel.Kernel) (stringkernel.Kernel, error) {
		err := compileInside(string(k.Of.Op), &factor)
		return factor, err
	})
	return Function{k.Of, kernels}, err
}

// Check checks the function and the kernels inside.
func (k Function) Check() error {
	_, err := k.Compile()
	return err
}

func (k Function) leaves() int { return leavesOf(k.Kernels) }

func ofFactors[T any](k Function, of func(t int, factor stringkernel.Kernel) (T, error)) ([]T, error) {
	return ofParts(string(k.Of.Op)+": factor", k.Kernels, of)
}

// over returns the product of a value of the kernels inside.
func (k Function) over(value func(factor stringkernel.Kernel) float64) float64 {
	product := 1.0
	for _, factor := range k.Kernels {
		product *= value(factor)
	}
	return product
}

// norm returns the product of k(x, x) of the kernels inside.
func (k Function) norm(x []byte) float64 {
	return k.over(func(factor stringkernel.Kernel) float64 { return factor.SelfEval(x) })
}

// Eval returns the value from two norms and k(x, y).
func (k Function) Eval(x, y []byte) float64 {
	xy := k.over(func(factor stringkernel.Kernel) float64 { return factor.Eval(x, y) })
	return k.value(k.norm(x), k.norm(y), xy)
}

// SelfEval returns the value from k(x, x).
func (k Function) SelfEval(x []byte) float64 { return k.self(k.norm(x)) }

// value is that of two sequences with given norms and product, 0 if one has no features.
func (k Function) value(xx, yy, xy float64) float64 {
	if !(xx >= leastNorm && yy >= leastNorm) {
		return 0
	}
	return k.Of.value(xx, yy, xy)
}

// self is the value of a sequence with itself.
func (k Function) self(norm float64) float64 { return k.value(norm, norm, norm) }

// Gram indexes the corpus once for each kernel inside, for rows; it learns γ from it if the kernel is not fitted.
func (k Function) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	inner, err := ofFactors(k, func(_ int, factor stringkernel.Kernel) (stringkernel.Gram, error) {
		g, err := factor.Gram(ctx, c)
		if err != nil {
			err = fmt.Errorf("%s: %w", k.Of.Op, err)
		}
		return g, err
	})
	if err == nil {
		k, err = k.learned(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	return newFunctionGram(ctx, k, inner)
}

// Merge indexes the support vectors for comparisons: a score costs a value of each kernel inside for each.
func (k Function) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Of.Op, err)
	}
	k, err := k.learned(ctx, sv)
	if err != nil {
		return nil, err
	}
	compare, err := k.compare(ctx, sv)
	if err != nil {
		return nil, err
	}
	return stringkernel.NewComparisonScorer(compare, c), nil
}

// Fitter learns γ if a quantile says so, and fits the kernels inside that depend on a corpus.
func (k Function) Fitter() stringkernel.Fitter {
	if k.learns() || slices.ContainsFunc(k.Kernels, stringkernel.DependsOnCorpus) {
		return k
	}
	return nil
}

// Fit fits the kernels inside, and finds γ by them.
func (k Function) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	return k.fit(ctx, c)
}

func (k Function) fit(ctx context.Context, c *stringkernel.Corpus) (Function, error) {
	kernels, err := ofFactors(k, func(_ int, factor stringkernel.Kernel) (stringkernel.Kernel, error) {
		return stringkernel.Fit(ctx, factor, c)
	})
	if err != nil {
		return k, err
	}
	return Function{k.Of, kernels}.learned(ctx, c)
}

// Reference returns the corpus that kernels inside were fitted to, nil if none was.
func (k Function) Reference() *stringkernel.Corpus { return referenceOf(k.Kernels) }

// SelfContained reports false: scorers have no stored form.
func (k Function) SelfContained() bool { return false }

// Family is that of the kernels inside, in order, whatever the parameters of the function.
func (k Function) Family() string { return string(k.Of.Op) + "(" + familiesOf(k.Kernels) + ")" }

// Share indexes the corpus once for each kernel inside. The matrix of each member has its γ, if it is learned, from the
// records of training.
func (k Function) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	shared, err := shareInside(ctx, x, k.Kernels, members, func(k Function) []stringkernel.Kernel { return k.Kernels })
	return func(ctx context.Context, member stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		k := member.(Function)
		grams, err := ofFactors(k, func(t int, factor stringkernel.Kernel) (stringkernel.Gram, error) {
			return shared[t](ctx, factor, train)
		})
		if err == nil && k.learns() {
			reference := x.Corpus
			if train != nil {
				reference = x.Corpus.Subset(train)
			}
			k, err = k.fit(ctx, reference)
		}
		if err != nil {
			return nil, err
		}
		return newFunctionGram(ctx, k, grams)
	}, err
}

// functionGram is the matrix of a [Function]: rows are the function of products of rows.
type functionGram struct {
	kernel Function
	inner  []stringkernel.Gram
	norms  []float64
}

func newFunctionGram(ctx context.Context, k Function, inner []stringkernel.Gram) (stringkernel.Gram, error) {
	g := functionGram{kernel: k, inner: inner, norms: make([]float64, inner[0].Len())}
	return g, cancel.Run(ctx, func() {
		multiply(g.norms, inner, func(out []float64, factor stringkernel.Gram) { factor.Diag(out) })
	})
}

func (g functionGram) Len() int { return len(g.norms) }

func (g functionGram) Diag(dst []float64) {
	for i, norm := range g.norms {
		dst[i] = g.kernel.self(norm)
	}
}

func (g functionGram) Row(dst []float64, i int) {
	multiply(dst[:g.Len()], g.inner, func(out []float64, factor stringkernel.Gram) { factor.Row(out, i) })
	g.apply(dst, i)
}

// apply takes the function of a row of products.
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

// Dense takes the function of the product of the matrices, if all have them.
func (g functionGram) Dense() stringkernel.Dense {
	return givenAll(g.inner, stringkernel.DenseOf, stringkernel.Dense(g))
}

// functionTime is the time of a function's value in nanoseconds.
const functionTime = 10

// DenseCost adds the function's values to the matrices inside. A product is made of rows, each of which costs a product
// of a matrix at most.
func (g functionGram) DenseCost(ctx context.Context, products float64) (matrix, product float64, err error) {
	n := float64(g.Len())
	matrix, product, err = denseCost(ctx, g.inner, products*n)
	return matrix + float64(functionTime*n*n), float64(n * product), err
}

// DenseTo holds these rows of two matrices in memory if there are several inside.
func (g functionGram) DenseTo(ctx context.Context, dst []float64, from, to int) error {
	one := make([]float64, min(len(g.inner)-1, 1)*len(dst))
	for t, factor := range g.inner {
		out := dst
		if t > 0 {
			out = one
		}
		if err := stringkernel.DenseOf(factor).DenseTo(ctx, out, from, to); err != nil {
			return err
		}
		if t > 0 {
			floats.Mul(dst, one)
		}
	}
	return applyRows(ctx, dst, g.Len(), from, g.apply)
}

// multiply writes into dst the product of what write gives for each factor, in order.
func multiply[T any](dst []float64, factors []T, write func(out []float64, factor T)) {
	write(dst, factors[0])
	if len(factors) == 1 {
		return
	}
	one := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(one)
	for _, factor := range factors[1:] {
		write(*one, factor)
		floats.Mul(dst, *one)
	}
}

// compared is a comparison by one of the kernels inside. Of a normalised kernel it is that of the kernel that is
// normalised, so that no norm is computed twice.
type compared struct {
	raw     stringkernel.Kernel // the kernel inside, or what it normalises
	compare stringkernel.Comparison
	scale   []float64 // of a normalised kernel: norms^−½ of raw; else nil
	norms   []float64 // of the kernel inside
}

// comparedBy indexes a corpus for comparisons by a kernel.
func comparedBy(ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus) (r compared, err error) {
	r.raw = k
	if l, is := k.(Linear); is && l.Cosine {
		r.raw, r.scale = l.raw(), make([]float64, c.Len())
	}
	if r.compare, err = Compare(ctx, r.raw, c); err != nil {
		return r, err
	}
	r.norms, err = ofEach(ctx, r.raw, c, func(x []byte) float64 { return r.raw.SelfEval(x) })
	for i := 0; err == nil && i < len(r.scale); i++ {
		r.scale[i] = inverseRoot(r.norms[i])
		r.norms[i] = unit(r.scale[i])
	}
	return r, err
}

// norm returns k(x, x), and what values of raw are scaled by besides its scale.
func (r *compared) norm(x []byte) (norm, scale float64) {
	norm = r.raw.SelfEval(x)
	if r.scale == nil {
		return norm, 1
	}
	scale = inverseRoot(norm)
	return unit(scale), scale
}

// Traits says that sequences are compared by the kernels inside.
func (k Function) Traits() stringkernel.Traits {
	return stringkernel.Traits{Compile: k.Compile, Compare: k.compare}
}

// compare takes the function of the values of the kernels inside.
func (k Function) compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	compiled, err := k.Compile()
	if err != nil {
		return nil, err
	}
	k = compiled.(Function)
	factors, err := ofFactors(k, func(_ int, factor stringkernel.Kernel) (compared, error) {
		r, err := comparedBy(ctx, factor, c)
		if err != nil {
			err = fmt.Errorf("%s: %w", k.Of.Op, err)
		}
		return r, err
	})
	if err != nil {
		return nil, err
	}
	norms := make([]float64, c.Len())
	multiply(norms, factors, func(out []float64, r compared) { copy(out, r.norms) })
	return func(dst []float64, x []byte) {
		xx := 1.0
		multiply(dst, factors, func(out []float64, r compared) {
			norm, scale := r.norm(x)
			if xx *= norm; !(xx >= leastNorm) {
				clear(out)
				return
			}
			r.compare(out, x)
			if r.scale != nil {
				floats.Scale(scale, out)
				floats.Mul(out, r.scale)
			}
		})
		for i, xy := range dst {
			dst[i] = k.value(norms[i], xx, xy)
		}
	}, nil
}
