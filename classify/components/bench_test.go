package components_test

import (
	"context"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// BenchmarkPCA finds 10 components of 20,000 sequences of 300 bases by their 6-mers, from the sequences on: the index
// is part of the time.
func BenchmarkPCA(b *testing.B) {
	set, err := planted.Generate(planted.Options{N: 20_000, Length: 300, Motif: "ATATATACGGTA", Mutations: 1, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	var builder stringkernel.CorpusBuilder
	for _, x := range set.Seqs {
		builder.Add("", x)
	}
	corpus := builder.Corpus()
	kernel, err := stringkernel.Compile(compose.Normalized{Kernel: spectrum.Kernel{K: 6, Alphabet: stringkernel.DNA}})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(corpus.Letters()))
	b.ReportAllocs()
	for b.Loop() {
		g, err := kernel.Gram(context.Background(), corpus)
		if err != nil {
			b.Fatal(err)
		}
		c, err := components.PCA{Count: 10}.Fit(context.Background(), g)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(c.Products), "products")
	}
}
