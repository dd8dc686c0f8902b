package stringkernel

// Compiler is an option of a [Kernel] that computes tables or dictionaries from its parameters. Correct without it;
// with it, a compiled kernel has them, while any other computes them again at every call that needs them. Ask
// [CompilerOf], or call [Compile].
type Compiler interface {
	// Compile checks the parameters and returns the kernel with its tables. A compiled kernel returns itself, and
	// passes Check. Gram, Merge and Fit compile a kernel that is not.
	Compile() (Kernel, error)
}

// CompilerOf returns the [Compiler] of k, nil if it has none.
func CompilerOf(k Kernel) Compiler {
	return Lookup(k, func(w interface{ Compiler() Compiler }) Compiler { return w.Compiler() })
}

// Compile checks the parameters of k and returns it ready for use: compiled if it has a [Compiler].
func Compile(k Kernel) (Kernel, error) {
	if c := CompilerOf(k); c != nil {
		return c.Compile()
	}
	return k, k.Check()
}
