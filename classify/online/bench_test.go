package online_test

import (
	"context"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/online"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// BenchmarkLearn learns from sequences of 100 bases.
func BenchmarkLearn(b *testing.B) {
	records := stream(1, 5000, 2)
	for i := range records[:1000] {
		x := &records[i].X
		for _, r := range records[1000+4*i : 1004+4*i] {
			*x = append(*x, r.X...)
		}
	}
	for _, algorithm := range online.AlgorithmNames() {
		b.Run(algorithm, func(b *testing.B) {
			l := must.Get(online.New(online.Options{
				Kernel:    compose.Normalized{Kernel: spectrum.Kernel{K: 8, Alphabet: dna}},
				Algorithm: algorithm, Task: classify.Classes, Bias: 0.3, C: 1, Lambda: 1e-4,
			}))(b)
			b.SetBytes(100)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				must.Get(l.Learn(context.Background(), records[i%1000]))(b)
			}
		})
	}
}
