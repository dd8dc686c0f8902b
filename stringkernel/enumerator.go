package stringkernel

// Enumerator is a Kernel whose features can be listed by name: k(x, y) = Σ_name φ_name(x)·φ_name(y). Correct without, richer with: features can then be selected.
// Ask [CanEnumerate] before the type assertion: a wrapper has the method whether or not the kernel inside enumerates.
type Enumerator interface {
	Kernel
	// EachFeature calls visit for every feature that x has, each name once, with φ_name(x), in an order that depends on x only.
	EachFeature(x []byte, visit func(name string, value float64))
}

// CanEnumerate reports whether k is an Enumerator all the way down.
func CanEnumerate(k Kernel) bool {
	if w, wrapper := k.(interface{ CanEnumerate() bool }); wrapper {
		return w.CanEnumerate()
	}
	_, ok := k.(Enumerator)
	return ok
}
