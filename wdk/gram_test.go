package wdk

import (
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
