package stringkernel

import "math"

// Features is a Gram of explicit sparse features: the rows φ(x_i) are at hand one by one, not only in products with all of them. Correct
// without, faster with: dual coordinate descent changes one coefficient at a time, for the price of one row. Ask [RowsOf] rather than the
// type assertion: a wrapper has the method whether or not the matrix inside has rows.
type Features interface {
	Gram
	// FeatureRows returns the rows, nil if this very matrix has none.
	FeatureRows() FeatureRows
}

// FeatureRows are the sparse rows φ(x_i) of a corpus, 0-based, with
//
//	K_ij = ⟨φ(x_i), φ(x_j)⟩ + [i = j]·own_i.
//
// What no two sequences share need not be a feature: it only adds to own. A table is a linear combination t = Σ a_i φ(x_i), made by Scatter
// from zeros and read by Gather. Its coordinates are the implementation's own business (they may be scaled, so t is no place to look
// for the weight of a feature). All methods may be called from several goroutines, on tables of their own.
type FeatureRows interface {
	// Width returns the number of entries of a table.
	Width() int
	// Scatter adds a·φ(x_i) to t, in time linear in the occurrences of features in x_i.
	Scatter(t []float64, i int, a float64)
	// Gather returns ⟨t, φ(x_i)⟩, in the same time.
	Gather(t []float64, i int) float64
	// Own writes own_i into dst for every i.
	Own(dst []float64)
	// AppendRow appends the non-zero features of row i, numbered from 0 to below Width, and their values: the same inner products
	// without a table, for export. A feature may come several times; its values are added then.
	AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64)
}

// RowsOf returns the explicit rows of g, nil if it has none.
func RowsOf(g Gram) FeatureRows {
	if f, ok := g.(Features); ok {
		return f.FeatureRows()
	}
	return nil
}

// FeatureRows returns the rows of the matrix inside, scaled.
func (g *normalizedGram) FeatureRows() FeatureRows {
	if inner := RowsOf(g.inner); inner != nil {
		return scaledRows{inner, g.scale}
	}
	return nil
}

// FeatureRows returns the sums of both strands' rows.
func (g *strandGram) FeatureRows() FeatureRows {
	if inner := RowsOf(g.inner); inner != nil {
		return strandRows{inner, g.n}
	}
	return nil
}

// FeatureRows returns the terms' rows side by side, if all terms have them.
func (g *sumGram) FeatureRows() FeatureRows {
	rows := &sumRows{scale: 1 / math.Sqrt(float64(len(g.terms))), n: g.Len()}
	for _, t := range g.terms {
		term := RowsOf(t)
		if term == nil || rows.width > math.MaxUint32-term.Width() {
			return nil
		}
		rows.terms, rows.starts = append(rows.terms, term), append(rows.starts, rows.width)
		rows.width += term.Width()
	}
	return rows
}

// scaledRows are rows times a number each.
type scaledRows struct {
	FeatureRows
	scale []float64
}

func (r scaledRows) Scatter(t []float64, i int, a float64) {
	r.FeatureRows.Scatter(t, i, float64(a*r.scale[i]))
}

func (r scaledRows) Gather(t []float64, i int) float64 {
	return r.FeatureRows.Gather(t, i) * r.scale[i]
}

func (r scaledRows) Own(dst []float64) {
	r.FeatureRows.Own(dst)
	for i, s := range r.scale {
		dst[i] *= float64(s * s)
	}
}

func (r scaledRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	before := len(values)
	ids, values = r.FeatureRows.AppendRow(ids, values, i)
	for j := range values[before:] {
		values[before+j] *= r.scale[i]
	}
	return ids, values
}

// strandRows are sums of rows i and n + i.
type strandRows struct {
	FeatureRows
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

// sumRows are the rows of m terms side by side, times 1/√m.
type sumRows struct {
	terms  []FeatureRows
	starts []int // of each term in a table
	width  int
	scale  float64
	n      int
}

func (r *sumRows) Width() int { return r.width }

func (r *sumRows) Scatter(t []float64, i int, a float64) {
	for m, term := range r.terms {
		term.Scatter(t[r.starts[m]:r.starts[m]+term.Width()], i, float64(a*r.scale))
	}
}

func (r *sumRows) Gather(t []float64, i int) float64 {
	sum := 0.0
	for m, term := range r.terms {
		sum += term.Gather(t[r.starts[m]:r.starts[m]+term.Width()], i)
	}
	return sum * r.scale
}

func (r *sumRows) Own(dst []float64) {
	one := make([]float64, r.n)
	clear(dst[:r.n])
	for _, term := range r.terms {
		term.Own(one)
		for i, value := range one {
			dst[i] += value
		}
	}
	for i := range dst[:r.n] {
		dst[i] /= float64(len(r.terms))
	}
}

func (r *sumRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	for m, term := range r.terms {
		before := len(ids)
		ids, values = term.AppendRow(ids, values, i)
		for j := before; j < len(ids); j++ {
			ids[j] += uint32(r.starts[m])
			values[j] *= r.scale
		}
	}
	return ids, values
}
