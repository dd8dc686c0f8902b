package rows

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// A matrix whose features are weighed anew is the matrix of the rows with these weights.
func TestRefitAgreesWithDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 12).Draw(t, "width")
		least := rapid.IntRange(0, 3).Draw(t, "least")
		weight := func(df, n int) float64 {
			if df < least {
				return 0
			}
			return 1 + float64(n)/float64(1+df)
		}
		counts := make([][]float64, n)
		for i := range counts {
			counts[i] = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 0, 1, 2.5}), width, width).Draw(t, "counts")
		}
		some := drawDocuments(t, n)
		rows := weighedRows(counts, numbersTo(n), weight)
		g := NewGram(context.Background(), rows).Refit(context.Background(), some, weight)
		want := NewGram(context.Background(), weighedRows(counts, some, weight))
		v := rapid.SliceOfN(rapid.Float64Range(-1, 1), n, n).Draw(t, "v")
		got, other := make([]float64, n), make([]float64, n)
		compare := func(what string, fill func(g *Gram, dst []float64)) {
			fill(g, got)
			fill(want, other)
			for i := range n {
				near(t, what, got[i], other[i])
			}
		}
		compare("diagonal", func(g *Gram, dst []float64) { g.Diag(dst) })
		compare("product", func(g *Gram, dst []float64) { g.MulVecTo(dst, v) })
		for i := range n {
			compare("row", func(g *Gram, dst []float64) { g.Row(dst, i) })
			compare("features", func(g *Gram, dst []float64) { rowByFeatures(g.FeatureRows(), dst, i) })
			compare("listed features", func(g *Gram, dst []float64) { rowByLists(g.FeatureRows(), dst, i) })
		}
	})
}

func numbersTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// drawDocuments draws some of n documents, at least one.
func drawDocuments(t *rapid.T, n int) (some []int) {
	always := rapid.IntRange(0, n-1).Draw(t, "document")
	for j := range n {
		if j == always || rapid.Bool().Draw(t, "too") {
			some = append(some, j)
		}
	}
	return some
}

// weighedRows are counts times the weights of their features among some documents.
func weighedRows(counts [][]float64, among []int, weight Weight) *Rows {
	width := len(counts[0])
	df := make([]int, width)
	for _, j := range among {
		for id, count := range counts[j] {
			if count > 0 {
				df[id]++
			}
		}
	}
	rows := New(len(counts), 0, width)
	for _, row := range counts {
		for id, count := range row {
			if count > 0 && df[id] > 0 && weight(df[id], len(among)) > 0 {
				rows.Add(int32(id), count*weight(df[id], len(among)))
			}
		}
		rows.End()
	}
	return rows
}

// rowByFeatures writes the values of a record with all, by a table.
func rowByFeatures(rows stringkernel.FeatureRows, dst []float64, i int) {
	table := make([]float64, rows.Width())
	rows.Own(dst)
	own := dst[i]
	rows.Scatter(table, i, 1)
	for j := range dst {
		dst[j] = rows.Gather(table, j)
	}
	dst[i] += own
}

// rowByLists does so without a table.
func rowByLists(rows stringkernel.FeatureRows, dst []float64, i int) {
	rows.Own(dst)
	own := dst[i]
	table := make([]float64, rows.Width())
	ids, values := rows.AppendRow(nil, nil, i)
	for e, id := range ids {
		table[id] += values[e]
	}
	for j := range dst {
		dst[j] = 0
		ids, values := rows.AppendRow(nil, nil, j)
		for e, id := range ids {
			dst[j] += table[id] * values[e]
		}
	}
	dst[i] += own
}
