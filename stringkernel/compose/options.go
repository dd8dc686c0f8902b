package compose

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Norms is an option of a kernel that computes k(x, x) faster than Eval(x, x). Correct without it; with it, the
// wrappers compute norms by it, of each query too. Ask [NormsOf], or call [SelfEval] and [JointSelfEval].
type Norms interface {
	// SelfEval returns Eval(x, x) up to rounding.
	SelfEval(x []byte) float64
	// JointSelfEval returns |φ(x) + φ(y)|² = k(x, x) + 2·k(x, y) + k(y, y) up to rounding, the norm of both strands of
	// a sequence, and the same bits for (y, x). A kernel without a shorter way to it calls [stringkernel.JointByEval].
	JointSelfEval(x, y []byte) float64
}

// NormsOf returns the [Norms] of k, nil if it has none.
func NormsOf(k stringkernel.Kernel) Norms {
	return stringkernel.Lookup(k, func(w interface{ Norms() Norms }) Norms { return w.Norms() })
}

// SelfEval returns k(x, x) by the fastest way the kernel has.
func SelfEval(k stringkernel.Kernel, x []byte) float64 {
	if n := NormsOf(k); n != nil {
		return n.SelfEval(x)
	}
	return k.Eval(x, x)
}

// JointSelfEval returns |φ(x) + φ(y)|² by the fastest way the kernel has.
func JointSelfEval(k stringkernel.Kernel, x, y []byte) float64 {
	if n := NormsOf(k); n != nil {
		return n.JointSelfEval(x, y)
	}
	return (k.Eval(x, x) + k.Eval(y, y)) + (k.Eval(x, y) + k.Eval(y, x))
}

// Comparer is an option of a kernel that finds the values of one sequence with all of a corpus for less than the cost
// of each alone. Correct without it; with it, [RBF], which is made of single values, scores faster. Ask [ComparerOf],
// or call [Compare].
type Comparer interface {
	// Compare indexes a corpus, in time and memory linear in its letters. The error is that of ctx, or the one that
	// Merge would return.
	Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error)
}

// ComparerOf returns the [Comparer] of k, nil if it has none.
func ComparerOf(k stringkernel.Kernel) Comparer {
	return stringkernel.Lookup(k, func(w interface{ Comparer() Comparer }) Comparer { return w.Comparer() })
}

// Compare indexes a corpus for comparisons: by the [Comparer] of k if it has one, else for an Eval of each sequence.
func Compare(ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	if by := ComparerOf(k); by != nil {
		return by.Compare(ctx, c)
	}
	return stringkernel.DirectComparison(k, c), nil
}

// WindowNorms is an option of a kernel that has the norms of all windows of a long sequence for less than the cost of
// each alone. Correct without it; with it, [Normalized] scores windows faster. Ask [WindowNormsOf], or call
// [TrackSelf].
type WindowNorms interface {
	// TrackSelfTo writes k(w, w) of the windows w = x[p:p+window], p = 0 … len(x)−window, into dst, which has
	// len(x)−window+1 entries. 1 ≤ window ≤ len(x).
	TrackSelfTo(dst []float64, x []byte, window int)
	// TrackJointSelfTo writes |φ(v) + φ(w)|² of the windows v = x[p:p+window] and w = y[q:q+window],
	// q = len(x)−window−p, into dst. y is as long as x: the windows of y, its reverse complement, are those of x in
	// reverse order. A kernel without a shorter way to it calls [stringkernel.TrackJointByEval].
	TrackJointSelfTo(dst []float64, x, y []byte, window int)
	// StrandSymmetric reports whether k(rc x, rc x) = k(x, x) to the bit on nucleotides: [TrackStrands] then computes
	// norms once for both strands.
	StrandSymmetric() bool
}

// WindowNormsOf returns the [WindowNorms] of k, nil if it has none.
func WindowNormsOf(k stringkernel.Kernel) WindowNorms {
	return stringkernel.Lookup(k, func(w interface{ WindowNorms() WindowNorms }) WindowNorms { return w.WindowNorms() })
}

// TrackSelf writes k(w, w) of the windows w of x into dst, which has len(x)−window+1 entries, by the fastest way the
// kernel has. A sequence shorter than window ≥ 1 has no windows.
func TrackSelf(dst []float64, k stringkernel.Kernel, x []byte, window int) {
	if len(x) < window {
		return
	}
	if w := WindowNormsOf(k); w != nil {
		w.TrackSelfTo(dst, x, window)
		return
	}
	for p := range dst[:len(x)-window+1] {
		dst[p] = SelfEval(k, x[p:p+window])
	}
}

// SelfScorer is an option of a scorer that finds k(x, x) while it scores x, for less than a score and a SelfEval.
// Correct without it; with it, [Normalized] scores faster. A restored scorer of a [stringkernel.Fitter] that is
// self-contained must have it: the kernel, which was not fitted, may not know the features. Ask [SelfScorerOf].
type SelfScorer interface {
	// SelfScoreTo is ScoreTo and returns k(x, x), up to rounding.
	SelfScoreTo(dst []float64, x []byte) float64
}

// SelfScorerOf returns the [SelfScorer] of s, nil if it has none.
func SelfScorerOf(s stringkernel.Scorer) SelfScorer {
	return stringkernel.Lookup(s, func(w interface{ SelfScorer() SelfScorer }) SelfScorer { return w.SelfScorer() })
}

// Stranded is an option of a kernel that counts both strands itself. Correct without it; with it, the kernel costs less
// than in the wrapper [BothStrands] and has the same values. Ask [StrandedOf], or call [OnBothStrands].
type Stranded interface {
	// BothStrands returns the kernel with φ(x) + φ(rc(x)) for φ(x). The alphabet must have a complement.
	BothStrands() stringkernel.Kernel
	// OneStrand returns the kernel that counts one strand, and whether the receiver counts both.
	OneStrand() (one stringkernel.Kernel, both bool)
}

// StrandedOf returns the [Stranded] of k, nil if it has none.
func StrandedOf(k stringkernel.Kernel) Stranded {
	return stringkernel.Lookup(k, func(w interface{ Stranded() Stranded }) Stranded { return w.Stranded() })
}

// OnBothStrands returns the kernel that counts both strands: its own if it is [Stranded], else the wrapper, whose Check
// refuses an alphabet without a complement.
func OnBothStrands(k stringkernel.Kernel, a stringkernel.Alphabet) stringkernel.Kernel {
	if s := StrandedOf(k); s != nil && a.Complementary() {
		return s.BothStrands()
	}
	return BothStrands(k, a)
}
