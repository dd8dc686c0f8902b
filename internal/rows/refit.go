package rows

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Weight returns the weight of a feature that occurs in df of n documents, 0 if it is left out.
type Weight func(df, n int) float64

// Refit returns the matrix with other weights of features. The values of g were multiplied by the weights that its
// features have among all documents; those of the result are multiplied by their weights among some of the documents,
// whose numbers ascend. A feature left out among all must be left out among some, too. Rows are shared: O(entries)
// time, 8 bytes per feature and 16 per document.
func (g *Gram) Refit(ctx context.Context, some []int, weight Weight) *Gram {
	all, kept := make([]int32, g.base.width), make([]int32, g.base.width)
	for j := range g.Len() {
		g.base.countTo(all, j)
	}
	for _, j := range some {
		g.base.countTo(kept, j)
	}
	from, to := tabulate(weight, g.Len()), tabulate(weight, len(some))
	square := func(all, kept int32) float64 {
		if from[all] == 0 {
			return 0
		}
		ratio := to[kept] / from[all]
		return ratio * ratio
	}
	r := &refitted{Rows: g.base, squares: make([]float64, g.base.width), own: make([]float64, g.Len())}
	for id := range r.squares {
		r.squares[id] = square(all[id], kept[id])
	}
	alone := square(1, 1)
	for _, j := range some {
		r.own[j] = g.base.own[j] * alone
	}
	next := &Gram{base: g.base, rows: r, squares: r.squares, own: r.own, tables: g.tables, columns: g.columns}
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

// countTo counts document j among those that have each feature.
func (r *Rows) countTo(df []int32, j int) {
	ids, _ := r.Row(j)
	for _, id := range ids {
		df[id]++
	}
}

// refitted are rows whose features have other weights than their values were multiplied by. A table holds coordinates
// times the square of the ratio of these, so that gathering needs values alone.
type refitted struct {
	*Rows
	squares []float64 // of that ratio, new to old, of each feature
	own     []float64
}

func (r *refitted) Scatter(t []float64, i int, a float64) {
	ids, values := r.Row(i)
	squares := r.squares
	values, t = values[:len(ids)], t[:len(squares)] // for the compiler
	for e, id := range ids {
		t[id] += float64(float64(a*values[e]) * squares[id])
	}
}

func (r *refitted) Own(dst []float64) { copy(dst, r.own) }

func (r *refitted) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	rowIDs, rowValues := r.Row(i)
	for e, id := range rowIDs {
		values = append(values, float64(rowValues[e]*math.Sqrt(r.squares[id])))
	}
	return append(ids, rowIDs...), values
}

// square returns the sum of squares of row i.
func (r *refitted) square(i int) (sum float64) {
	ids, values := r.Row(i)
	for e, id := range ids {
		sum += float64(float64(values[e]*values[e]) * r.squares[id])
	}
	return sum
}
