package compose

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// normalizedGram is the matrix of normalised values.
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
