package classify_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// topics draws n texts, each of one to three of some labels. A text has words of each of its labels, which are as
// telling as own says, and words of none.
func topics(t *testing.T, seed uint64, n int, weights []float64, own float64) *classify.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	total := 0.0
	for _, w := range weights {
		total += w
	}
	var b stringkernel.CorpusBuilder
	labels := make([][]string, n)
	for i := range labels {
		var text strings.Builder
		for range 1 + rng.IntN(3) {
			at, k := rng.Float64()*total, 0
			for ; k < len(weights)-1 && at >= weights[k]; k++ {
				at -= weights[k]
			}
			labels[i] = append(labels[i], fmt.Sprintf("topic%d", k))
			for word := range 4 {
				if rng.Float64() < own {
					fmt.Fprintf(&text, "own%dof%d ", word, k)
				}
			}
		}
		for range 12 {
			fmt.Fprintf(&text, "any%d ", rng.IntN(150))
		}
		b.Add(fmt.Sprint(i), []byte(text.String()))
	}
	d, err := classify.NewMultilabelDataset(b.Corpus(), labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestThresholdsByLabel: on labels of 1 to 5 records and of many, the micro-averaged F1 under ThresholdsFBR is that of
// the best of the three rules, or at most 0.005 less, in the mean over data sets.
func TestThresholdsByLabel(t *testing.T) {
	if testing.Short() {
		t.Skip("it trains thousands of machines")
	}
	const sets = 2
	rare, many, mixed := make([]float64, 60), make([]float64, 10), make([]float64, 0, 50)
	for k := range rare {
		rare[k] = 1 + float64(k%5)
	}
	for k := range many {
		many[k] = 1
	}
	mixed = append(append(mixed, rare[:40]...), 30, 40, 50, 60, 30, 40, 50, 60, 70, 80)
	for name, c := range map[string]struct {
		n       int
		weights []float64
		own     float64
	}{
		"1 to 5 records":        {90, rare, 0.4},
		"many, telling words":   {300, many, 0.9},
		"few and many, telling": {300, mixed, 0.9},
	} {
		f1 := map[string]float64{}
		for seed := range uint64(sets) {
			d := topics(t, seed, c.n, c.weights, c.own)
			fold, err := d.Folds(3, seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, thresholds := range classify.ThresholdNames() {
				o, err := classify.CrossValidate(t.Context(), classify.Trainer{
					Kernel: compose.Normalized{Kernel: bow.Kernel{TFIDF: true}}, Thresholds: thresholds, Tol: 1e-2,
				}, d, fold)
				if err != nil {
					t.Fatal(err)
				}
				all := make([]int, d.Len())
				for i := range all {
					all[i] = i
				}
				r, err := d.Measure(all, o.Predictions)
				if err != nil {
					t.Fatal(err)
				}
				f1[thresholds] += float64(r.Value("f1_micro")) / sets
			}
		}
		t.Logf("%s: %v", name, f1)
		if best := max(f1[classify.ThresholdsSCut],
			f1[classify.ThresholdsZero]); f1[classify.ThresholdsFBR] < best-0.005 {
			t.Errorf("%s: micro-averaged F1 %.4f, want at least %.4f", name, f1[classify.ThresholdsFBR], best-0.005)
		}
	}
}
