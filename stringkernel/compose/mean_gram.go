package compose

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"gonum.org/v1/gonum/floats"
)

type meanGram struct {
	kernel Mean
	terms  []stringkernel.Gram
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
	for _, t := range b.terms {
		stringkernel.MulBlock(t, one, v)
		for m := range v {
			floats.Add(dst[m], one[m])
		}
	}
	for m := range v {
		divide(dst[m], len(b.terms))
	}
}

// Dense has the mean of the terms' matrices, if all terms have them.
func (g *meanGram) Dense() stringkernel.Dense {
	return givenAll(g.terms, stringkernel.DenseOf, stringkernel.Dense(meanDense(g.terms)))
}

type meanDense []stringkernel.Gram

// DenseCost adds up the terms'. Which of them is too expensive is not known before all are.
func (d meanDense) DenseCost(ctx context.Context, _ float64) (matrix, product float64, err error) {
	for _, t := range d {
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
	meanBy(one, dst, d, func(out []float64, t stringkernel.Gram) {
		err = cmp.Or(err, stringkernel.DenseOf(t).DenseTo(ctx, out))
	})
	return err
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
	mean(dst[:r.n], r.terms, func(out []float64, t stringkernel.FeatureRows) { t.Own(out) })
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
