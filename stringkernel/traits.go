package stringkernel

import (
	"context"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// Describer is an option of a [Kernel], a [Gram] or a [Scorer] with facts that callers need to know of it. Correct
// without it; with it, callers choose better defaults, warn, and refuse early. Ask [TraitsOf].
type Describer interface {
	Traits() Traits
}

// Traits are facts about a kernel, a matrix or a scorer. The zero value says nothing particular.
type Traits struct {
	// MinLength is the number of letters of the shortest feature of a kernel, 0 if it is not known: a sequence without
	// that many letters of the alphabet in a row has no features. See [Alphabet.HasRun].
	MinLength int
	// KmerLength is the length k of a kernel whose raw scores are sums over the k-mers of a sequence, else 0.
	KmerLength int
	// Text says that a kernel reads text, so that its alphabet is [Bytes] unless it is given.
	Text bool
	// CheckRecord returns an error for a sequence that the kernel refuses, such as one that is not a tree; nil if the
	// kernel takes every sequence.
	CheckRecord func(x []byte) error
	// CheckOutputs returns the error that Merge would return for that many outputs whatever the support vectors, so
	// that training need not begin; nil if no such error is foreseeable.
	CheckOutputs func(outputs int) error
	// MergeBytes estimates the most memory that Merge takes at any moment for so many sequences with so many letters in
	// all; nil if that is not known. See [CheckMerge].
	MergeBytes func(sequences, letters, outputs int) float64
	// Compile checks the parameters of a kernel and returns it with the tables or dictionaries that it computes from them
	// once; nil if there are none. A compiled kernel returns itself, and passes Check; any other computes them again at
	// every call that needs them. Gram, Merge and Fit compile a kernel that is not. Call [Compile].
	Compile func() (Kernel, error)
	// EachUnit calls visit with the place x[lo:hi], 0-based, of every unit of x in order, where the features of a
	// kernel are made of units of several bytes, such as the words of a text; nil if the units are the letters.
	EachUnit func(x []byte, visit func(lo, hi int))
	// WordCounts says that the features of a kernel are counts of the words of a text.
	WordCounts bool
	// OfClasses says that a kernel is fitted to the classes of records besides their letters: see [Corpus.WithClasses].
	OfClasses bool
	// Warnings returns what the parameters of a kernel do that is hardly meant, a line each, such as words of a list
	// that can never match; nil if there is nothing to say.
	Warnings func() []string
	// Eigenvalues returns the least and the greatest eigenvalue of the kernel on all of its k-mers: it is indefinite if
	// the least is negative. Nil for a kernel that is positive semidefinite by construction.
	Eigenvalues func() (least, greatest float64)
	// Compare indexes a corpus, in time and memory linear in its letters, for the values of sequences with all of it at
	// less than the cost of each alone; nil if a kernel cannot. The error is that of ctx, or the one that Merge would
	// return. A kernel that is made of single values scores faster by it.
	Compare func(ctx context.Context, c *Corpus) (Comparison, error)
	// Fold returns a table that records can be added to: see [Fold].
	Fold func(outputs int) (*Table, error)
	// JointSelf returns |φ(x) + φ(y)|², the same bits for (y, x), where a kernel has a shorter way to the norm of both
	// strands of a sequence than by single values.
	JointSelf func(x, y []byte) float64
	// TrackSelf writes k(w, w) of the windows w = x[p:p+window], p = 0 … len(x)−window, into dst, which has
	// len(x)−window+1 entries, for less than the cost of each alone; nil if a kernel cannot. 1 ≤ window ≤ len(x).
	TrackSelf func(dst []float64, x []byte, window int)
	// TrackJointSelf writes |φ(v) + φ(w)|² of the windows v = x[p:p+window] and w = y[q:q+window],
	// q = len(x)−window−p, into dst. y is as long as x: the windows of y, its reverse complement, are those of x in
	// reverse order. Nil if a kernel has no shorter way.
	TrackJointSelf func(dst []float64, x, y []byte, window int)
	// StrandSymmetric says that k(rc x, rc x) = k(x, x) to the bit on nucleotides: both strands have the same norms.
	StrandSymmetric bool

	// RowBased says that a product with a matrix takes about as long as the rows of the non-zero entries of the vector,
	// since there is no index: a solver that may choose asks for rows. See [IsRowBased].
	RowBased bool
	// QuickRows says that a row of a matrix takes about as long as a solver's step with it, so that keeping rows is not
	// worth much memory.
	QuickRows bool
	// FavorsProducts says that a solver that may choose asks for products with a matrix though that has feature rows:
	// visiting records one by one would take many passes.
	FavorsProducts bool
	// Scale is k(x, x)^−½ of each record of a matrix before division by norms, which Merge would compute otherwise: see
	// [Coefficients]. Nil for a matrix that is not normalised.
	Scale []float64
	// InMemory says that the rows of a matrix are held in memory.
	InMemory bool

	// Prepare makes what the first product with a matrix, the first score of a scorer or the first k(x, x) of a kernel
	// would make otherwise, such as an index that rows do not need: it ends when ctx does, and they do not. Nil if
	// there is nothing to prepare. See [Prepare].
	Prepare func(ctx context.Context) error
	// WindowLength is the length of the sequences that a scorer takes, 0 for any: others score 0. See [WindowLength].
	WindowLength int
	// SelfScoreTo is ScoreTo of a scorer and returns k(x, x), up to rounding, for less than a score and a SelfEval; nil if
	// a scorer cannot. A restored scorer of a [Fitter] that is self-contained must have it: the kernel, which was not
	// fitted, may not know the features.
	SelfScoreTo func(dst []float64, x []byte) float64
	// ScoreBatchTo writes the scores of x[0], x[1], … into dst, Outputs() numbers each, for less than the cost of each
	// alone, the same bits as ScoreTo of each; nil if a scorer cannot. Call [ScoreBatch].
	ScoreBatchTo func(dst []float64, x [][]byte)
	// Around returns for a sequence x the letters lo … hi−1 within which all features are that span position i, lo ≤ i <
	// hi, in x or with another letter there; it is asked for i = 0, 1, …. Nil unless scores are sums over the occurrences
	// of features, wherever they are: then a score with another letter differs by as much as that of these letters.
	Around func(x []byte) func(i int) (lo, hi int)
	// SubstituteTo writes what Substitute of package compose does, of which it returns the positions it leaves to others,
	// ascending; nil if a scorer has no shorter way than scores and explanations one by one. Scores or contributions may
	// be nil.
	SubstituteTo func(scores, contributions []float64, m int, x, letters []byte) (rest []int)
	// SelfSubstituteTo writes k(y, y) of a kernel for each y that is x with letters[b] at position i (0-based) into dst,
	// at i·len(letters) + b, and returns the positions it leaves to others, ascending; nil if there is no shorter way.
	SelfSubstituteTo func(dst []float64, x, letters []byte) (rest []int)
	// Approximations say how well a matrix stands for that of the kernel it approximates, one for each approximated
	// kernel of a mean; none if it is exact.
	Approximations []Approximation
}

// Approximation is how well r numbers for each record stand for a kernel.
type Approximation struct {
	Rank int `json:"rank"` // r
	// of pivots: the records of training, and the part of the sum of their k(x, x) that the pivots leave out
	Records    int     `json:"records"`
	TraceError float64 `json:"trace_error"`
	// of pivots beside the linear term of a function of a kernel, which is exact: its weight; else 0
	Linear float64 `json:"linear,omitempty"`
	// of random features: the greatest standard deviation of a value, which is from 0 to 1; else 0
	Deviation float64 `json:"deviation,omitempty"`
}

// String says it in words.
func (a Approximation) String() string {
	if a.Deviation > 0 {
		return fmt.Sprintf("%d random features, standard deviation of a value at most %.2g", a.Rank, a.Deviation)
	}
	text := fmt.Sprintf("rank %d, trace error %.2g %% on %d records", a.Rank, 100*a.TraceError, a.Records)
	if a.Linear > 0 {
		text += fmt.Sprintf(", linear term exact, %.2g of the kernel", a.Linear)
	}
	return text
}

// DescriberOf returns the [Describer] of a Kernel, a Gram or a Scorer, nil if it has none.
func DescriberOf(v any) Describer {
	return Lookup(v, func(w interface{ Describer() Describer }) Describer { return w.Describer() })
}

// TraitsOf returns the traits of a Kernel, a Gram or a Scorer, zero if it has no [Describer].
func TraitsOf(v any) Traits {
	if d := DescriberOf(v); d != nil {
		return d.Traits()
	}
	return Traits{}
}

// Compile checks the parameters of k and returns it ready for use.
func Compile(k Kernel) (Kernel, error) {
	if compile := TraitsOf(k).Compile; compile != nil {
		return compile()
	}
	return k, k.Check()
}

// IsRowBased reports whether the products of g are no faster than rows.
func IsRowBased(g Gram) bool { return TraitsOf(g).RowBased }

// Prepare prepares a matrix for products, a scorer for scores or a kernel for k(x, x). The error is that of ctx.
func Prepare(ctx context.Context, v any) error {
	if prepare := TraitsOf(v).Prepare; prepare != nil {
		return prepare(ctx)
	}
	return nil
}

// WindowLength returns the length of the sequences that s scores, 0 if it scores any.
func WindowLength(s Scorer) int { return TraitsOf(s).WindowLength }

// ErrNoFeatures says that no record of a corpus has a feature, so that there is nothing to learn from.
var ErrNoFeatures = errors.New(
	"no record has any feature of the kernel: all are too short, have no letters of its alphabet, no words, or the same " +
		"numbers")

// ErrNoClasses says that a kernel learns from the classes of records, and that these have none.
var ErrNoClasses = errors.New("the kernel learns from the class of each record, and these have none")

// CheckFeatures returns [ErrNoFeatures] if the diagonal of g is 0, in the time of Diag, or the error of ctx.
func CheckFeatures(ctx context.Context, g Gram) error {
	diag := make([]float64, g.Len())
	if err := cancel.Run(ctx, func() { g.Diag(diag) }); err != nil {
		return err
	}
	for _, norm := range diag {
		if norm != 0 {
			return nil
		}
	}
	return ErrNoFeatures
}

// Within returns the [Traits].Around of features of at most span letters.
func Within(span int) func(x []byte) func(i int) (lo, hi int) {
	return func(x []byte) func(i int) (lo, hi int) {
		return func(i int) (lo, hi int) { return max(0, i-span+1), min(len(x), i+span) }
	}
}

// ScoreBatch writes the scores of x[0], x[1], … into dst, s.Outputs() numbers each: together if that is faster, else
// one by one.
func ScoreBatch(s Scorer, dst []float64, x [][]byte) {
	if together := TraitsOf(s).ScoreBatchTo; together != nil {
		together(dst, x)
		return
	}
	for i, m := 0, s.Outputs(); i < len(x); i++ {
		s.ScoreTo(dst[i*m:(i+1)*m], x[i])
	}
}
