package model

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// large makes a model of n support vectors of 1,000 random bases each.
func large(b *testing.B, n int, keep bool, kernel string) *Model {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var corpus stringkernel.CorpusBuilder
	coef := make([]float64, n)
	seq := make([]byte, 1000)
	for i := range n {
		for j := range seq {
			seq[j] = "ACGT"[rng.IntN(4)]
		}
		corpus.Add("", seq)
		coef[i] = rng.NormFloat64()
	}
	spec := must.Get(catalog.Parse(kernel))(b)
	k := must.Get(spec.Compile(""))(b)
	trained := &classify.Model{
		Rule: classify.Rule{Classes: []string{"a", "b"}, Scheme: classify.TwoClass, Positive: 1,
			Machines: []classify.Binary{{Positive: 1}}},
		Kernel: k, Support: corpus.Corpus(), Coef: stringkernel.NewCoefficients(len(coef), [][]float64{coef}),
	}
	m := must.Get(New(b.Context(), trained, Options{KeepSequences: keep}))(b)
	return m
}

// The models of the benchmarks: 16 bytes per k-mer, and 1,016 per support vector.
func eachLarge(b *testing.B, run func(b *testing.B, m *Model, data []byte)) {
	for _, c := range []struct {
		name   string
		n      int
		keep   bool
		kernel string
	}{
		{"compiled", 3000, false, "spectrum:k=14,alphabet=dna"},
		{"sequences", 10000, true, "spectrum:k=14,alphabet=dna"},
	} {
		b.Run(c.name, func(b *testing.B) {
			if testing.Short() {
				c.n /= 10
			}
			m := large(b, c.n, c.keep, c.kernel)
			data := write(b, m)
			runtime.GC()
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			b.ResetTimer()
			run(b, m, data)
		})
	}
}

func BenchmarkRead(b *testing.B) {
	eachLarge(b, func(b *testing.B, _ *Model, data []byte) {
		for b.Loop() {
			must.Get(Read(data))(b)
		}
	})
}
