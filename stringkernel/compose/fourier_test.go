package compose_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

var triples = normalized(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA})

// TestFourierInTheLimit: values are those of the Gaussian but for the deviation that theory says.
func TestFourierInTheLimit(t *testing.T) {
	c := randomDNA(t, 40, 30)
	for _, inner := range []stringkernel.Kernel{
		triples, normalized(gapped.Kernel{L: 4, K: 2, D: 2, Filter: gapped.Plain, Alphabet: stringkernel.DNA}),
	} {
		for _, gamma := range []float64{0.05, 0.5, 4} {
			exact := matrixOf(t, compose.RBF(inner, gamma), c)
			for _, features := range []int{100, 1 << 14} {
				got := matrixOf(t, compose.Fourier{Kernel: inner, Gamma: gamma, Features: features, Seed: 3}, c)
				squares, pairs := 0.0, 0.0
				for i := range c.Len() {
					for j := range i {
						k := exact.At(i, j)
						z := (got.At(i, j) - k) / (1 - k*k) * math.Sqrt(float64(features))
						if squares, pairs = squares+z*z, pairs+1; math.Abs(z) > 6 {
							t.Errorf("γ %v, %d features: %v, want %v", gamma, features, got.At(i, j), k)
						}
					}
					if math.Abs(got.At(i, i)-exact.At(i, i)) > 1e-12 {
						t.Errorf("γ %v: %v with itself, want %v", gamma, got.At(i, i), exact.At(i, i))
					}
				}
				// errors of pairs depend on each other, so that their mean square strays from 1
				if rms := math.Sqrt(squares / pairs); rms < 0.5 || rms > 2 {
					t.Errorf("γ %v, %d features: errors are %v times what is expected", gamma, features, rms)
				}
			}
		}
	}
}

func TestFourierConforms(t *testing.T) {
	opt := kerneltest.Options{Letters: "ACGT", Breaks: "N", Tolerance: 1e-9}
	for name, k := range map[string]stringkernel.Kernel{
		"of k-mers":       compose.Fourier{Kernel: triples, Gamma: 0.5, Features: 30},
		"of two features": compose.Fourier{Kernel: triples, Gamma: 2, Features: 2},
		"not normalised": compose.Fourier{
			Kernel: spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, Gamma: 0.01, Features: 10,
		},
		"of both strands": compose.Fourier{Kernel: normalized(compose.OnBothStrands(
			spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, stringkernel.DNA)), Gamma: 1, Features: 12},
		"in a mean":       compose.Mean([]stringkernel.Kernel{triples, fourier(6)}, nil),
		"by some records": compose.LowRank{Kernel: fourier(6), Rank: 3},
	} {
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, k, opt) })
	}
	words := normalized(bow.Kernel{NGram: "1", TFIDF: true})
	t.Run("depends on data", func(t *testing.T) {
		kerneltest.Run(t, compose.Fourier{Kernel: words, Gamma: 1, Features: 8},
			kerneltest.Options{Letters: "ab ", Tolerance: 1e-9})
	})
}

func fourier(features int) compose.Fourier {
	return compose.Fourier{Kernel: triples, Gamma: 1, Features: features}
}

// TestFourierThreads: the same bits on one processor and on several, of many records and of one.
func TestFourierThreads(t *testing.T) {
	c := randomDNA(t, 300, 40)
	k := fourier(200)
	all := sameOnThreads(t, func() []float64 { return matrixOf(t, k, c).RawMatrix().Data })
	if got := k.Eval(c.Seq(3), c.Seq(5)); got != all[3*c.Len()+5] {
		t.Errorf("%v of two records, %v in the matrix", got, all[3*c.Len()+5])
	}
}

func TestFourierErrors(t *testing.T) {
	for _, k := range []compose.Fourier{
		{Kernel: triples, Gamma: 1}, {Kernel: triples, Gamma: 1, Features: 3}, {Kernel: triples, Features: 2},
		{Gamma: 1, Features: 2}, {Kernel: triples, Gamma: 1, Features: 2 * compose.MaxFeatures},
		{Kernel: gaussian(1), Gamma: 1, Features: 2},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), "fourier") {
			t.Errorf("%+v: error %v", k, err)
		}
	}
	before := memory.SetLimit(20_000)
	defer memory.SetLimit(before)
	var much *memory.Error
	if _, err := fourier(100).Gram(t.Context(), randomDNA(t, 100, 20)); !errors.As(err, &much) {
		t.Errorf("error %v, want one about memory", err)
	}
}
