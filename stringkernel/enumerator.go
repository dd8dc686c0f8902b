package stringkernel

// Enumerator is an option of a [Kernel] whose features have names: k(x, y) = Σ_name φ_name(x)·φ_name(y). Correct
// without it; with it, features can be selected by recursive elimination and counted by naive Bayes. Ask
// [EnumeratorOf].
type Enumerator interface {
	// EachFeature calls visit for every feature that x has, each name once, with φ_name(x), in an order that depends on
	// x only.
	EachFeature(x []byte, visit func(name string, value float64))
}

// EnumeratorOf returns the [Enumerator] of k, nil if it has none.
func EnumeratorOf(k Kernel) Enumerator {
	return Lookup(k, func(w interface{ Enumerator() Enumerator }) Enumerator { return w.Enumerator() })
}
