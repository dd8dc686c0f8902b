package spectrum

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// BenchmarkCounted measures an index, a product, merging and scores of 1,000 records of 300 letters, by raw counts and
// by presence.
func BenchmarkCounted(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	seqs := make([][]byte, 1000)
	for i := range seqs {
		seqs[i] = draw(r, "ACGT", 300, false)
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		b.Fatal(err)
	}
	v, dst := randomVector(r, c.Len()), make([]float64, c.Len())
	for _, k := range []Kernel{{K: 8, Bounded: true}, {K: 8}, {K: 12}} {
		for _, f := range []stringkernel.Count{stringkernel.CountRaw, stringkernel.CountPresence} {
			k.Alphabet, k.Count = stringkernel.DNA, f
			g, err := k.Gram(b.Context(), c)
			if err != nil {
				b.Fatal(err)
			}
			s, err := stringkernel.Merge(b.Context(), k, c, v)
			if err != nil {
				b.Fatal(err)
			}
			each := func(what string, run func()) {
				b.Run(fmt.Sprintf("k=%d/bounded=%v/%s/%s", k.K, k.Bounded, f, what), func(b *testing.B) {
					b.SetBytes(int64(c.Letters()))
					for b.Loop() {
						run()
					}
				})
			}
			each("index", func() { _, err = k.Gram(b.Context(), c) })
			each("product", func() { g.MulVecTo(dst, v) })
			each("merge", func() { _, err = stringkernel.Merge(b.Context(), k, c, v) })
			each("score", func() {
				for i := range seqs {
					s.ScoreTo(dst[:1], seqs[i])
				}
			})
			each("self", func() {
				for i := range seqs {
					k.SelfEval(seqs[i])
				}
			})
		}
	}
}
