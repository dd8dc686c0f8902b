package kmer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// letters returns n letters of an alphabet, of which about one in twenty is replaced by one outside.
func letters(rng *rand.Rand, n int, alphabet, outside string) []byte {
	x := make([]byte, n)
	for i := range x {
		x[i] = alphabet[rng.IntN(len(alphabet))]
		if rng.IntN(20) == 0 {
			x[i] = outside[rng.IntN(len(outside))]
		}
	}
	return x
}

// Codes that are appended are those that are yielded, after what is there.
func TestAppend(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, of := range []struct {
		alphabet         stringkernel.Alphabet
		letters, outside string
	}{
		{stringkernel.DNA, "ACGTacgt", "N-\x00"}, {stringkernel.DNA, "ACGT", "UN"}, {stringkernel.RNA, "ACGU", "tT"},
		{stringkernel.Protein, "ACDEFGHIKLMNPQRSTVWY", "*\xff"},
	} {
		for k := 1; k <= kmer.MaxK(of.alphabet); k++ {
			c := kmer.New(of.alphabet, k)
			for n := range 4*k + 40 {
				x := letters(rng, n, of.letters, of.outside)
				want := []uint64{7}
				for _, code := range c.All(x) {
					want = append(want, code)
				}
				if got := c.Append([]uint64{7}, x); !slices.Equal(got, want) {
					t.Fatalf("%d-mers of %q: %v, want %v", k, x, got, want)
				}
				if !of.alphabet.Complementary() {
					continue
				}
				for i, code := range want[1:] {
					want[i+1] = min(code, kmer.ReverseComplement(code, k))
				}
				if got := c.AppendCanonical([]uint64{7}, x); !slices.Equal(got, want) {
					t.Fatalf("canonical %d-mers of %q: %v, want %v", k, x, got, want)
				}
			}
		}
	}
}

// Codes are sorted as slices.Sort does, few and many, of any width.
func TestSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var space []uint64
	for width := uint(1); width <= 64; width++ {
		for _, n := range []int{0, 1, 31, 32, 300, 1000} {
			codes := make([]uint64, n)
			for i := range codes {
				codes[i] = rng.Uint64() & kmer.LowBits(width)
			}
			want := slices.Sorted(slices.Values(codes))
			kmer.Sort(codes, 0, width, &space)
			if !slices.Equal(codes, want) {
				t.Fatalf("%d codes of %d bits are not sorted", n, width)
			}
		}
	}
}
