package stringkernel

// FeatureRows is an option of a [Gram]: the explicit sparse rows φ(x_i) of its corpus, 0-based, with
//
//	K_ij = ⟨φ(x_i), φ(x_j)⟩ + [i = j]·own_i.
//
// Correct without it; with it, dual coordinate descent changes one coefficient at a time at the cost of one row, not of
// a product. Ask [FeatureRowsOf].
//
// A feature that only one sequence has need not be in a row: it only adds to own. A table is a linear combination t = Σ
// a_i φ(x_i), made by Scatter from zeros and read by Gather. Its coordinates are up to the implementation (they may be
// scaled, so an entry of t is not the weight of a feature). All methods may be called from several goroutines, each
// with its own tables, which others may read meanwhile by Gather if no Scatter is going on.
type FeatureRows interface {
	// Width returns the number of entries of a table.
	Width() int
	// Scatter adds a·φ(x_i) to t, in time linear in the occurrences of features in x_i.
	Scatter(t []float64, i int, a float64)
	// Gather returns ⟨t, φ(x_i)⟩, in the same time.
	Gather(t []float64, i int) float64
	// Own writes own_i into dst for every i.
	Own(dst []float64)
	// AppendRow appends the non-zero features of row i, numbered from 0 to below Width, and their values: the same
	// inner products without a table, for export. A feature may occur several times; its values are then added.
	AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64)
}

// FeatureRowsOf returns the [FeatureRows] of g, nil if it has none.
func FeatureRowsOf(g Gram) FeatureRows {
	return Lookup(g, func(w interface{ FeatureRows() FeatureRows }) FeatureRows { return w.FeatureRows() })
}
