package stringkernel

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
