package wdk

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// drawCorpus draws n windows of a length, some of them mostly like the one before.
func drawCorpus(t *rapid.T, k Kernel, n, length int) *stringkernel.Corpus {
	seqs := make([][]byte, n)
	for i := range seqs {
		seqs[i] = drawWindow(t, k, length)
		if i > 0 {
			copy(seqs[i], seqs[i-1][:rapid.SampledFrom([]int{0, 0, length / 2, length}).Draw(t, "copied")])
		}
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProductsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(0, 25).Draw(t, "length")
		k := drawKernel(t, length)
		c := drawCorpus(t, k, rapid.IntRange(1, 12).Draw(t, "n"), length)
		g, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		n := c.Len()
		v, got := rapid.SliceOfN(rapid.Float64Range(-2, 2), n, n).Draw(t, "v"), make([]float64, n)
		g.MulVecTo(got, v)
		for j := range n {
			want, size := 0.0, 0.0
			for i := range n {
				want += v[i] * byDefinition(k, c.Seq(i), c.Seq(j))
				size += math.Abs(
					v[i],
				) * math.Sqrt(
					byDefinition(k, c.Seq(i), c.Seq(i))*byDefinition(k, c.Seq(j), c.Seq(j)),
				)
			}
			if !near(got[j], want, 100*size) {
				t.Fatalf("%+v: product %d: %v, want %v", k, j, got[j], want)
			}
		}
	})
}
