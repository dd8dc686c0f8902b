// Package rows is kernels of explicit features: rows φ(x_i) of a corpus as lists of numbered features with values, 12
// bytes per entry, the Gram matrix on them, and their sums with coefficients, which are what a scorer looks up. A kernel
// whose features are numbered as they are met says how its records are read ([Features], [Reader]), and is a [Kernel].
package rows

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Rows are sparse feature vectors, one per document. They are filled row by row by Add and End, and only read
// afterwards: they are the [stringkernel.FeatureRows] of a corpus.
type Rows struct {
	ends   []int // ends[j] is the offset just after document j
	ids    []uint32
	values []float64
	width  int
	own    []float64 // of each document, squares of features that are not in its row; nil for none
}

// New returns empty rows with room for n documents and a number of entries, of features numbered below width.
func New(n, entries, width int) *Rows {
	return &Rows{ends: make([]int, 0, n), ids: make([]uint32, 0, entries),
		values: make([]float64, 0, entries), width: width}
}

// collected is the number of blocks of documents that are collected apart.
const collected = 64

// Collect makes the rows of n documents of features numbered below width: fill adds rows lo … hi−1 to rows that are
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

// CollectWithin is [Collect] of documents that have at most as many features as bounds tells: bounds[j] is the sum of
// these numbers up to document j. Rows are filled in the place where they stay, but for what others leave free.
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

// Len returns the number of rows.
func (r *Rows) Len() int { return len(r.ends) }

// Entries returns the number of features of all rows.
func (r *Rows) Entries() int { return len(r.ids) }

// Row returns the features of row i and their values, as views.
func (r *Rows) Row(i int) (ids []uint32, values []float64) {
	lo, hi := ends.Bounds(r.ends, i)
	return r.ids[lo:hi], r.values[lo:hi]
}

// shared returns the rows without features that one document alone has, whose squares go to own, and with the others
// numbered by falling document frequency, so that those met often stand together. O(entries + width).
func (r *Rows) shared(ctx context.Context) *Rows {
	df := make([]uint32, r.width)
	for _, id := range r.ids {
		df[id]++
	}
	places, width := byFrequency(df, uint32(len(r.ends)))
	own, kept := make([]float64, len(r.ends)), make([]int, len(r.ends))
	parallel.EachContext(ctx, len(kept), func(j int) {
		ids, _ := r.Row(j)
		for _, id := range ids {
			if df[id] > 1 {
				kept[j]++
			}
		}
	})
	for j := 1; j < len(kept); j++ {
		kept[j] += kept[j-1]
	}
	s := CollectWithin(ctx, kept, width, func(s *Rows, lo, hi int) {
		for j := lo; j < hi; j++ {
			cancel.Check(ctx)
			ids, values := r.Row(j)
			for e, id := range ids {
				if df[id] > 1 {
					s.Add(int32(places[id]), values[e])
				} else {
					own[j] += float64(values[e] * values[e])
				}
			}
			s.End()
		}
	})
	s.own = own
	return s
}

// byFrequency numbers the features with df of 2 to most, those of larger df first, and returns how many there are.
func byFrequency(df []uint32, most uint32) (places []uint32, count int) {
	starts := make([]uint32, most+2) // starts[most − d] is the next number for df = d
	for _, d := range df {
		if d > 1 {
			starts[most-d+1]++
			count++
		}
	}
	for i := range most {
		starts[i+1] += starts[i]
	}
	places = make([]uint32, len(df))
	for id, d := range df {
		if d > 1 {
			places[id] = starts[most-d]
			starts[most-d]++
		}
	}
	return places, count
}

// Width returns the number of features.
func (r *Rows) Width() int { return r.width }

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

// Own writes what features of one document alone add to the diagonal.
func (r *Rows) Own(dst []float64) {
	clear(dst[:len(r.ends)])
	copy(dst, r.own)
}

// AppendRow appends the features of row i, each once, in order of first occurrence.
func (r *Rows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	rowIDs, rowValues := r.Row(i)
	return append(ids, rowIDs...), append(values, rowValues...)
}

// Gram is the implicit matrix of the inner products of rows.
type Gram struct {
	rows    *Rows
	diag    []float64
	tables  sync.Pool       // *[]float64, zero at rest
	columns func() *Columns // of rows, made for the first Row
}

// NewGram returns the Gram matrix of rows. It keeps them without the features that one document alone has. O(entries +
// width).
func NewGram(ctx context.Context, all *Rows) *Gram {
	shared := all.shared(ctx)
	g := &Gram{rows: shared, diag: make([]float64, all.Len()), columns: sync.OnceValue(shared.Columns)}
	g.tables.New = func() any { t := make([]float64, shared.width); return &t }
	for i := range g.diag {
		g.diag[i] = all.Square(i)
	}
	return g
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

// Len returns the number of documents n.
func (g *Gram) Len() int { return len(g.diag) }

// Diag writes k(x_i, x_i). O(n).
func (g *Gram) Diag(dst []float64) { copy(dst[:len(g.diag)], g.diag) }

// FeatureRows returns the documents as sparse rows. O(1).
func (g *Gram) FeatureRows() stringkernel.FeatureRows { return g.rows }

// MulVecTo writes K·v: a scatter of v over the features and a gather back. O(entries + features).
func (g *Gram) MulVecTo(dst, v []float64) {
	table := g.tables.Get().(*[]float64)
	defer g.tables.Put(table)
	for i, a := range v[:g.Len()] {
		if a != 0 {
			g.rows.Scatter(*table, i, a)
		}
	}
	parallel.For(g.Len(), func(lo, hi int) {
		for j := lo; j < hi; j++ {
			dst[j] = g.rows.Gather(*table, j) + float64(g.rows.own[j]*v[j])
		}
	})
	clear(*table)
}

// Row writes k(x_j, x_i) for every j by the documents of each feature of x_i: Σ df of its features. The first call
// inverts the rows.
func (g *Gram) Row(dst []float64, i int) {
	columns := g.columns()
	dst = dst[:g.Len()]
	clear(dst)
	ids, values := g.rows.Row(i)
	for e, id := range ids {
		columns.AddTo(dst, id, values[e])
	}
	dst[i] += g.rows.own[i]
}

// CheckTable returns an error if a table of some columns for each feature would be too large, or a scorer would have
// too many outputs.
func CheckTable(features, outputs, columns int) error {
	if outputs > stringkernel.MaxOutputs {
		return fmt.Errorf("%d outputs, want at most %d", outputs, stringkernel.MaxOutputs)
	}
	if err := memory.Check(8 * float64(features) * float64(columns)); err != nil {
		return fmt.Errorf("weights of %d features for %d outputs need %w", features, outputs, err)
	}
	return nil
}

// AddUp adds Σ_i c_im·φ(x_i) to rows of weights, one number per output m for each feature, given the features of
// support vector i. It leaves features out whose weights are nil. Only coefficients other than zero cost time: support
// vectors of few machines among many are the rule.
func AddUp(
	c *stringkernel.Coefficients, row func(i int) (ids []uint32, values []float64), weights func(id uint32) []float64,
) {
	for i := range c.Len() {
		outputs, coef := c.Row(i)
		ids, values := row(i)
		for e, id := range ids {
			sum, value := weights(id), values[e]
			if sum == nil {
				continue
			}
			for u, m := range outputs {
				sum[m] += float64(coef[u] * value)
			}
		}
	}
}
