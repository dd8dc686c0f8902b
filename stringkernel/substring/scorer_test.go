package substring_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// explainByDefinition spreads the weight of every occurrence of every feature of x evenly over its positions.
func explainByDefinition(seqs [][]byte, coef []float64, x []byte, letters string,
	weight func(s string) float64) []float64 {
	total := map[string]float64{}
	for i, y := range seqs {
		for s, n := range oracle.Counts(y, letters, 0) {
			total[s] += coef[i] * n
		}
	}
	parts := make([]float64, len(x))
	for i := range x {
		for j := i + 1; j <= len(x); j++ {
			s := string(x[i:j])
			if total[s] == 0 {
				continue
			}
			for p := i; p < j; p++ {
				parts[p] += total[s] * weight(s) / float64(len(s))
			}
		}
	}
	return parts
}

// TestExplainByDefinition compares every position, for several outputs, support vectors that occur twice and letters
// that break.
func TestExplainByDefinition(t *testing.T) {
	for _, w := range weightings {
		kernel := w.kernel
		kernel.Alphabet = stringkernel.DNA
		t.Run(fmt.Sprintf("%+v", kernel), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				draw := rapid.SliceOfN(rapid.SampledFrom([]byte("AACGN")), 0, 20)
				seqs := rapid.SliceOfN(draw, 1, 5).Draw(t, "support vectors")
				seqs = append(seqs, seqs[0])
				x := rapid.OneOf(draw, rapid.Just(seqs[0])).Draw(t, "query")
				coef := [][]float64{make([]float64, len(seqs)), make([]float64, len(seqs)), make([]float64, len(seqs))}
				for i := range seqs {
					coef[0][i], coef[1][i], coef[2][i] = 1, float64(i)-1.25, math.Cos(float64(i))
				}
				c, _ := stringkernel.NewCorpus(seqs, nil)
				fitted := must.Get(stringkernel.Fit(t.Context(), kernel, c))(t)
				s := must.Get(stringkernel.Merge(t.Context(), fitted, c, coef...))(t)
				weight := func(s string) float64 { return w.weight(len(s)) }
				if kernel.Weight == substring.TFIDF {
					idf := oracle.SquaredIDF(seqs, "ACGT")
					weight = func(s string) float64 { return w.weight(len(s)) * idf(s) }
				}
				parts := make([]float64, len(x))
				for m := range coef {
					stringkernel.ExplainerOf(s).ExplainTo(parts, m, x)
					for p, want := range explainByDefinition(seqs, coef[m], x, "ACGT", weight) {
						if math.Abs(parts[p]-want) > 1e-9*(1+math.Abs(want)) {
							t.Fatalf("output %d, position %d of %q: %v, by definition %v", m, p, x, parts[p], want)
						}
					}
				}
			})
		})
	}
}

// TestOmegaOfLongSequences holds weights whose sum converges slowly to the closed form on AAA…, whose only substring of
// length l occurs n − l + 1 times: Σ_l λ^l (n − l + 1)².
func TestOmegaOfLongSequences(t *testing.T) {
	const n = 20_000
	x := []byte(strings.Repeat("A", n))
	for _, lambda := range []float64{1 - 1e-5, 0.999, 0.5, 1e-9} {
		want, power := 0.0, 1.0
		for l := 1; l <= n; l++ {
			power *= lambda
			want += power * float64(n-l+1) * float64(n-l+1)
		}
		kernel := substring.Kernel{Weight: substring.Decay, Lambda: lambda, Alphabet: stringkernel.DNA}
		for name, got := range map[string]float64{"Eval": kernel.Eval(x, x), "SelfEval": kernel.SelfEval(x)} {
			if math.Abs(got-want) > 1e-11*want {
				t.Errorf("λ = %v: %s = %v, by the closed form %v", lambda, name, got, want)
			}
		}
	}
}

// TestLargestK bounds lengths by more than any sequence has: the same as no bound.
func TestLargestK(t *testing.T) {
	x, y := []byte("GATTACAGATTACA"), []byte("TTACAGA")
	for _, pair := range [][2]substring.Kernel{
		{{Weight: substring.Bounded, K: 1 << 20}, {Weight: substring.Constant}},
		{{Weight: substring.Decay, Lambda: 0.5, K: 1 << 20}, {Weight: substring.Decay, Lambda: 0.5}},
		{{Weight: substring.Decay, Lambda: 1, K: 1 << 20}, {Weight: substring.Constant}},
		{{Weight: substring.TFIDF, K: 1 << 20}, {Weight: substring.TFIDF}},
	} {
		if err := pair[0].Check(); err != nil {
			t.Error(err)
		}
		if got, want := pair[0].Eval(x, y), pair[1].Eval(x, y); got != want {
			t.Errorf("%+v: %v, unbounded %v", pair[0], got, want)
		}
	}
	if got := (substring.Kernel{Weight: substring.Fixed, K: 1 << 20}).Eval(x, x); got != 0 {
		t.Errorf("k longer than the sequences: %v, want 0", got)
	}
}

// TestExtremeWeights normalises under the least and the greatest weights that Check admits.
func TestExtremeWeights(t *testing.T) {
	x, y := []byte("GATTACAGATTACA"), []byte("TTACAGA")
	want := compose.Normalized(substring.Kernel{Weight: substring.Fixed, K: 1}).Eval(x, y)
	for _, w := range []float64{1e-100, 1e-50, 1e50, 1e100} {
		kernel := compose.Normalized(substring.Kernel{Weight: substring.Length, Weights: []float64{w}})
		must.Succeed(t, kernel.Check())
		if got := kernel.Eval(x, y); math.Abs(got-want) > 1e-14 {
			t.Errorf("weight %v: normalised value %v, want %v", w, got, want)
		}
	}
}
