package solve

import (
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// subGram is the Gram matrix of some records of an indexed corpus: vectors are expanded with zeros, multiplied by
// the whole matrix and restricted. It costs as much as the whole matrix, but needs no separate index.
type subGram struct {
	whole stringkernel.Gram
	index []int // records of whole, distinct
}

// PartOf returns the matrix of the records index, or whole itself if index is nil.
func PartOf(whole stringkernel.Gram, index []int) stringkernel.Gram {
	if index == nil {
		return whole
	}
	return &subGram{whole, index}
}

// Len returns the number of records chosen.
func (g *subGram) Len() int { return len(g.index) }

// Diag restricts the diagonal.
func (g *subGram) Diag(dst []float64) {
	g.restrict(dst, func(_, out []float64) { g.whole.Diag(out) })
}

// Row restricts a row.
func (g *subGram) Row(dst []float64, i int) {
	g.restrict(dst, func(_, out []float64) { g.whole.Row(out, g.index[i]) })
}

// MulVecTo expands, multiplies and restricts.
func (g *subGram) MulVecTo(dst, v []float64) {
	g.restrict(dst, func(in, out []float64) {
		Expand(in, v, g.index)
		g.whole.MulVecTo(out, in)
	})
}

// restrict writes to dst the entries of the records chosen from out, a vector of all records that write fills in. There
// is space for another such vector, in.
func (g *subGram) restrict(dst []float64, write func(in, out []float64)) {
	n := g.whole.Len()
	space := scratch.Borrow(&scratch.Pool, 2*n)
	defer scratch.Pool.Put(space)
	out := (*space)[n:]
	write((*space)[:n], out)
	for j, i := range g.index {
		dst[j] = out[i]
	}
}

// Traits are those of the whole matrix, but for what has its size.
func (g *subGram) Traits() stringkernel.Traits {
	t := stringkernel.TraitsOf(g.whole)
	t.Scale = nil
	return t
}

// Expand spreads v over the records index of dst, zeros elsewhere; a nil index copies.
func Expand(dst, v []float64, index []int) {
	if index == nil {
		copy(dst, v)
		return
	}
	clear(dst)
	for j, i := range index {
		dst[i] = v[j]
	}
}

// FeatureRows returns the rows of the records chosen.
func (g *subGram) FeatureRows() stringkernel.FeatureRows {
	if whole := stringkernel.FeatureRowsOf(g.whole); whole != nil {
		return &subRows{whole, g.index, g.whole.Len()}
	}
	return nil
}

// subRows are some of the rows of n records, on tables of the same width.
type subRows struct {
	whole stringkernel.FeatureRows
	index []int
	n     int
}

func (r *subRows) Width() int { return r.whole.Width() }

func (r *subRows) Scatter(t []float64, i int, a float64) { r.whole.Scatter(t, r.index[i], a) }

func (r *subRows) Gather(t []float64, i int) float64 { return r.whole.Gather(t, r.index[i]) }

func (r *subRows) Own(dst []float64) {
	all := make([]float64, r.n)
	r.whole.Own(all)
	for j, i := range r.index {
		dst[j] = all[i]
	}
}

func (r *subRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	return r.whole.AppendRow(ids, values, r.index[i])
}
