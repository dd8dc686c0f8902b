package compose

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// JointSelfEval returns |φ(x) + φ(y)|², the norm of both strands of a sequence, by the fastest way the kernel has.
func JointSelfEval(k stringkernel.Kernel, x, y []byte) float64 {
	if joint := stringkernel.TraitsOf(k).JointSelf; joint != nil {
		return joint(x, y)
	}
	return (k.SelfEval(x) + k.SelfEval(y)) + (k.Eval(x, y) + k.Eval(y, x))
}

// Compare indexes a corpus for comparisons: by the shorter way of k if it has one, else for an Eval of each.
func Compare(ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	if compare := stringkernel.TraitsOf(k).Compare; compare != nil {
		return compare(ctx, c)
	}
	return stringkernel.DirectComparison(k, c), nil
}

// TrackSelf writes k(w, w) of the windows w of x into dst, which has len(x)−window+1 entries, by the fastest way the
// kernel has. A sequence shorter than window ≥ 1 has no windows.
func TrackSelf(dst []float64, k stringkernel.Kernel, x []byte, window int) {
	if len(x) < window {
		return
	}
	if track := stringkernel.TraitsOf(k).TrackSelf; track != nil {
		track(dst, x, window)
		return
	}
	for p := range dst[:len(x)-window+1] {
		dst[p] = k.SelfEval(x[p : p+window])
	}
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
