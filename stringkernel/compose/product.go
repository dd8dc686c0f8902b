package compose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Product is the product of several kernels, Π_t k_t(x, y): sequences are similar if all kernels say so. Its features
// are the products of a feature of each, which have no index: rows are products of rows, as those of a [Function],
// whose costs it has.
type Product struct {
	Factors []stringkernel.Kernel
}

// Check checks each factor.
func (k Product) Check() error {
	_, err := k.Compile()
	return err
}

// Compile compiles each factor.
func (k Product) Compile() (stringkernel.Kernel, error) {
	if len(k.Factors) == 0 {
		return nil, errors.New("product: no kernels, want at least 1")
	}
	factors, err := ofFactors(k, func(_ int, factor stringkernel.Kernel) (stringkernel.Kernel, error) {
		if factor == nil {
			return nil, errors.New("no kernel")
		}
		return stringkernel.Compile(factor)
	})
	return Product{factors}, err
}

func ofFactors[T any](k Product, of func(t int, factor stringkernel.Kernel) (T, error)) ([]T, error) {
	return ofParts("product: factor", k.Factors, of)
}

// over returns the product of a value of the factors.
func (k Product) over(value func(factor stringkernel.Kernel) float64) float64 {
	product := 1.0
	for _, factor := range k.Factors {
		product *= value(factor)
	}
	return product
}

// Eval returns the product of the factors.
func (k Product) Eval(x, y []byte) float64 {
	return k.over(func(factor stringkernel.Kernel) float64 { return factor.Eval(x, y) })
}

// SelfEval returns the product of the factors' k(x, x).
func (k Product) SelfEval(x []byte) float64 {
	return k.over(func(factor stringkernel.Kernel) float64 { return SelfEval(factor, x) })
}

// JointSelfEval returns |φ(x) + φ(y)|².
func (k Product) JointSelfEval(x, y []byte) float64 { return stringkernel.JointByEval(k, x, y) }

// Gram indexes the corpus once per factor, for rows.
func (k Product) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	factors, err := ofFactors(k, func(_ int, factor stringkernel.Kernel) (stringkernel.Gram, error) {
		return factor.Gram(ctx, c)
	})
	if err != nil {
		return nil, err
	}
	return productGram(factors), nil
}

// Merge indexes the support vectors for comparisons: a score costs a value of each factor for each.
func (k Product) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	compare, err := productOptions(k).Compare(ctx, sv)
	if err != nil {
		return nil, err
	}
	return stringkernel.NewComparisonScorer(compare, c), nil
}

// Comparer takes the products of what the factors' find, if all have one.
func (k Product) Comparer() Comparer {
	return givenAll(k.Factors, ComparerOf, Comparer(productOptions(k)))
}

// productOptions are the options that the kernel has if the factors do.
type productOptions Product

func (k productOptions) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	factors, err := ofFactors(Product(k), func(_ int, factor stringkernel.Kernel) (stringkernel.Comparison, error) {
		compiled, err := stringkernel.Compile(factor)
		if err != nil {
			return nil, err
		}
		return Compare(ctx, compiled, c)
	})
	return func(dst []float64, x []byte) {
		multiply(dst, factors, func(out []float64, compare stringkernel.Comparison) { compare(out, x) })
	}, err
}

// Fitter fits the factors that depend on a corpus, if any does.
func (k Product) Fitter() stringkernel.Fitter {
	if slices.ContainsFunc(k.Factors, stringkernel.DependsOnCorpus) {
		return productFitter{Linear{Terms: k.Factors}}
	}
	return nil
}

// productFitter fits the factors as a mean of them would.
type productFitter struct{ Linear }

func (f productFitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	factors, err := ofFactors(Product{f.Terms}, func(_ int, factor stringkernel.Kernel) (stringkernel.Kernel, error) {
		return stringkernel.Fit(ctx, factor, c)
	})
	return Product{factors}, err
}

// SelfContained reports false: scorers have no stored form.
func (f productFitter) SelfContained() bool { return false }

// Family is that of the factors, in order.
func (k Product) Family() string { return "product(" + familiesOf(k.Factors) + ")" }

// Share indexes the corpus once per factor.
func (k Product) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	shared, err := ofFactors(k, func(t int, factor stringkernel.Kernel) (stringkernel.Shared, error) {
		inner := make([]stringkernel.Kernel, len(members))
		for i, m := range members {
			inner[i] = m.(Product).Factors[t]
		}
		return x.ShareBy(ctx, factor, inner)
	})
	return func(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		grams, err := ofFactors(k.(Product), func(t int, factor stringkernel.Kernel) (stringkernel.Gram, error) {
			return shared[t](ctx, factor, train)
		})
		return productGram(grams), err
	}, err
}

// productGram are the matrices of the factors.
type productGram []stringkernel.Gram

func (g productGram) Len() int { return g[0].Len() }

func (g productGram) Diag(dst []float64) {
	multiply(dst, g, func(out []float64, factor stringkernel.Gram) { factor.Diag(out) })
}

func (g productGram) Row(dst []float64, i int) {
	multiply(dst, g, func(out []float64, factor stringkernel.Gram) { factor.Row(out, i) })
}

// MulVecTo adds up the rows of the entries of v that are not 0.
func (g productGram) MulVecTo(dst, v []float64) { stringkernel.MulByRows(g, dst, v) }

// Traits says that products are made of rows.
func (g productGram) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }

// Dense multiplies the factors' matrices, if all have them.
func (g productGram) Dense() stringkernel.Dense {
	return givenAll(g, stringkernel.DenseOf, stringkernel.Dense(g))
}

// DenseCost adds up the factors'. A product is made of rows, each of which costs a product of a matrix at most.
func (g productGram) DenseCost(ctx context.Context, _ float64) (matrix, product float64, err error) {
	n := float64(g.Len())
	for _, factor := range g {
		m, p, err := stringkernel.DenseOf(factor).DenseCost(ctx, math.Inf(1))
		if err != nil {
			return 0, 0, err
		}
		matrix, product = matrix+m, product+float64(n*p)
	}
	return matrix, product, nil
}

// DenseTo holds two matrices in memory.
func (g productGram) DenseTo(ctx context.Context, dst []float64) (err error) {
	one := make([]float64, len(dst))
	multiplyBy(one, dst, g, func(out []float64, factor stringkernel.Gram) {
		err = cmp.Or(err, stringkernel.DenseOf(factor).DenseTo(ctx, out))
	})
	return err
}

// multiply writes into dst the products of what write gives for each factor, in order.
func multiply[T any](dst []float64, factors []T, write func(out []float64, factor T)) {
	one := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(one)
	multiplyBy(*one, dst, factors, write)
}

// multiplyBy is multiply with space for what one factor gives.
func multiplyBy[T any](one, dst []float64, factors []T, write func(out []float64, factor T)) {
	write(dst, factors[0])
	for _, factor := range factors[1:] {
		write(one, factor)
		floats.Mul(dst, one)
	}
}
