package spectrum_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// refused reports whether what build makes would take more memory than a limit grants.
func refused(limit int64, build func() error) bool {
	before := memory.SetLimit(limit)
	err := build()
	memory.SetLimit(before)
	var large *memory.Error
	return errors.As(err, &large)
}

// TestMergeOfShortRuns: sequences shorter than K have no k-mers of K letters, but k-mers of all shorter lengths.
func TestMergeOfShortRuns(t *testing.T) {
	const n, outputs = 100, 100
	rng := rand.New(rand.NewPCG(18, 18))
	var b stringkernel.CorpusBuilder
	for range n {
		b.Add("", random(rng, "ACGT", 31))
	}
	sv, coef := b.Corpus(), make([][]float64, outputs)
	for m := range coef {
		coef[m] = vector(rng, n)
	}
	merge := func() error {
		k := spectrum.Kernel{K: 32, Bounded: true, Alphabet: stringkernel.DNA}
		_, err := stringkernel.Merge(t.Context(), k, sv, coef...)
		return err
	}
	if !refused(2<<20, merge) { // 40,000 k-mers of 100 weights take 32 times as much
		t.Error("weights of k-mers shorter than K are not counted")
	}
	if err := merge(); err != nil {
		t.Error(err)
	}
}
