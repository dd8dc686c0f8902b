package spectrum

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// All entries at once are those of the definition: of any number of records, with features listed once and with counts,
// shared by all or by some.
func TestDense(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 8))
	for _, c := range []struct{ k, n, length int }{{2, 1, 40}, {1, 31, 90}, {3, 33, 60}, {5, 70, 80}, {6, 97, 40}} {
		k := Kernel{K: c.k, Alphabet: stringkernel.DNA}
		corpus := drawCorpus(t, r, k.Alphabet, c.n, c.length)
		g, err := k.Gram(t.Context(), corpus)
		if err != nil {
			t.Fatal(err)
		}
		dense := stringkernel.DenseOf(g)
		if dense == nil {
			t.Fatalf("%+v: no matrix at once", k)
		}
		all, n := make([]float64, corpus.Len()*corpus.Len()), corpus.Len()
		for i := range all {
			all[i] = -1
		}
		if err := dense.DenseTo(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		features := make([]map[string]int, n)
		for i := range features {
			features[i] = definition(k, corpus.Seq(i))
		}
		for i := range n {
			for j := range n {
				if want := inner(features[i], features[j]); all[i*n+j] != want {
					t.Fatalf("%+v: entry (%d, %d) is %v, want %v", c, i, j, all[i*n+j], want)
				}
			}
		}
	}
}

// Sums that 16 bits do not hold, and features that few records share, are left to rows.
func TestNotDense(t *testing.T) {
	long := stringkernel.View([]byte(strings.Repeat("A", 260)))
	for _, c := range []struct {
		kernel Kernel
		corpus *stringkernel.Corpus
		want   bool
	}{
		{Kernel{K: 5, Alphabet: stringkernel.DNA}, long, true}, // 256² = 2¹⁶
		{Kernel{K: 4, Alphabet: stringkernel.DNA}, long, true},
		{Kernel{K: 6, Alphabet: stringkernel.DNA}, long, false}, // 255²
		{Kernel{K: 6, Alphabet: stringkernel.DNA, Bounded: true}, stringkernel.View([]byte("ACGT")), true},
	} {
		g, err := c.kernel.Gram(t.Context(), kerneltest.Concat(c.corpus, c.corpus))
		if err != nil {
			t.Fatal(err)
		}
		if rows := stringkernel.DenseOf(g) == nil; rows != c.want {
			t.Errorf("%+v: by rows %v, want %v", c.kernel, rows, c.want)
		}
	}
}
