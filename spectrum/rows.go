package spectrum

import (
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// fewRows is the greatest number of k-mers of which a table with a column for each of 32 rows, a megabyte, stays in the
// cache of a core.
const fewRows = 4096

// RowBlock returns the rows of the bounded kernel of short k-mers, nil of others.
func (g *gram) RowBlock() compose.RowBlock {
	if len(g.parts) != 1 {
		return nil
	}
	f, ok := g.parts[0].(*foldPart)
	if !ok || f.more != nil || f.steps.size() > fewRows {
		return nil
	}
	return foldRows{f, len(g.diag)}
}

// foldRows finds rows of n documents by a table that has a column of folded values for each.
type foldRows struct {
	part *foldPart
	n    int
}

// RowsTo scatters and folds each record into its column, and gathers all columns at every document.
func (r foldRows) RowsTo(dst [][]float64, records []int) {
	width := (len(records) + simd.RowWidth - 1) / simd.RowWidth * simd.RowWidth
	table := r.table(records, width)
	parallel.For(r.n, func(lo, hi int) {
		var ids []uint32
		var values []float64
		row := make([]float64, width)
		for j := lo; j < hi; j++ {
			ids, values = r.entries(ids[:0], values[:0], j)
			simd.GatherRows(row, table, ids, values)
			for c := range dst {
				dst[c][j] = row[c]
			}
		}
	})
}

// table returns the folded values of the records, with one row per k-mer of the ladder.
func (r foldRows) table(records []int, width int) []float64 {
	f := r.part
	table := make([]float64, f.steps.size()*width)
	folded := scratch.Borrow(&f.pool, f.size)
	defer f.pool.Put(folded)
	t := (*folded)[:f.steps.size()]
	for c, i := range records {
		f.scatterFolded(*folded, i)
		f.steps.foldValues(t, 1)
		for e, value := range t {
			table[e*width+c] = value
		}
		clear(t)
	}
	return table
}

// entries appends the ladder indices of the longest k-mers of a document, with their counts.
func (r foldRows) entries(ids []uint32, values []float64, j int) ([]uint32, []float64) {
	first := uint32(r.part.steps.base(r.part.steps.depth))
	for _, list := range []struct {
		of    *incidence
		first uint32
	}{{r.part.full, first}, {r.part.tails, 0}} {
		lo, hi := list.of.bounds(j)
		for e := lo; e < hi; e++ {
			feature, count := list.of.entry(e)
			ids, values = append(ids, list.first+feature), append(values, float64(count))
		}
	}
	return ids, values
}
