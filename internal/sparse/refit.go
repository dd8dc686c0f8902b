package sparse

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Weight returns the weight of a feature that df of n documents have, 0 if it is none.
type Weight func(df, n int) float64

// Refit returns the matrix with the weights of features that they have among the documents after, in place of those
// before, which the values were multiplied by: a feature has weight(df, n) of its document frequency in these. The lists
// ascend, nil is all. Before must contain after and all documents of features with a weight. Rows are shared: O(entries)
// time, 8 bytes per feature and 16 per document.
func (g *Gram) Refit(ctx context.Context, before, after []int, weight Weight) *Gram {
	old, now := g.frequencies(before), g.frequencies(after)
	from, to := tabulate(weight, g.among(before)), tabulate(weight, g.among(after))
	ratio := func(now, old int32) float64 {
		if to[now] == 0 || from[old] == 0 {
			return 0
		}
		return to[now] / from[old]
	}
	r := &refitted{Rows: g.base, ratios: make([]float64, g.base.width), own: make([]float64, g.Len())}
	for id := range r.ratios {
		r.ratios[id] = ratio(now[id], old[id])
	}
	alone := ratio(1, 1)
	g.each(after, func(j int) { r.own[j] = g.base.own[j] * float64(alone*alone) })
	next := &Gram{base: g.base, rows: r, ratios: r.ratios, own: r.own, tables: g.tables, columns: g.columns}
	next.diag = make([]float64, g.Len())
	parallel.EachContext(ctx, g.Len(), func(j int) {
		cancel.Check(ctx)
		next.diag[j] = r.square(j) + r.own[j]
	})
	return next
}

// tabulate returns the weights of features that 0 … n documents have of n.
func tabulate(weight Weight, n int) []float64 {
	weights := make([]float64, n+1)
	for df := 1; df <= n; df++ {
		weights[df] = weight(df, n)
	}
	return weights
}

// frequencies returns how many of some documents have each feature.
func (g *Gram) frequencies(documents []int) []int32 {
	df := make([]int32, g.base.width)
	g.each(documents, func(j int) {
		ids, _ := g.base.Row(j)
		for _, id := range ids {
			df[id]++
		}
	})
	return df
}

// among returns the length of a list of documents, nil for all.
func (g *Gram) among(documents []int) int {
	if documents == nil {
		return g.Len()
	}
	return len(documents)
}

// each visits the documents of a list, nil for all.
func (g *Gram) each(documents []int, visit func(j int)) {
	for i := range g.among(documents) {
		if documents == nil {
			visit(i)
		} else {
			visit(documents[i])
		}
	}
}

// refitted are rows whose features have other weights than their values were multiplied by. A table holds coordinates
// times the ratio of these, so that gathering needs values alone.
type refitted struct {
	*Rows
	ratios []float64 // of weights, new to old, of each feature
	own    []float64
}

func (r *refitted) Scatter(t []float64, i int, a float64) {
	ids, values := r.Row(i)
	for e, id := range ids {
		ratio := r.ratios[id]
		t[id] += float64(float64(a*values[e]) * float64(ratio*ratio))
	}
}

func (r *refitted) Own(dst []float64) { copy(dst, r.own) }

func (r *refitted) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	rowIDs, rowValues := r.Row(i)
	for e, id := range rowIDs {
		values = append(values, float64(rowValues[e]*r.ratios[id]))
	}
	return append(ids, rowIDs...), values
}

// square returns the sum of squares of row i.
func (r *refitted) square(i int) (sum float64) {
	ids, values := r.Row(i)
	for e, id := range ids {
		value := float64(values[e] * r.ratios[id])
		sum += float64(value * value)
	}
	return sum
}
