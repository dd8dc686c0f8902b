package process_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// motifCounts returns n random sequences of 300 bases and, with noise, how often a motif was put into each.
func motifCounts(n int) (*stringkernel.Corpus, []float64) {
	rng := rand.New(rand.NewPCG(6, uint64(n)))
	var b stringkernel.CorpusBuilder
	y := make([]float64, n)
	seq := make([]byte, 300)
	for i := range n {
		for j := range seq {
			seq[j] = "ACGT"[rng.IntN(4)]
		}
		count := rng.IntN(4)
		for range count {
			copy(seq[rng.IntN(290):], "TGACTCAGCA")
		}
		y[i] = float64(count) + rng.NormFloat64()/2
		b.Add(fmt.Sprint(i), append([]byte(nil), seq...))
	}
	return b.Corpus(), y
}

func benchmarkKernels() map[string]stringkernel.Kernel {
	return map[string]stringkernel.Kernel{
		"spectrum": compose.Normalized{Kernel: spectrum.Kernel{K: 6, Alphabet: stringkernel.DNA}},
		"gapped":   compose.Normalized{Kernel: &gapped.Kernel{L: 8, K: 6, Filter: "gapped", Alphabet: stringkernel.DNA}},
	}
}

// BenchmarkGaussian fits a process to n sequences and predicts 1,000 others.
func BenchmarkGaussian(b *testing.B) {
	const queries = 1000
	for name, kernel := range benchmarkKernels() {
		for _, n := range svmtest.Sizes(2000, 20000) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				corpus, y := motifCounts(n + queries)
				ctx := context.Background()
				for b.Loop() {
					train := corpus.Slice(0, n)
					g, err := kernel.Gram(ctx, train)
					if err != nil {
						b.Fatal(err)
					}
					p, err := process.Gaussian{Rank: 50, Checks: 4}.Fit(ctx, g, process.Regression{Targets: y[:n], Lambda: 1})
					if err != nil {
						b.Fatal(err)
					}
					scorer, err := stringkernel.Merge(ctx, kernel, train, append([][]float64{p.Coef}, p.Roots...)...)
					if err != nil {
						b.Fatal(err)
					}
					scores, hit := make([]float64, scorer.Outputs()), 0
					for x := n; x < n+queries; x++ {
						scorer.ScoreTo(scores, corpus.Seq(x))
						if mean, sd := p.Predict(1, scores); y[x] > mean-1.96*sd && y[x] < mean+1.96*sd {
							hit++
						}
					}
					b.ReportMetric(float64(hit)/queries, "coverage")
					b.ReportMetric(float64(p.Products), "products")
					b.ReportMetric(p.Slack, "slack")
				}
			})
		}
	}
}

// BenchmarkRidge solves problems of n sequences.
func BenchmarkRidge(b *testing.B) {
	for name, kernel := range benchmarkKernels() {
		for _, n := range svmtest.Sizes(2000, 20000) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				corpus, y := motifCounts(n)
				g, err := kernel.Gram(context.Background(), corpus)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					got, err := process.Ridge{}.Solve(context.Background(), g, process.Regression{Targets: y, Lambda: 0.1, Tol: 1e-3})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(got.Products), "products")
				}
			})
		}
	}
}
