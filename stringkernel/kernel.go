package stringkernel

import "context"

// Kernel is a positive semidefinite similarity on byte sequences. Its exported fields are its parameters and carry
// `json` and `doc` tags: the JSON of a kernel is its entry in a model file, and the tags are its help text. A Kernel is
// immutable and safe for concurrent use once its parameters are set.
//
// A sequence without features (empty, shorter than every feature, or consisting of letters outside the alphabet) has
// φ(x) = 0: its kernel values are 0, normalised ones too, and never NaN.
type Kernel interface {
	// Check returns an error that names the first parameter out of range, what it is and what it should be. The other
	// methods assume that Check passes.
	Check() error

	// Eval returns k(x, y) at the definition's own cost: O(|x| + |y|) for the kernels of this module.
	Eval(x, y []byte) float64

	// SelfEval returns k(x, x): Eval(x, x) up to rounding, by the fastest way the kernel has.
	SelfEval(x []byte) float64

	// Gram indexes a corpus once, in time and memory linear in its letters.
	Gram(ctx context.Context, c *Corpus) (Gram, error)

	// Merge folds support vectors into one structure that computes f_m(x) = Σ_i c_mi·k(x_i, x) for every output m at
	// once. An error of [Coefficients.Check] is returned. Call [Merge] with coefficients as they come from a solver.
	Merge(ctx context.Context, sv *Corpus, c *Coefficients) (Scorer, error)
}

// Gram is the implicit n × n matrix K_ij = k(x_i, x_j) of an indexed corpus. Its methods may be called from several
// goroutines at once, and give the same bits at every call.
type Gram interface {
	// Len returns n.
	Len() int
	// Diag writes K_ii into dst, which has n entries.
	Diag(dst []float64)
	// Row writes column i of K (0-based), n entries, into dst.
	Row(dst []float64, i int)
	// MulVecTo writes K·v into dst, n entries each, in time linear in the corpus. dst and v must not overlap.
	MulVecTo(dst, v []float64)
}

// Scorer computes f_m(x) = Σ_i coef[m][i]·k(x_i, x) in time linear in len(x), whatever the number of support vectors.
// It is safe for concurrent use.
type Scorer interface {
	// Outputs returns the number of scores per sequence.
	Outputs() int
	// ScoreTo writes f_0(x) … into dst, which has Outputs() entries.
	ScoreTo(dst []float64, x []byte)
}
