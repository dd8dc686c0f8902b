package compose

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

type meanGram struct {
	kernel Mean
	terms  []stringkernel.Gram
}

// MeanGram returns the matrix of a mean from those of its terms, of one corpus.
func MeanGram(k Mean, terms []stringkernel.Gram) stringkernel.Gram { return &meanGram{k, terms} }

func (g *meanGram) Len() int { return g.terms[0].Len() }

func (g *meanGram) Diag(dst []float64) {
	mean(dst, g.kernel.Weights, g.terms, func(out []float64, t stringkernel.Gram) { t.Diag(out) })
}

func (g *meanGram) Row(dst []float64, i int) {
	mean(dst, g.kernel.Weights, g.terms, func(out []float64, t stringkernel.Gram) { t.Row(out, i) })
}

func (g *meanGram) MulVecTo(dst, v []float64) {
	mean(dst, g.kernel.Weights, g.terms, func(out []float64, t stringkernel.Gram) { t.MulVecTo(out, v) })
}

// Merging merges each term as its matrix does.
func (g *meanGram) Merging(documents []int) stringkernel.MergeFunc {
	kernel, merges := g.kernel, make([]stringkernel.MergeFunc, len(g.terms))
	for t, term := range g.terms {
		merges[t] = stringkernel.Merging(kernel.Terms[t], term, documents)
	}
	return func(
		ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
	) (stringkernel.Scorer, error) {
		return kernel.newScorer(func(t int, _ stringkernel.Kernel) (stringkernel.Scorer, error) {
			return merges[t](ctx, sv, c)
		})
	}
}

// Traits says that the matrix is row-based if any term is: its products dominate. It has all approximations.
func (g *meanGram) Traits() stringkernel.Traits {
	var approximations []stringkernel.Approximation
	for _, t := range g.terms {
		approximations = append(approximations, stringkernel.TraitsOf(t).Approximations...)
	}
	return stringkernel.Traits{
		RowBased:       slices.ContainsFunc(g.terms, stringkernel.IsRowBased),
		Prepare:        func(ctx context.Context) error { return prepareAll(ctx, g.terms) },
		Approximations: approximations,
	}
}

// BlockMul has the mean of the terms' block products, if any term has them.
func (g *meanGram) BlockMul() stringkernel.BlockMul {
	if slices.ContainsFunc(g.terms, func(t stringkernel.Gram) bool { return stringkernel.BlockMulOf(t) != nil }) {
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
	weights := shares(b.kernel.Weights)
	for t, term := range b.terms {
		stringkernel.MulBlock(term, one, v)
		for m := range v {
			weights.add(dst[m], one[m], t)
		}
	}
	for m := range v {
		divide(dst[m], weights.total(len(b.terms)))
	}
}

// Dense has the mean of the terms' matrices, if all terms have them.
func (g *meanGram) Dense() stringkernel.Dense {
	return givenAll(g.terms, stringkernel.DenseOf, stringkernel.Dense(meanDense(*g)))
}

type meanDense meanGram

// DenseCost adds up the terms'. Which of them is too expensive is not known before all are.
func (d meanDense) DenseCost(ctx context.Context, _ float64) (matrix, product float64, err error) {
	for _, t := range d.terms {
		m, p, err := stringkernel.DenseOf(t).DenseCost(ctx, math.Inf(1))
		if err != nil {
			return 0, 0, err
		}
		matrix, product = matrix+m, product+p
	}
	return matrix, product, nil
}

// DenseTo holds two matrices in memory.
func (d meanDense) DenseTo(ctx context.Context, dst []float64) (err error) {
	one := make([]float64, len(dst))
	meanBy(one, dst, d.kernel.Weights, d.terms, func(out []float64, t stringkernel.Gram) {
		err = cmp.Or(err, stringkernel.DenseOf(t).DenseTo(ctx, out))
	})
	return err
}

// FeatureRows returns the terms' rows side by side, if all terms have them.
func (g *meanGram) FeatureRows() stringkernel.FeatureRows {
	weights := shares(g.kernel.Weights)
	rows := &meanRows{weights: weights, scale: 1 / math.Sqrt(weights.total(len(g.terms))), n: g.Len()}
	for t, term := range g.terms {
		own := stringkernel.FeatureRowsOf(term)
		if own == nil || rows.width > math.MaxUint32-own.Width() {
			return nil
		}
		rows.terms, rows.starts = append(rows.terms, own), append(rows.starts, rows.width)
		rows.roots = append(rows.roots, math.Sqrt(weights.weight(t)))
		rows.width += own.Width()
	}
	return rows
}

// meanRows are the rows of the terms side by side, each times the root of its part of the weights.
type meanRows struct {
	terms   []stringkernel.FeatureRows
	starts  []int // of each term in a table
	width   int
	weights shares
	roots   []float64 // of the weights of the terms
	scale   float64   // 1 / the root of their sum
	n       int
}

func (r *meanRows) Width() int { return r.width }

func (r *meanRows) Scatter(t []float64, i int, a float64) {
	for m, term := range r.terms {
		term.Scatter(t[r.starts[m]:r.starts[m]+term.Width()], i, float64(a*r.scale)*r.roots[m])
	}
}

func (r *meanRows) Gather(t []float64, i int) float64 {
	sum := 0.0
	for m, term := range r.terms {
		sum += float64(r.roots[m] * term.Gather(t[r.starts[m]:r.starts[m]+term.Width()], i))
	}
	return sum * r.scale
}

func (r *meanRows) Own(dst []float64) {
	mean(dst[:r.n], r.weights, r.terms, func(out []float64, t stringkernel.FeatureRows) { t.Own(out) })
}

func (r *meanRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	for m, term := range r.terms {
		before := len(ids)
		ids, values = term.AppendRow(ids, values, i)
		for j := before; j < len(ids); j++ {
			ids[j] += uint32(r.starts[m])
			values[j] = float64(values[j]*r.scale) * r.roots[m]
		}
	}
	return ids, values
}
