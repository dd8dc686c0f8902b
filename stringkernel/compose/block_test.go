package compose_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// randomCorpus is n sequences of 0 to length random bases, every seventh a repeat of one before it.
func randomCorpus(t testing.TB, n, length int) *stringkernel.Corpus {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, uint64(n)))
	seqs := make([][]byte, n)
	for i := range seqs {
		if i%7 == 6 {
			seqs[i] = seqs[rng.IntN(i)]
			continue
		}
		seqs[i] = make([]byte, rng.IntN(length+1))
		for j := range seqs[i] {
			seqs[i][j] = "ACGT"[rng.IntN(4)]
		}
	}
	return must.Get(stringkernel.NewCorpus(seqs, nil))(t)
}

func randomVectors(m, n int) [][]float64 {
	rng := rand.New(rand.NewPCG(5, uint64(m)))
	out := make([][]float64, m)
	for i := range out {
		out[i] = make([]float64, n)
		for j := range out[i] {
			if rng.IntN(4) > 0 {
				out[i][j] = rng.NormFloat64()
			}
		}
	}
	return out
}

// BenchmarkMulBlock compares m products one by one with a block of them. Bytes are letters times vectors.
func BenchmarkMulBlock(b *testing.B) {
	sizes := []int{4000, 40000}
	if !long.Tests {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		c := randomCorpus(b, n, 300)
		for _, k := range []substring.Kernel{
			{Weight: substring.Constant}, {Weight: substring.Fixed, K: 6}, {Weight: substring.Bounded, K: 10},
		} {
			k.Alphabet = stringkernel.DNA
			g := must.Get(k.Gram(b.Context(), c))(b)
			for _, m := range []int{3, 4, 8} {
				v, dst := randomVectors(m, n), randomVectors(m, n)
				name := fmt.Sprintf("%s/n=%d/vectors=%d", k.Weight, n, m)
				b.Run(name+"/alone", func(b *testing.B) {
					b.SetBytes(int64(m * c.Letters()))
					b.ReportAllocs()
					for b.Loop() {
						for i := range v {
							g.MulVecTo(dst[i], v[i])
						}
					}
				})
				b.Run(name+"/block", func(b *testing.B) {
					b.SetBytes(int64(m * c.Letters()))
					b.ReportAllocs()
					for b.Loop() {
						stringkernel.MulBlock(g, dst, v)
					}
				})
			}
		}
	}
}
