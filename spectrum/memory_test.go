package spectrum

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/memory"
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
	k := Kernel{K: 32, Bounded: true, Alphabet: stringkernel.DNA}
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
		b.Add("", draw(rng, "ACGT", 31, false))
	}
	sv, coef := b.Corpus(), make([][]float64, outputs)
	for m := range coef {
		coef[m] = randomVector(rng, n)
	}
	merge := func() error {
		_, err := stringkernel.Merge(t.Context(), Kernel{K: 32, Bounded: true, Alphabet: stringkernel.DNA}, sv, coef...)
		return err
	}
	if !refused(2<<20, merge) { // 40,000 k-mers of 100 weights take 32 times as much
		t.Error("weights of k-mers shorter than K are not counted")
	}
	if err := merge(); err != nil {
		t.Error(err)
	}
}

// An index, or a structure of support vectors, that would take too much memory is refused before it is built.
func TestIndexIsCounted(t *testing.T) {
	var b stringkernel.CorpusBuilder
	b.Add("", slices.Repeat([]byte("ACGTTGCA"), 1000))
	c := b.Corpus()
	for _, k := range []Kernel{{K: 3}, {K: 14}, {K: 14, Bounded: true}} {
		k.Alphabet = stringkernel.DNA
		for what, build := range map[string]func() error{
			"Gram":  func() error { _, err := k.Gram(t.Context(), c); return err },
			"Merge": func() error { _, err := stringkernel.Merge(t.Context(), k, c, []float64{1}); return err },
		} {
			limit := int64(8 * c.Letters())
			if what == "Merge" && k.K == 3 {
				limit = 8 * 64 // an array of weights alone takes as much
			}
			var index *stringkernel.IndexError
			if !refused(limit, build) {
				t.Errorf("%+v: %s is not refused", k, what)
			} else if heaptest.Limit(t, limit); !errors.As(build(), &index) ||
				index.Letters != c.Letters() {
				t.Errorf("%+v: %s: %v, want an IndexError of %d letters", k, what, build(), c.Letters())
			}
			memory.SetLimit(0)
			if err := build(); err != nil {
				t.Errorf("%+v: %s: %v", k, what, err)
			}
		}
	}
}
