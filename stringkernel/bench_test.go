package stringkernel_test

import (
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/stringkernel"
)

var benchKernels = []stringkernel.Substring{
	{Weight: stringkernel.Fixed, K: 8, Alphabet: stringkernel.DNA},
	{Weight: stringkernel.Bounded, K: 8, Alphabet: stringkernel.DNA},
	{Weight: stringkernel.Decay, Lambda: 0.5, Alphabet: stringkernel.DNA},
	{Weight: stringkernel.Constant, Alphabet: stringkernel.DNA},
}

// randomDNA generates n sequences of the given length with a planted motif.
func randomDNA(b *testing.B, n, length int) *stringkernel.Corpus {
	b.Helper()
	set, err := planted.Generate(planted.Options{N: n, Length: length, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	c, err := stringkernel.NewCorpus(set.Seqs, set.Names)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func coefficients(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i%7) - 3.1
	}
	return v
}

func forEachKernel(b *testing.B, run func(b *testing.B, k stringkernel.Substring)) {
	for _, k := range benchKernels {
		b.Run(fmt.Sprintf("%s%d", k.Weight, k.K), func(b *testing.B) { run(b, k) })
	}
}

// BenchmarkProduct is K·v on corpora of sequences of 500 letters.
func BenchmarkProduct(b *testing.B) {
	for _, letters := range []int{1e6, 5e6, 1e7} {
		c := randomDNA(b, letters/500, 500)
		forEachKernel(b, func(b *testing.B, k stringkernel.Substring) {
			b.Run(fmt.Sprintf("letters=%d", letters), func(b *testing.B) {
				g, err := k.Gram(c)
				if err != nil {
					b.Fatal(err)
				}
				v, dst := coefficients(c.Len()), make([]float64, c.Len())
				b.SetBytes(int64(letters))
				b.ReportAllocs()
				for b.Loop() {
					g.MulVecTo(dst, v)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(letters), "ns/letter")
			})
		})
	}
}

// BenchmarkGram is the index: suffix array, LCP, tree, compression, diagonal.
func BenchmarkGram(b *testing.B) {
	c := randomDNA(b, 2000, 300)
	forEachKernel(b, func(b *testing.B, k stringkernel.Substring) {
		b.SetBytes(int64(c.Letters()))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := k.Gram(c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkScore is the same query against 1,000 and 8,000 support vectors of 300 letters.
func BenchmarkScore(b *testing.B) {
	query := randomDNA(b, 10, 1000)
	for _, n := range []int{1000, 8000} {
		sv := randomDNA(b, n, 300)
		forEachKernel(b, func(b *testing.B, k stringkernel.Substring) {
			for name, kernel := range map[string]stringkernel.Kernel{"raw": k, "normalised": stringkernel.Normalized{Kernel: k}} {
				b.Run(fmt.Sprintf("%s/sv=%d", name, n), func(b *testing.B) {
					s, err := kernel.Merge(sv, coefficients(n))
					if err != nil {
						b.Fatal(err)
					}
					dst := make([]float64, 1)
					b.SetBytes(int64(query.Letters()))
					b.ReportAllocs()
					for b.Loop() {
						for i := range query.Len() {
							s.ScoreTo(dst, query.Seq(i))
						}
					}
				})
			}
		})
	}
}

// BenchmarkSelfEval is what normalisation adds per query.
func BenchmarkSelfEval(b *testing.B) {
	query := randomDNA(b, 10, 1000)
	forEachKernel(b, func(b *testing.B, k stringkernel.Substring) {
		b.SetBytes(int64(query.Letters()))
		b.ReportAllocs()
		for b.Loop() {
			for i := range query.Len() {
				k.SelfEval(query.Seq(i))
			}
		}
	})
}
