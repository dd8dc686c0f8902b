//go:build long

package spectrum_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Products by postings: three records share each k-mer, and the sums of all k-mers exceed every cache.
// The expected product is the score of each record by the merged kernel.
func TestProductsByPostings(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 25))
	var b stringkernel.CorpusBuilder
	for range 300 {
		x := random(r, "ACGT", 3000)
		b.Add("", x)
		b.Add("", append(bytes.Repeat([]byte("A"), r.IntN(300)), x...))
		b.Add("", slices.Concat(x[100:], x[:100], []byte("N")))
	}
	c := b.Corpus()
	k := spectrum.Kernel{K: 12, Alphabet: stringkernel.DNA}
	v, got := vector(r, c.Len()), make([]float64, c.Len())
	g, err := k.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	s := merge(t, k, c, v)
	g.MulVecTo(got, v)
	for i := range got {
		if want := scoresOf(s, c.Seq(i))[0]; !near(got[i], want, 1e6) {
			t.Fatalf("(K·v)[%d] = %v, the score %v", i, got[i], want)
		}
	}
}
