package stringkernel

// CanExplain reports whether s is an Explainer all the way down: a wrapper such as [compose.Normalized] explains exactly
// when the scorer inside does.
func CanExplain(s Scorer) bool {
	if w, wrapper := s.(interface{ CanExplain() bool }); wrapper {
		return w.CanExplain()
	}
	_, ok := s.(Explainer)
	return ok
}

// HasFeature reports whether x has a feature of k, whose alphabet is a: always true of a kernel that is not [Featured].
func HasFeature(k Kernel, a Alphabet, x []byte) bool {
	f, ok := k.(Featured)
	if !ok {
		return true
	}
	need, codes, run := f.ShortestFeature(), a.Codes(), 0
	for _, b := range x {
		if run++; codes[b] == Outside {
			run = 0
		}
		if run >= need {
			return true
		}
	}
	return false
}

// IsRowBased reports whether g says that its products are no faster than rows. Wrappers answer for the matrix inside.
func IsRowBased(g Gram) bool {
	r, ok := g.(RowBased)
	return ok && r.RowBased()
}

// CheckOutputs returns the error of an [OutputChecker], nil for any other kernel. Wrappers ask the kernel inside.
func CheckOutputs(k Kernel, outputs int) error {
	if c, ok := k.(OutputChecker); ok {
		return c.CheckOutputs(outputs)
	}
	return nil
}

// CanRestore reports whether k is a Restorer all the way down: a wrapper is exactly when the kernel inside is, a [compose.Mean] when every term is. The scorers of any
// other kernel have no stored form, and none need be merged to find out.
func CanRestore(k Kernel) bool {
	if w, wrapper := k.(interface{ CanRestore() bool }); wrapper {
		return w.CanRestore()
	}
	_, ok := k.(Restorer)
	return ok
}

// SelfEval returns k(x, x) by the cheapest way the kernel has.
func SelfEval(k Kernel, x []byte) float64 {
	if s, ok := k.(SelfEvaluator); ok {
		return s.SelfEval(x)
	}
	return k.Eval(x, x)
}

// JointSelfEval returns |φ(x) + φ(y)|² by the cheapest way the kernel has.
func JointSelfEval(k Kernel, x, y []byte) float64 {
	if j, ok := k.(JointEvaluator); ok {
		return j.JointSelfEval(x, y)
	}
	return (SelfEval(k, x) + SelfEval(k, y)) + (k.Eval(x, y) + k.Eval(y, x))
}

// Reference returns the corpus a kernel was fitted to, nil if it was not or depends on none.
func Reference(k Kernel) *Corpus {
	if f, ok := k.(Fitter); ok {
		return f.Reference()
	}
	return nil
}

// ArraysOf returns the arrays of a scorer that can be stored.
func ArraysOf(s Scorer) ([]Array, bool) {
	if storable, ok := s.(Storable); ok {
		return storable.Arrays()
	}
	return nil, false
}
