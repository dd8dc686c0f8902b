package substring_test

import (
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

var benchKernels = []substring.Kernel{
	{Weight: substring.Fixed, K: 8, Alphabet: stringkernel.DNA},
	{Weight: substring.Bounded, K: 8, Alphabet: stringkernel.DNA},
	{Weight: substring.Decay, Lambda: 0.5, Alphabet: stringkernel.DNA},
	{Weight: substring.Constant, Alphabet: stringkernel.DNA},
}

// randomDNA generates n sequences of the given length with a planted motif.
func randomDNA(b testing.TB, n, length int) *stringkernel.Corpus {
	b.Helper()
	return seededDNA(b, n, length, 1)
}

func seededDNA(b testing.TB, n, length int, seed uint64) *stringkernel.Corpus {
	b.Helper()
	set := must.Get(planted.Generate(planted.Options{N: n, Length: length, Seed: seed}))(b)
	return must.Get(stringkernel.NewCorpus(set.Seqs, set.Names))(b)
}

func coefficients(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i%7) - 3.1
	}
	return v
}

func forEachKernel(b *testing.B, run func(b *testing.B, k substring.Kernel)) {
	for _, k := range benchKernels {
		b.Run(fmt.Sprintf("%s%d", k.Weight, k.K), func(b *testing.B) { run(b, k) })
	}
}

// BenchmarkProduct is K·v on corpora of sequences of 500 letters.
func BenchmarkProduct(b *testing.B) {
	sizes := []int{1e6, 5e6, 1e7}
	if !long.Tests {
		sizes = sizes[:1]
	}
	for _, letters := range sizes {
		c := randomDNA(b, letters/500, 500)
		forEachKernel(b, func(b *testing.B, k substring.Kernel) {
			b.Run(fmt.Sprintf("letters=%d", letters), func(b *testing.B) {
				g := must.Get(k.Gram(b.Context(), c))(b)
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

// BenchmarkScore scores unseen sequences, 300,000 letters in all, as predict does, against 1,000 and 8,000 support
// vectors of 300 letters.
func BenchmarkScore(b *testing.B) {
	benchScores(b, seededDNA(b, 1000, 300, 2))
}

func benchScores(b *testing.B, query *stringkernel.Corpus) {
	for _, n := range []int{1000, 8000} {
		sv := randomDNA(b, n, 300)
		forEachKernel(b, func(b *testing.B, k substring.Kernel) {
			benchScore(b, fmt.Sprintf("raw/sv=%d", n), k, sv, query)
			benchScore(b, fmt.Sprintf("normalised/sv=%d", n), compose.Normalized(k), sv, query)
		})
	}
}

func benchScore(b *testing.B, name string, k stringkernel.Kernel, sv, query *stringkernel.Corpus) {
	b.Run(name, func(b *testing.B) {
		k := must.Get(stringkernel.Compile(k))(b)
		s := must.Get(stringkernel.Merge(b.Context(), k, sv, coefficients(sv.Len())))(b)
		dst, queries := make([]float64, query.Len()), make([][]byte, query.Len())
		for i := range queries {
			queries[i] = query.Seq(i)
		}
		b.SetBytes(int64(query.Letters()))
		b.ReportAllocs()
		for b.Loop() {
			stringkernel.ScoreBatch(s, dst, queries)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(query.Letters()), "ns/letter")
	})
}
