package rows

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Rows are sparse feature vectors, one per record. They are filled row by row by Add and End, and only read
// afterwards: they are the [stringkernel.FeatureRows] of a corpus.
type Rows struct {
	ends   []int // ends[j] is the offset just after record j
	ids    []uint32
	values []float64
	width  int
	own    []float64 // of each record, squares of features that are not in its row; nil for none
}

// New returns empty rows with room for n records and a number of entries, of features numbered below width.
func New(n, entries, width int) *Rows {
	return &Rows{ends: make([]int, 0, n), ids: make([]uint32, 0, entries),
		values: make([]float64, 0, entries), width: width}
}

// collected is the number of blocks of records that are collected apart.
const collected = 64

// Collect makes the rows of n records of features numbered below width: fill adds rows lo … hi−1 to rows that are
// empty at first, block by block in parallel. The result does not depend on the blocks. Package cancel ends it, and
// [NewGram].
func Collect(ctx context.Context, n, width int, fill func(r *Rows, lo, hi int)) *Rows {
	blocks := make([]Rows, min(collected, n))
	parallel.EachContext(ctx, len(blocks), func(b int) { fill(&blocks[b], b*n/len(blocks), (b+1)*n/len(blocks)) })
	entries := 0
	for b := range blocks {
		entries += len(blocks[b].ids)
	}
	all := New(n, entries, width)
	for b := range blocks {
		all.appendRows(&blocks[b])
		blocks[b] = Rows{}
	}
	return all
}

// CollectWithin is [Collect] of records with a bound each for their features: bounds[j] is the sum of the bounds up to
// record j. Rows are filled where they stay, and move only into what rows before them leave free.
func CollectWithin(ctx context.Context, bounds []int, width int, fill func(r *Rows, lo, hi int)) *Rows {
	n, most := len(bounds), 0
	if n > 0 {
		most = bounds[n-1]
	}
	all := New(n, most, width)
	blocks := make([]Rows, min(collected, n))
	parallel.EachContext(ctx, len(blocks), func(b int) {
		lo, hi := b*n/len(blocks), (b+1)*n/len(blocks)
		from, _ := ends.Bounds(bounds, lo)
		to := bounds[hi-1]
		blocks[b] = Rows{ends: make([]int, 0, hi-lo), ids: all.ids[from:from:to], values: all.values[from:from:to]}
		fill(&blocks[b], lo, hi)
	})
	for b := range blocks {
		all.appendRows(&blocks[b])
	}
	return all
}

// appendRows adds the rows of a block.
func (r *Rows) appendRows(block *Rows) {
	before := len(r.ids)
	r.AddRow(block.ids, block.values)
	for _, end := range block.ends {
		r.ends = append(r.ends, before+end)
	}
}

// Add adds a feature to the row that is being filled.
func (r *Rows) Add(id int32, value float64) {
	r.ids = append(r.ids, uint32(id)) // two statements: one would write pointers, slowly while memory is collected
	r.values = append(r.values, value)
}

// AddRow adds the features of another row.
func (r *Rows) AddRow(ids []uint32, values []float64) {
	r.ids, r.values = append(r.ids, ids...), append(r.values, values...)
}

// End closes the row that is being filled, which may be empty.
func (r *Rows) End() { r.ends = append(r.ends, len(r.ids)) }

// Grow makes room for a number of entries more.
func (r *Rows) Grow(entries int) {
	r.ids = slices.Grow(r.ids, entries)
	r.values = slices.Grow(r.values, entries)
}

// SetWidth says that features are numbered below width, where that is known last.
func (r *Rows) SetWidth(width int) { r.width = width }

// Width returns the number of features.
func (r *Rows) Width() int { return r.width }

// Len returns the number of rows.
func (r *Rows) Len() int { return len(r.ends) }

// Entries returns the number of features of all rows.
func (r *Rows) Entries() int { return len(r.ids) }

// Row returns the features of row i and their values, as views.
func (r *Rows) Row(i int) (ids []uint32, values []float64) {
	lo, hi := ends.Bounds(r.ends, i)
	return r.ids[lo:hi], r.values[lo:hi]
}

// Scatter adds a times row i.
func (r *Rows) Scatter(t []float64, i int, a float64) {
	ids, values := r.Row(i)
	for e, id := range ids {
		t[id] += float64(a * values[e])
	}
}

// Gather returns the inner product of a table and row i, in four partial sums, so that additions need not wait for one
// another.
func (r *Rows) Gather(t []float64, i int) float64 {
	ids, values := r.Row(i)
	var s0, s1, s2, s3 float64
	for ; len(ids) >= 4 && len(values) >= 4; ids, values = ids[4:], values[4:] {
		s0 += float64(t[ids[0]] * values[0])
		s1 += float64(t[ids[1]] * values[1])
		s2 += float64(t[ids[2]] * values[2])
		s3 += float64(t[ids[3]] * values[3])
	}
	for e, id := range ids {
		s0 += float64(t[id] * values[e])
	}
	return (s0 + s1) + (s2 + s3)
}

// Own writes what features of one record alone add to the diagonal.
func (r *Rows) Own(dst []float64) {
	clear(dst[:len(r.ends)])
	copy(dst, r.own)
}

// AppendRow appends the features of row i, each once, in order of first occurrence.
func (r *Rows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	rowIDs, rowValues := r.Row(i)
	return append(ids, rowIDs...), append(values, rowValues...)
}

// Square returns the sum of squares of row i.
func (r *Rows) Square(i int) float64 {
	_, values := r.Row(i)
	return SumOfSquares(values)
}

// Renumbered returns some rows, by number, with other numbers of their features, below width.
func (r *Rows) Renumbered(index []int, numbers []int32, width int) *Rows {
	some := New(len(index), 0, width)
	for _, i := range index {
		ids, values := r.Row(i)
		for e, id := range ids {
			some.Add(numbers[id], values[e])
		}
		some.End()
	}
	return some
}

// renumber gives the features other numbers.
func (r *Rows) renumber(numbers []int32) {
	for e, id := range r.ids {
		r.ids[e] = uint32(numbers[id])
	}
}
