package svm

// dense computes every entry of a Gram matrix.
func dense(g interface {
	Len() int
	Row(dst []float64, i int)
}) *Precomputed {
	n := g.Len()
	p := &Precomputed{N: n, K: make([]float64, n*n)}
	for i := range n {
		g.Row(p.row(i), i)
	}
	return p
}
