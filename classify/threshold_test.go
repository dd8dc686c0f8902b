package classify_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestTrainedThreshold: a threshold changes classes, and neither scores nor probabilities.
func TestTrainedThreshold(t *testing.T) {
	d := classify.ToyData(120, 2)
	folds := must.Get(d.Folds(4, 1))(t)
	plain := classify.Trainer{Kernel: classify.ToyKernel{}, Probability: true, Seed: 1}
	before := must.Get(plain.Train(t.Context(), d))(t)
	for _, threshold := range []string{threshold.Youden, threshold.F1, threshold.FDR + "0.2", "-0.25"} {
		with := plain
		with.Threshold = threshold
		m := must.Get(with.Train(t.Context(), d))(t)
		at := m.Machines[0].Threshold
		if m.Criterion != threshold || threshold == "-0.25" && at != -0.25 || m.Machines[0].Rho != before.Machines[0].Rho ||
			*m.Machines[0].Sigmoid != *before.Machines[0].Sigmoid {
			t.Errorf("%s: %+v, %q", threshold, m.Machines[0], m.Criterion)
		}
		for _, score := range []float64{at, math.Nextafter(at, math.Inf(1))} {
			if want, got := score > at, m.Combine([]float64{score + m.Machines[0].Rho}); m.Machines[0].Rho == 0 &&
				(got.Class == m.Positive) != want {
				t.Errorf("%s = %v: class %d of score %v", threshold, at, got.Class, score)
			}
		}
		out := must.Get(classify.CrossValidate(t.Context(), with, d, folds))(t)
		for i, p := range out.Predictions {
			r := out.Rules[out.Fold[i]]
			if (p.Class == d.Positive) != (p.Scores[0] > r.Machines[0].Threshold) || r.Criterion != threshold {
				t.Fatalf("%s: record %d of fold %d is of class %d by %v, threshold %v", threshold, i, out.Fold[i], p.Class,
					p.Scores[0], r.Machines[0].Threshold)
			}
		}
		if threshold != "-0.25" && slices.IndexFunc(out.Rules, func(r decide.Rule) bool {
			return r.Machines[0].Threshold != out.Rules[0].Machines[0].Threshold
		}) < 0 {
			t.Errorf("%s: the thresholds of all folds are %v", threshold, out.Rules[0].Machines[0].Threshold)
		}
	}
	for _, wrong := range []string{"best", "fdr=0", "fdr=1", "fdr=", "fdr", "NaN", "1e300"} {
		with := plain
		if with.Threshold = wrong; with.CheckOptions() == nil {
			t.Errorf("threshold %q is accepted", wrong)
		}
	}
	several := classify.Trainer{Kernel: classify.ToyKernel{}, Threshold: threshold.F1}
	if err := several.CheckLabels(dataset.ManyClasses); err == nil || !strings.Contains(err.Error(), "two classes") {
		t.Errorf("three classes: %v", err)
	}
}
