package gapped

import (
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Places are those of k-mers, or of their reverse complements with half a table, in which no place has the middle bit.
func TestListOfHalfATable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA} {
		one := newCoder(a, turnedLength)
		half := one
		half.half = middleBit(turnedLength)
		for _, letters := range []string{"ACGT", "acgu", "ACGTACGTACGTACGTACGTACGTN-"} {
			for length := turnedLength; length < 100; length++ {
				x := make([]byte, length)
				for i := range x {
					x[i] = letters[rng.IntN(len(letters))]
				}
				n := length - turnedLength + 1
				want, got := make([]uint32, n), make([]uint32, n)
				if whole := one.list(want, x); half.list(got, x) != whole {
					t.Fatalf("%s of %s: whole is not %v", x, a, whole)
				}
				for i, p := range got {
					if p&half.half != 0 || p != want[i] && p != uint32(one.reverseComplement(uint64(want[i]))) {
						t.Fatalf("%s of %s: place %d of %d, want it or its reverse complement", x, a, p, want[i])
					}
				}
				one.each(x, func(i int, packed uint64, place uint32) {
					if want[i] != place {
						t.Fatalf("%s of %s: place %d, want %d", x, a, want[i], place)
					}
				})
			}
		}
	}
}

// The entries of a k-mer and its reverse complement are one, so that either may be read.
func TestStrandsHaveOneEntry(t *testing.T) {
	k := Kernel{L: turnedLength, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA}.BothStrands().(Kernel)
	rng := rand.New(rand.NewPCG(5, 6))
	var b stringkernel.CorpusBuilder
	coef := make([]float64, 20)
	for i := range coef {
		for range 200 {
			b.Append([]byte{"ACGT"[rng.IntN(4)]})
		}
		b.End("")
		coef[i] = rng.NormFloat64()
	}
	merged, err := stringkernel.Merge(t.Context(), k, b.Corpus(), coef)
	if err != nil {
		t.Fatal(err)
	}
	s := merged.(*scorer)
	if s.coder.half == 0 {
		t.Fatal("the whole table is read")
	}
	for p, v := range s.tables[0] {
		if q := s.coder.reverseComplement(uint64(p)); s.tables[0][q] != v {
			t.Fatalf("entries %d and %d are %v and %v", p, q, v, s.tables[0][q])
		}
	}
}
