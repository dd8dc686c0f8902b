package stringkernel

import "math"

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

// CanEnumerate reports whether the kernel inside enumerates.
func (k Normalized) CanEnumerate() bool { return CanEnumerate(k.Kernel) }

// EachFeature divides values by the norm of x.
func (k Normalized) EachFeature(x []byte, visit func(name string, value float64)) {
	e, ok := k.Kernel.(Enumerator)
	if !ok {
		return
	}
	scale := inverseRoot(selfEval(k.Kernel, x))
	e.EachFeature(x, func(name string, value float64) { visit(name, float64(value*scale)) })
}

// CanEnumerate reports whether the kernel inside enumerates.
func (k BothStrands) CanEnumerate() bool { return CanEnumerate(k.Kernel) }

// EachFeature adds up the values of both strands. A feature and its reverse complement have the same sum, v, and are one feature of value √2·v under the
// alphabetically first.
func (k BothStrands) EachFeature(x []byte, visit func(name string, value float64)) {
	e, ok := k.Kernel.(Enumerator)
	if !ok {
		return
	}
	var names []string
	values := map[string]float64{}
	add := func(name string, value float64) {
		other := string(k.Alphabet.ReverseComplementTo(nil, []byte(name)))
		if name == other {
			value *= math.Sqrt2 // it comes once where a word and another come both
		}
		name = min(name, other)
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] += value
	}
	e.EachFeature(x, add)
	e.EachFeature(k.Alphabet.ReverseComplementTo(nil, x), add)
	for _, name := range names {
		visit(name, values[name]/math.Sqrt2)
	}
}
