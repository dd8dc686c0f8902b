package classify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// topics draws n texts, each of one to three of some labels. A text has words of each of its labels, which are as
// telling as own says, and words of none.
func topics(t *testing.T, seed uint64, n int, weights []float64, own float64) *dataset.Dataset {
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
	return must.Get(dataset.NewMultilabel(b.Corpus(), labels, nil))(t)
}

// TestThresholdsByLabel: on labels of few records the micro-averaged F1 under ThresholdsFBR is greater than by the
// other rules, and on labels of many not much less.
func TestThresholdsByLabel(t *testing.T) {
	few := make([]float64, 60)
	for k := range few {
		few[k] = 1 + float64(k%5)
	}
	for name, weights := range map[string][]float64{"few": few, "many": slices.Repeat([]float64{1}, 10)} {
		d := topics(t, 1, 200, weights, 0.4)
		fold := must.Get(d.Folds(3, 1))(t)
		f1 := map[string]float64{}
		for _, thresholds := range threshold.Names() {
			kernel := compose.Normalized(bow.Kernel{TFIDF: true})
			tr := classify.Trainer{Kernel: kernel, Thresholds: thresholds, Tol: 1e-2}
			o := must.Get(classify.CrossValidate(t.Context(), tr, d, fold))(t)
			r := must.Get(measure.Predictions(d, classify.Indices(d.Len()), o.Predictions))(t)
			f1[thresholds] = r.Value("f1_micro")
		}
		t.Logf("%s: %v", name, f1)
		best := max(f1[threshold.SCut], f1[threshold.Zero])
		if ratio := f1[threshold.FBR] / best; ratio < 0.95 || name == "few" && ratio < 1.2 {
			t.Errorf("%s: micro-averaged F1 %v", name, f1)
		}
	}
}
