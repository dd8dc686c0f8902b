package stringkernel

// Lookup returns the option O of v, nil if it has none. A wrapper, which has an option only if what it wraps has it,
// answers by a method, that of the interface W, which accessor calls. Any other value has the option if it has the
// methods of O, or what it wraps does, which the method Inside returns where no option is changed. Every option of this
// module has such an accessor:
//
//	func ExplainerOf(s Scorer) Explainer {
//		return Lookup(s, func(w interface{ Explainer() Explainer }) Explainer { return w.Explainer() })
//	}
func Lookup[O, W any](v any, accessor func(W) O) O {
	if w, ok := v.(W); ok {
		return accessor(w)
	}
	option, is := v.(O)
	if in, wraps := v.(interface{ Inside() any }); wraps && !is {
		return Lookup(in.Inside(), accessor)
	}
	return option
}
