package compose

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
	"gonum.org/v1/gonum/floats"
)

// strandGram sees the doubled corpus: rows i and n + i are the two strands of sequence i.
type strandGram struct {
	gramOptions
	n    int
	diag []float64
}

func newStrandGram(
	ctx context.Context, k BothStrands, inner stringkernel.Gram, c *stringkernel.Corpus,
) (stringkernel.Gram, error) {
	diag, err := ofEach(ctx, k, c, k.SelfEval)
	if err != nil {
		return nil, err
	}
	g := &strandGram{gramOptions{inner: inner}, c.Len(), diag}
	g.outside = g
	return g, nil
}

func (g *strandGram) Len() int { return g.n }

func (g *strandGram) Diag(dst []float64) { copy(dst, g.diag) }

func (g *strandGram) Row(dst []float64, i int) {
	g.borrow(1, 2*g.n, func(v [][]float64) {
		g.inner.Row(v[0], i)
		floats.AddTo(dst, v[0][:g.n], v[0][g.n:])
		g.inner.Row(v[0], g.n+i)
		for j := range dst[:g.n] {
			dst[j] += v[0][j] + v[0][g.n+j]
		}
	})
}

// MulBlockTo gives both strands the same coefficients and adds up their scores.
func (g *strandGram) MulBlockTo(dst, v [][]float64) {
	g.borrow(2*len(v), 2*g.n, func(both [][]float64) {
		in, out := both[:len(v)], both[len(v):]
		for m := range v {
			copy(in[m], v[m])
			copy(in[m][g.n:], v[m])
		}
		stringkernel.MulBlock(g.inner, out, in)
		for m := range v {
			floats.AddTo(dst[m], out[m][:g.n], out[m][g.n:])
		}
	})
}

func (g *strandGram) rows(inner stringkernel.FeatureRows) stringkernel.FeatureRows {
	return strandRows{inner, g.n}
}

// strandRows are sums of rows i and n + i.
type strandRows struct {
	stringkernel.FeatureRows
	n int
}

func (r strandRows) Scatter(t []float64, i int, a float64) {
	r.FeatureRows.Scatter(t, i, a)
	r.FeatureRows.Scatter(t, r.n+i, a)
}

func (r strandRows) Gather(t []float64, i int) float64 {
	return r.FeatureRows.Gather(t, i) + r.FeatureRows.Gather(t, r.n+i)
}

func (r strandRows) Own(dst []float64) {
	both := make([]float64, 2*r.n)
	r.FeatureRows.Own(both)
	for i := range dst[:r.n] {
		dst[i] = both[i] + both[r.n+i]
	}
}

func (r strandRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	ids, values = r.FeatureRows.AppendRow(ids, values, i)
	return r.FeatureRows.AppendRow(ids, values, r.n+i)
}
