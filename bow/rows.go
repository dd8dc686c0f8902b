package bow

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rows are sparse feature vectors, one per document.
type rows struct {
	ends   []int // behind document j
	ids    []uint32
	values []float64
	width  int
}

func (r *rows) add(node int32, value float64) {
	r.ids, r.values = append(r.ids, uint32(node)), append(r.values, value)
}

func (r *rows) end() { r.ends = append(r.ends, len(r.ids)) }

func (r *rows) row(i int) (ids []uint32, values []float64) {
	lo := 0
	if i > 0 {
		lo = r.ends[i-1]
	}
	return r.ids[lo:r.ends[i]], r.values[lo:r.ends[i]]
}

// rowsOf returns the documents of a corpus in the features of v.
func (v *vocabulary) rowsOf(c *stringkernel.Corpus) *rows {
	const most = 64
	blocks := make([]rows, min(most, c.Len()))
	_ = parallel.Do(context.Background(), len(blocks), func(b int) error { // the background context never ends and the task never fails
		w := v.borrow()
		defer v.giveBack(w)
		for j := b * c.Len() / len(blocks); j < (b+1)*c.Len()/len(blocks); j++ {
			w.weigh(c.Seq(j), blocks[b].add)
			blocks[b].end()
		}
		return nil
	})
	entries := 0
	for b := range blocks {
		entries += len(blocks[b].ids)
	}
	all := &rows{ends: make([]int, 0, c.Len()), ids: make([]uint32, 0, entries), values: make([]float64, 0, entries), width: v.nodes()}
	for b := range blocks {
		before := len(all.ids)
		all.ids, all.values = append(all.ids, blocks[b].ids...), append(all.values, blocks[b].values...)
		for _, end := range blocks[b].ends {
			all.ends = append(all.ends, before+end)
		}
		blocks[b] = rows{}
	}
	return all
}

// Width returns the number of nodes.
func (r *rows) Width() int { return r.width }

// Scatter adds a times row i.
func (r *rows) Scatter(t []float64, i int, a float64) {
	ids, values := r.row(i)
	for e, id := range ids {
		t[id] += float64(a * values[e])
	}
}

// Gather returns the inner product of a table and row i, in two partial sums.
func (r *rows) Gather(t []float64, i int) float64 {
	ids, values := r.row(i)
	var even, odd float64
	for ; len(ids) >= 2 && len(values) >= 2; ids, values = ids[2:], values[2:] {
		even += float64(t[ids[0]] * values[0])
		odd += float64(t[ids[1]] * values[1])
	}
	for e, id := range ids {
		even += float64(t[id] * values[e])
	}
	return even + odd
}

// Own writes zeros: all features are in the rows.
func (r *rows) Own(dst []float64) { clear(dst[:len(r.ends)]) }

// AppendRow appends the features of row i, each once, in order of first occurrence.
func (r *rows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	rowIDs, rowValues := r.row(i)
	return append(ids, rowIDs...), append(values, rowValues...)
}

// Gram is the implicit matrix of an indexed corpus: see [Kernel.Gram].
type Gram struct {
	rows     *rows
	diag     []float64
	tables   sync.Pool // *[]float64, zero at rest
	plan     sync.Once // fills inverted at the first Row
	inverted *rows     // the documents of each feature
}

func newGram(r *rows) *Gram {
	g := &Gram{rows: r, diag: make([]float64, len(r.ends))}
	for i := range g.diag {
		_, values := r.row(i)
		for _, value := range values {
			g.diag[i] += float64(value * value)
		}
	}
	g.tables.New = func() any { t := make([]float64, r.width); return &t }
	return g
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
			dst[j] = g.rows.Gather(*table, j)
		}
	})
	clear(*table)
}

// Row writes k(x_j, x_i) for every j by the documents of each feature of x_i: Σ df of its features. The first call inverts the rows.
func (g *Gram) Row(dst []float64, i int) {
	g.plan.Do(func() { g.inverted = g.rows.inverse() })
	dst = dst[:g.Len()]
	clear(dst)
	ids, values := g.rows.row(i)
	for e, id := range ids {
		documents, theirs := g.inverted.row(int(id))
		for d, j := range documents {
			dst[j] += float64(values[e] * theirs[d])
		}
	}
}

// inverse returns the transposed rows: of each feature, the documents that have it, in order, with its values there.
func (r *rows) inverse() *rows {
	t := &rows{ends: make([]int, r.width), ids: make([]uint32, len(r.ids)), values: make([]float64, len(r.ids)), width: len(r.ends)}
	for _, id := range r.ids {
		t.ends[id]++
	}
	at := 0
	for id, count := range t.ends { // starts first; each moves up to its end as it is filled
		t.ends[id] = at
		at += count
	}
	for j := range r.ends {
		ids, values := r.row(j)
		for e, id := range ids {
			t.ids[t.ends[id]], t.values[t.ends[id]] = uint32(j), values[e]
			t.ends[id]++
		}
	}
	return t
}

// merge returns Σ_i coef[m][i]·φ(x_i), a row of len(coef) numbers per node.
func (r *rows) merge(coef [][]float64) []float64 {
	sums := make([]float64, r.width*len(coef))
	used := make([]float64, len(coef))
	for i := range r.ends {
		for m := range coef {
			used[m] = coef[m][i]
		}
		ids, values := r.row(i)
		for e, id := range ids {
			sum := sums[int(id)*len(coef):][:len(coef)]
			for m, a := range used {
				sum[m] += float64(a * values[e])
			}
		}
	}
	return sums
}
