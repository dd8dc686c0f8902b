package classify_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// The benchmarks below run on concrete kernels, which the package itself knows nothing of. Bytes are the corpus's
// letters.

// motifs returns n sequences of a number of bases, half of them with two copies of a motif of 12 bases of which 2 are
// substituted, and 10 % of the labels inverted.
func motifs(b *testing.B, n, length int) *classify.Dataset {
	set, err := planted.Generate(planted.Options{N: n, Length: length, Copies: 2, Mutations: 2, Flip: 0.1, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	return dataset(b, set.Seqs, set.Labels)
}

func dataset(b *testing.B, seqs [][]byte, labels []string) *classify.Dataset {
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		b.Fatal(err)
	}
	d, err := classify.NewDataset(c, labels, nil)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// BenchmarkSolversOnSpectrum is what Auto's rule rests on.
func BenchmarkSolversOnSpectrum(b *testing.B) {
	for _, n := range svmtest.Sizes(1000, 3000, 10000) {
		d := motifs(b, n, 200)
		y := make([]float64, n)
		for i, c := range d.Y {
			y[i] = float64(2*c - 1)
		}
		for _, k := range []int{6, 8} {
			g, err := compose.Normalized{Kernel: spectrum.Kernel{K: k, Alphabet: stringkernel.DNA}}.Gram(b.Context(),
				d.Corpus)
			if err != nil {
				b.Fatal(err)
			}
			for _, c := range []float64{1, 10, 100} {
				p, err := svm.Classify(y, svm.Costs{Positive: c, Negative: c})
				if err != nil {
					b.Fatal(err)
				}
				for name, s := range map[string]svm.Solver{
					"dual-coordinate": svm.DualCoordinate{}, "cutting-plane": svm.CuttingPlane{}, "auto": svm.Auto{},
				} {
					b.Run(fmt.Sprintf("n=%d/k=%d/C=%g/%s", n, k, c, name), func(b *testing.B) {
						b.SetBytes(int64(d.Corpus.Letters()))
						b.ReportAllocs()
						var sol svm.Solution
						for b.Loop() {
							if sol, err = s.Solve(context.Background(), g, p); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(sol.Iterations), "iterations")
						b.ReportMetric(float64(sol.Products), "products")
						b.ReportMetric(float64(sol.SupportVectors()), "vectors")
					})
				}
			}
		}
	}
}

// alone hides that a kernel's matrix multiplies blocks.
type alone struct{ stringkernel.Kernel }

func (k alone) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	g, err := k.Kernel.Gram(ctx, c)
	return struct{ stringkernel.Gram }{g}, err
}

// BenchmarkLockstep compares ten machines with separate products and in lock step: one per class of ten motifs, and
// one per fold of two classes.
func BenchmarkLockstep(b *testing.B) {
	for _, n := range svmtest.Sizes(2000, 10000) {
		var seqs [][]byte
		var labels []string
		for class := range uint64(10) {
			set, err := planted.Generate(planted.Options{N: n / 5, Length: 300, Copies: 2, Mutations: 2,
				Seed: 1 + class})
			if err != nil {
				b.Fatal(err)
			}
			for i, label := range set.Labels {
				if label == planted.PositiveLabel {
					seqs, labels = append(seqs, set.Seqs[i]), append(labels, fmt.Sprint(class))
				}
			}
		}
		classes, folds := dataset(b, seqs, labels), motifs(b, n, 300)
		for _, k := range []substring.Kernel{{Weight: substring.Decay, Lambda: 0.9},
			{Weight: substring.Bounded, K: 8}} {
			k.Alphabet = stringkernel.DNA
			kernel := compose.Normalized{Kernel: k}
			for name, kernel := range map[string]stringkernel.Kernel{"alone": alone{kernel}, "lockstep": kernel} {
				b.Run(fmt.Sprintf("n=%d/%s/classes/%s", n, k.Weight, name), func(b *testing.B) {
					benchmarkTrain(b, classes, kernel)
				})
				b.Run(fmt.Sprintf("n=%d/%s/folds/%s", n, k.Weight, name), func(b *testing.B) {
					benchmarkFolds(b, folds, kernel)
				})
			}
		}
	}
}

func benchmarkTrain(b *testing.B, d *classify.Dataset, k stringkernel.Kernel) {
	b.SetBytes(int64(d.Corpus.Letters()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (classify.Trainer{Kernel: k}).Train(context.Background(), d); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkFolds(b *testing.B, d *classify.Dataset, k stringkernel.Kernel) {
	fold, err := d.Folds(10, 1)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(d.Corpus.Letters()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := classify.CrossValidate(context.Background(), classify.Trainer{Kernel: k}, d, fold); err != nil {
			b.Fatal(err)
		}
	}
}
