package motif_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/report/motif"
)

// BenchmarkFind refines the motifs of 1,000 records of 200 bases on both strands.
func BenchmarkFind(b *testing.B) {
	set, err := planted.Generate(planted.Options{N: 1000, Length: 200, Motif: "TGACGTCATTGC", Mutations: 1, Seed: 5})
	if err != nil {
		b.Fatal(err)
	}
	d := motif.Trained(b, "gapped:l=8,k=6,rc", set)
	for b.Loop() {
		if _, err := d.Find(b.Context(), motif.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*d.Records.Letters()), "ns/letter")
}
