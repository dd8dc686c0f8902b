package chain

// gram is the matrix of inner products of the records.
type gram struct{ records }

// Diag writes the squared norms, which are 1, but of tokens without features.
func (g gram) Diag(dst []float64) {
	s := g.links.States
	var buf []int32
	for t := range g.rows.Len() {
		buf = g.rows.Row(t, buf[:0])
		for b := range s {
			dst[t*s+b] = min(1, float64(len(buf)))
		}
	}
	for i := g.rows.Len() * s; i < len(dst); i++ {
		dst[i] = 1
	}
}

// Row writes a column of the matrix.
func (g gram) Row(dst []float64, i int) {
	unit := make([]float64, g.Len())
	unit[i] = 1
	g.MulVecTo(dst, unit)
}

// MulVecTo writes the product with v: one walk to add, one to score.
func (g gram) MulVecTo(dst, v []float64) {
	table := make([]float64, g.Size())
	g.add(table, v)
	g.score(dst, table)
}
