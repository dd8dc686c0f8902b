package stringkernel

import "context"

// Kernel is a positive semidefinite similarity on byte sequences. Its exported fields are its parameters and carry
// `json` and `doc` tags: the JSON of a kernel is its JSON in a model file, and the tags are its help text. A Kernel is immutable
// and safe for concurrent use once its parameters are set.
//
// A sequence without features (empty, shorter than every feature, or all of letters outside the alphabet) has
// φ(x) = 0: its kernel values are 0, normalised ones too, and never NaN.
type Kernel interface {
	// Check returns an error that names the first parameter out of range, what it is and what it should be. The other
	// methods assume that Check passes.
	Check() error

	// Eval returns k(x, y) at the definition's own cost: O(|x| + |y|) for the kernels of this module.
	Eval(x, y []byte) float64

	// Gram indexes a corpus once, in time and memory linear in its letters.
	Gram(ctx context.Context, c *Corpus) (Gram, error)

	// Merge folds support vectors into one structure that computes f_m(x) = Σ_i coef[m][i]·k(x_i, x) for every row m of
	// coef at once. Each coef[m] has sv.Len() entries; there is at least one.
	Merge(ctx context.Context, sv *Corpus, coef ...[]float64) (Scorer, error)
}

// Compiler is a Kernel that computes tables or dictionaries from its parameters before it can be used. Correct without
// Compile, faster with: a kernel that is not compiled computes them again at every call that needs them.
type Compiler interface {
	Kernel
	// Compile checks the parameters and returns the kernel with its tables. A compiled kernel returns itself, and passes
	// Check. Gram, Merge and Fit compile a kernel that is not.
	Compile() (Kernel, error)
}

// Compile checks the parameters of k and returns it ready for use: compiled if it is a [Compiler].
func Compile(k Kernel) (Kernel, error) {
	if c, ok := k.(Compiler); ok {
		return c.Compile()
	}
	return k, k.Check()
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

// RowBased is a Gram whose products may be no faster than rows: RowBased() true says that K·v takes about as long as the rows of
// the non-zero entries of v, for want of an index. Correct without, faster with: a solver that may choose then asks for rows.
type RowBased interface {
	RowBased() bool
}

// Scorer computes f_m(x) = Σ_i coef[m][i]·k(x_i, x) in time linear in len(x), whatever the number of support vectors.
// It is safe for concurrent use.
type Scorer interface {
	// Outputs returns the number of scores per sequence.
	Outputs() int
	// ScoreTo writes f_0(x) … into dst, which has Outputs() entries.
	ScoreTo(dst []float64, x []byte)
}

// Explainer is a Scorer that can say which positions made a score. Correct without, richer with: a kernel whose scorer
// is no Explainer trains and predicts all the same. Ask [CanExplain] before the type assertion: a wrapper has the method whether or
// not the scorer inside explains.
type Explainer interface {
	Scorer
	// ExplainTo writes into dst, which has len(x) entries, the contribution of every position of x (0-based) to score
	// m. Contributions sum to f_m(x) up to rounding. A feature's weight is spread evenly over the positions of
	// each of its occurrences; those of a gapped k-mer are the k it has letters at.
	ExplainTo(dst []float64, m int, x []byte)
}

// SelfEvaluator is a Kernel with a cheaper way to k(x, x) than Eval(x, x). Normalisation uses it for each query. It
// must return Eval(x, x) up to rounding.
type SelfEvaluator interface {
	SelfEval(x []byte) float64
}

// JointEvaluator is a Kernel with a cheaper way to |φ(x) + φ(y)|² = k(x, x) + 2·k(x, y) + k(y, y) than three values of Eval.
// [compose.BothStrands] uses it for the norm of each query. The value is that sum up to rounding, and to the bit the same for (y, x).
type JointEvaluator interface {
	JointSelfEval(x, y []byte) float64
}

// Stranded is a Kernel that can count both strands by itself, at less cost than the wrapper [compose.BothStrands] and with the same values.
type Stranded interface {
	Kernel
	// BothStrands returns the kernel with φ(x) + φ(rc(x)) for φ(x). The alphabet must have a complement.
	BothStrands() Kernel
	// OneStrand returns the kernel that counts one strand, and whether the receiver counts both.
	OneStrand() (one Kernel, both bool)
}

// Featured is a Kernel that says how long its shortest features are, in letters, so that sequences without any can be told beforehand: those without so
// many letters of the alphabet in a row. Correct without: such sequences have the value 0 with everything in any case.
type Featured interface {
	ShortestFeature() int
}

// Fitter is a Kernel that may depend on a training corpus besides its parameters, as weights by document frequency do.
// Whoever trains asks DependsOnCorpus first: a Fitter that answers false (another weighting of the same kernel, a wrapper around a kernel
// that is none) is used as it is.
type Fitter interface {
	Kernel
	// DependsOnCorpus reports whether Fit matters: whether kernel values change with the corpus fitted to.
	DependsOnCorpus() bool
	// Fit returns the kernel fitted to a corpus. The receiver is unchanged.
	Fit(ctx context.Context, c *Corpus) (Kernel, error)
	// Reference returns the corpus the kernel was fitted to, nil before.
	Reference() *Corpus
}

// OutputChecker is a Kernel that can tell before training that Merge would refuse so many outputs, whatever the support vectors: the weights of its features, of which a
// fitted kernel knows the number, would take too much memory. Correct without: Merge refuses them after training.
type OutputChecker interface {
	CheckOutputs(outputs int) error
}

// Fit returns k fitted to c if it depends on a corpus, else k itself.
func Fit(ctx context.Context, k Kernel, c *Corpus) (Kernel, error) {
	if !DependsOnCorpus(k) {
		return k, nil
	}
	return k.(Fitter).Fit(ctx, c)
}

// DependsOnCorpus reports whether k is a Fitter whose values depend on the corpus it is fitted to.
func DependsOnCorpus(k Kernel) bool {
	f, ok := k.(Fitter)
	return ok && f.DependsOnCorpus()
}

// Array is a named flat array of a scorer that stands by itself: Data is a []uint8, []int32, []uint64 or []float64.
type Array struct {
	Name string
	Data any
}

// Storable is a Scorer that can be written to a file as flat arrays without the sequences it was merged from. The
// kernel it comes from is then a [Restorer]. Correct without: the support vectors are stored and merged again on loading.
type Storable interface {
	Scorer
	// Arrays returns the arrays, or ok = false if this very scorer cannot be stored that way (a wrapper around one that is not Storable).
	Arrays() (arrays []Array, ok bool)
}

// Restorer is a Kernel that rebuilds a Storable scorer from its arrays, to the same bits of every score. It trusts
// nothing: whatever the arrays hold, it returns an error or a scorer that cannot panic.
type Restorer interface {
	Kernel
	Restore(arrays []Array) (Scorer, error)
}
