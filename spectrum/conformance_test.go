package spectrum

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		k       Kernel
		letters string
		breaks  string
	}{
		{Kernel{K: 1, Alphabet: stringkernel.DNA}, "ACGT", "N"},
		{Kernel{K: 3, Alphabet: stringkernel.DNA}, "ACGT", "N"},
		{Kernel{K: 14, Alphabet: stringkernel.DNA}, "AC", "N"},
		{Kernel{K: 32, Alphabet: stringkernel.RNA}, "AU", "T"},
		{Kernel{K: 4, Bounded: true, Alphabet: stringkernel.DNA}, "ACGT", "N"},
		{Kernel{K: 32, Bounded: true, Alphabet: stringkernel.DNA}, "AC", "N"},
		{Kernel{K: 2, Alphabet: stringkernel.Protein}, "ACDEFGHIKLMNPQRSTVWY", "BJOUXZ*"},
		{Kernel{K: 12, Bounded: true, Alphabet: stringkernel.Protein}, "LAVWY", "X"},
		{Kernel{K: 2, Alphabet: stringkernel.Bytes}, "ab c\x00\xff", ""},
		{Kernel{K: 8, Bounded: true, Alphabet: stringkernel.Bytes}, "ab\xff", ""},
	} {
		t.Run(fmt.Sprintf("%s/k=%d/bounded=%v", c.k.Alphabet, c.k.K, c.k.Bounded), func(t *testing.T) {
			kerneltest.Run(t, c.k, kerneltest.Options{Letters: c.letters, Breaks: c.breaks, MaxLength: 60})
		})
	}
}

// The substring kernel counts the same k-mers on suffix structures: the same integers, to the last bit.
func TestEqualsTheSubstringKernel(t *testing.T) {
	everyKernel(t, func(t *testing.T, k Kernel) {
		other := substring.Kernel{Weight: substring.Fixed, K: k.K, Alphabet: k.Alphabet}
		if k.Bounded {
			other.Weight = substring.Bounded
		}
		r := rand.New(rand.NewPCG(14, uint64(k.K)))
		c := drawCorpus(t, r, k.Alphabet, 12, 80)
		mine, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := other.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		a, b := make([]float64, c.Len()), make([]float64, c.Len())
		for i := range c.Len() {
			mine.Row(a, i)
			theirs.Row(b, i)
			if !sameBits(a, b) {
				t.Fatalf("row %d: %v, by the substring kernel %v", i, a, b)
			}
			for j := range c.Len() {
				if v := other.Eval(c.Seq(j), c.Seq(i)); v != a[j] {
					t.Fatalf("%d, %d: %v, by the substring kernel's Eval %v", j, i, a[j], v)
				}
			}
		}
		mine.Diag(a)
		theirs.Diag(b)
		if !sameBits(a, b) {
			t.Fatalf("diagonal: %v, by the substring kernel %v", a, b)
		}
	})
}
