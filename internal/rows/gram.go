package rows

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Gram is the implicit matrix of the inner products of rows.
type Gram struct {
	rows    *Rows
	diag    []float64
	tables  sync.Pool       // *[]float64, zero at rest
	columns func() *Columns // of rows, made for the first Row
}

// NewGram returns the Gram matrix of rows. It keeps them without the features that one record alone has. O(entries +
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

// shared returns the rows without features that one record alone has, whose squares go to own, and with the others
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

// Len returns the number of records n.
func (g *Gram) Len() int { return len(g.diag) }

// Diag writes k(x_i, x_i). O(n).
func (g *Gram) Diag(dst []float64) { copy(dst[:len(g.diag)], g.diag) }

// FeatureRows returns the records as sparse rows. O(1).
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

// Row writes k(x_j, x_i) for every j by the records of each feature of x_i: Σ df of its features. The first call
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
