package stringkernel

// Table is weight vectors w_0, w_1, … that can be added to: a scorer of f_m(x) = ⟨w_m, φ(x)⟩, equal up to rounding to a
// merged one of the same sums. It is for one goroutine.
type Table struct {
	Scorer
	// Add adds a[m]·φ(x) to w_m for every m, in the time of a score.
	Add func(x []byte, a []float64)
	// Mix returns the table of len(rows) weight vectors w'_i = Σ_m rows[i][m]·w_m, in time linear in the table, which
	// must not be used afterwards. It is an error if that takes too much memory.
	Mix func(rows [][]float64) (*Table, error)
	// Freeze returns a scorer of the present weights that the kernel's [Restorer] can store. The table must not be used
	// afterwards.
	Freeze func() (Scorer, error)
}

// Fold returns a table of zeros for a number of weight vectors, at least 1, so that a machine learns from a stream in
// constant memory; nil if the features of k have no table of bounded size ([Traits].Fold). It is an error if a table
// takes too much memory.
func Fold(k Kernel, outputs int) (*Table, error) {
	if fold := TraitsOf(k).Fold; fold != nil {
		return fold(outputs)
	}
	return nil, nil
}

// MixRows replaces rows of weights, one after another in table, each of as many values as mix has columns, by their
// products with mix: what Mix of a flat table does. O(table · len(mix)).
func MixRows(table []float64, mix [][]float64) []float64 {
	from, to := len(mix[0]), len(mix)
	mixed := make([]float64, len(table)/from*to)
	for lo, at := 0, 0; lo < len(table); lo, at = lo+from, at+to {
		for i, weights := range mix {
			mixed[at+i] = Mix(weights, table[lo:lo+from])
		}
	}
	return mixed
}
