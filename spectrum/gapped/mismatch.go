package gapped

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Mismatch is the (k, m)-mismatch kernel of Leslie et al. 2004: a k-mer of K letters counts for every k-mer within
// Hamming distance M. It is positive semidefinite by construction. Its capabilities are those of [Kernel].
type Mismatch struct {
	K        int                   `json:"k" doc:"length of k-mers, up to 32; of protein 12, of bytes 8"`
	M        int                   `json:"m" doc:"most mismatches, 0…k; k with subst"`
	Count    stringkernel.Count    `json:"count,omitempty"`
	Subst    []string              `json:"subst,omitempty"`
	Beta     float64               `json:"beta,omitempty" above:"0"`
	Alphabet stringkernel.Alphabet `json:"alphabet"`

	rc       bool
	compiled *engine // nil before Compile
}

// Check returns an error that names the first parameter out of range.
func (k Mismatch) Check() error {
	_, err := k.ready()
	return err
}

func (k Mismatch) check() error {
	if err := kmer.Check("k", k.Alphabet, k.K); err != nil {
		return err
	}
	if k.M < 0 || k.M > k.K {
		return fmt.Errorf("m = %d, want 0…%d, at most k", k.M, k.K)
	}
	return k.Count.CheckSeparable()
}

// Compile computes the kernel as a function of distance: see [Kernel.Compile].
func (k Mismatch) Compile() (stringkernel.Kernel, error) {
	e, err := k.ready()
	k.compiled = e
	return k, err
}

// ready returns the engine, or an error if a parameter is out of range.
func (k Mismatch) ready() (*engine, error) { return ready("mismatch", k.compiled, k.check, k.build) }

func (k Mismatch) engine() *engine {
	if k.compiled != nil {
		return k.compiled
	}
	e, _ := k.build() // Check has seen the error
	return e
}

// build makes the engine. The error is about subst.
func (k Mismatch) build() (*engine, error) {
	h := mismatchFunction(k.Alphabet.Size(), k.K, k.M)
	e := newEngine("mismatch", "a smaller k or m", k.Alphabet, k.K, h, false, centre{}, k.Count, k.rc)
	return e, e.resemble(k.Subst, k.Beta)
}

// BothStrands returns the kernel that counts both strands.
func (k Mismatch) BothStrands() stringkernel.Kernel {
	k.rc, k.compiled = true, nil
	return k
}

// OneStrand returns the kernel that counts one strand, and whether k counts both.
func (k Mismatch) OneStrand() (one stringkernel.Kernel, both bool) {
	both = k.rc
	k.rc, k.compiled = false, nil
	return k, both
}

// Traits says that features, and scores unless counts are seen through a function, are those of k-mers of K letters.
func (k Mismatch) Traits() stringkernel.Traits { return traits(k, k.K, k.Count, k.Subst) }

// Eval returns k(x, y), of raw counts an exact integer below 2⁵³, from the number of pairs of k-mers at each distance:
// O(|x|·|y|).
func (k Mismatch) Eval(x, y []byte) float64 { return k.engine().eval(x, y) }

// SelfEval returns k(x, x), the value of Eval(x, x) but for rounding, in half the time or, of long sequences, in
// O(|x|).
func (k Mismatch) SelfEval(x []byte) float64 { return k.engine().selfEval(context.Background(), x) }

// Gram indexes a corpus; see the package comment for time and memory.
func (k Mismatch) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return with(k, func(e *engine) (stringkernel.Gram, error) { return e.gram(ctx, c) })
}

// Merge folds the support vectors into one table of σ^k scores per output, or one per choice of positions where that
// has no room.
func (k Mismatch) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return with(k, func(e *engine) (stringkernel.Scorer, error) { return e.merge(ctx, sv, c) })
}

// Arrays returns the coefficients of a scorer by k-mer.
func (k Mismatch) Arrays(s stringkernel.Scorer) []stringkernel.Array { return arraysOf(s) }

// Restore rebuilds a scorer from its arrays.
func (k Mismatch) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return with(k, func(e *engine) (stringkernel.Scorer, error) { return e.restore(arrays) })
}

// Space returns the table of all k-mers where there is room for it, else nil.
func (k Mismatch) Space() compose.Space { return k.engine().space() }
