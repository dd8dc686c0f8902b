package spectrum

import (
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
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
