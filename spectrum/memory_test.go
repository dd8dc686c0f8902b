package spectrum_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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

// TestRestoreOfLongWordsAlone: an array of k-mers of 32 letters, of which no prefix has a weight, would become one of
// each length.
func TestRestoreOfLongWordsAlone(t *testing.T) {
	const n = 20_000
	rng := rand.New(rand.NewPCG(17, 17))
	codes, values := make([]uint64, n), make([]float64, n)
	for i := range codes {
		codes[i], values[i] = rng.Uint64(), 1
	}
	slices.Sort(codes)
	k := spectrum.Kernel{K: 32, Bounded: true, Alphabet: stringkernel.DNA}
	arrays := []stringkernel.Array{{Name: "outputs", Data: []int32{1}}}
	for length := 1; length < k.K; length++ {
		arrays = append(
			arrays,
			stringkernel.Array{Name: fmt.Sprint("codes.", length), Data: []uint64{}},
			stringkernel.Array{Name: fmt.Sprint("values.", length), Data: []float64{}},
		)
	}
	arrays = append(
		arrays,
		stringkernel.Array{Name: "codes.32", Data: codes},
		stringkernel.Array{Name: "values.32", Data: values},
	)
	restore := func() error {
		_, err := k.Restore(arrays)
		return err
	}
	if !refused(8<<20, restore) { // the added k-mers alone take 28
		t.Error("prefixes of every length are added to long k-mers, whatever memory they take")
	}
	if err := restore(); err != nil {
		t.Error(err)
	}
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
