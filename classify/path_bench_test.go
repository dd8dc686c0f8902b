package classify_test

import (
	"context"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// BenchmarkPath cross-validates at five costs, each from the solution before or each from zeros, and reports the
// iterations (passes or planes) of all machines.
func BenchmarkPath(b *testing.B) {
	d := motifs(b, 2000, 200)
	fold, err := d.Folds(5, 1)
	if err != nil {
		b.Fatal(err)
	}
	costs := []float64{0.1, 0.3, 1, 3, 10}
	iterations := func(outcomes ...*classify.CVResult) (sum float64) {
		for _, o := range outcomes {
			for _, decision := range o.Rules {
				for _, m := range decision.Machines {
					sum += float64(m.Iterations)
				}
			}
		}
		return sum
	}
	for name, trainer := range map[string]classify.Trainer{
		"dual-coordinate": {Kernel: spectrum.Kernel{K: 6, Alphabet: stringkernel.DNA}, Solver: svm.DualCoordinate{}},
		"cutting-plane": {
			Kernel: substring.Kernel{Weight: substring.Decay, Lambda: 0.5,
				Alphabet: stringkernel.DNA}, Solver: svm.CuttingPlane{},
		},
	} {
		trainer.Kernel = compose.Normalized{Kernel: trainer.Kernel}
		g, err := trainer.Kernel.Gram(b.Context(), d.Corpus)
		if err != nil {
			b.Fatal(err)
		}
		matrix := func(context.Context, []int) (stringkernel.Gram, error) { return g, nil }
		b.Run(name+"/warm", func(b *testing.B) {
			for b.Loop() {
				outcomes, err := classify.CrossValidateCosts(context.Background(), trainer, d, fold, costs, matrix)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(iterations(outcomes...), "iterations")
			}
		})
		b.Run(name+"/zeros", func(b *testing.B) {
			for b.Loop() {
				sum := 0.0
				for i := range costs {
					outcomes, err := classify.CrossValidateCosts(context.Background(), trainer, d, fold,
						costs[i:i+1], matrix)
					if err != nil {
						b.Fatal(err)
					}
					sum += iterations(outcomes...)
				}
				b.ReportMetric(sum, "iterations")
			}
		})
	}
}
