package stringkernel

// Array is a named flat array of a scorer in its stored form: Data is a []uint8, []int32, []uint64 or []float64.
type Array struct {
	Name string
	Data any
}

// Restorer is an option of a [Kernel] whose scorers can be stored as flat arrays, without the sequences they were
// merged from. Correct without it; with it, a model file holds the merged structure in place of support vectors, which
// need not be merged again on loading. Ask [RestorerOf].
type Restorer interface {
	// Arrays returns the arrays of a scorer that the kernel has merged, nil if this one has no stored form.
	Arrays(s Scorer) []Array
	// Restore rebuilds a scorer from its arrays, to the same bits of every score. It trusts nothing: whatever the
	// arrays hold, it returns an error or a scorer that cannot panic.
	Restore(arrays []Array) (Scorer, error)
}

// RestorerOf returns the [Restorer] of k, nil if it has none.
func RestorerOf(k Kernel) Restorer {
	return Lookup(k, func(w interface{ Restorer() Restorer }) Restorer { return w.Restorer() })
}
