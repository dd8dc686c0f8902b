package metrics

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestEvaluateLabelsGolden: f1_score, precision_score, recall_score, hamming_loss and accuracy_score of scikit-learn 1.2.1 on the same sets, as
// MultiLabelBinarizer codes them.
func TestEvaluateLabelsGolden(t *testing.T) {
	truth := [][]int{{0}, {0, 1}, {2}, {1, 2}, {0, 1, 2}, {1}}
	predicted := [][]int{{0}, {0}, {1, 2}, {1, 2}, {0, 2}, {}}
	scores := [][]float64{{2, 1, -1, -2, 0.5, -3}, {-1, -0.5, 0.2, 1, -0.3, -0.1}, {-1, -2, 1, 2, 0.1, -0.9}}
	r, err := EvaluateLabels([]string{"a", "b", "c"}, truth, predicted, scores)
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]float64{
		"f1_micro":        {float64(r.F1Micro), 0.7777777777777777},
		"f1_macro":        {float64(r.F1Macro), 0.7777777777777777},
		"precision_micro": {float64(r.PrecisionMicro), 0.875},
		"recall_micro":    {float64(r.RecallMicro), 0.7},
		"hamming_loss":    {float64(r.HammingLoss), 0.2222222222222222},
		"subset_accuracy": {float64(r.SubsetAccuracy), 0.3333333333333333},
		"breakeven_macro": {float64(r.BreakEvenMacro), (1 + 0.75 + 1) / 3}, // numpy: the share of true ones among the most highly ranked
		"breakeven_micro": {float64(r.BreakEvenMicro), 0.9},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s = %v, want %v", name, pair[0], pair[1])
		}
	}
}

// TestLabelMetricsByDefinition counts pairs one by one, where scores are whole numbers that tie often.
func TestLabelMetricsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 8).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "k")
		truth, predicted, scores := make([][]int, n), make([][]int, n), make([][]float64, k)
		both, wrong, pairs, exact := 0, 0, 0, 0
		for c := range scores {
			scores[c] = make([]float64, n)
		}
		for i := range n {
			same := true
			for c := range k {
				a, b := rapid.Bool().Draw(t, "true"), rapid.Bool().Draw(t, "predicted")
				scores[c][i] = float64(rapid.IntRange(0, 3).Draw(t, "score"))
				if a {
					truth[i] = append(truth[i], c)
					pairs++
				}
				if b {
					predicted[i] = append(predicted[i], c)
				}
				if a && b {
					both++
				}
				if a != b {
					wrong, same = wrong+1, false
				}
			}
			if same {
				exact++
			}
		}
		r, err := EvaluateLabels(make([]string, k), truth, predicted, scores)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(r.HammingLoss)-float64(wrong)/float64(n*k)) > 1e-12 || math.Abs(float64(r.SubsetAccuracy)-float64(exact)/float64(n)) > 1e-12 {
			t.Fatalf("hamming loss %v, subset accuracy %v, counted %d of %d and %d of %d", r.HammingLoss, r.SubsetAccuracy, wrong, n*k, exact, n)
		}
		if want := float64(both) / float64(pairs); pairs > 0 && math.Abs(float64(r.RecallMicro)-want) > 1e-12 {
			t.Fatalf("recall %v, want %v", r.RecallMicro, want)
		}
		if pairs == 0 && r.BreakEvenMicro.Defined() || pairs > 0 && !(r.BreakEvenMicro >= 0 && r.BreakEvenMicro <= 1) {
			t.Fatalf("break-even point %v of %d true pairs", r.BreakEvenMicro, pairs)
		}
	})
}

func TestPrecisionAtTruthSharesTies(t *testing.T) {
	if got := precisionAtTruth([]ranked{{3, true}, {1, true}, {1, false}, {1, false}, {0, false}}); math.Abs(got-(1+1.0/3)/2) > 1e-12 {
		t.Errorf("%v, want one and a third of two", got)
	}
}

func TestEvaluateLabelsErrors(t *testing.T) {
	for want, call := range map[string]func() (LabelReport, error){
		"predictions for 0 of 1": func() (LabelReport, error) { return EvaluateLabels([]string{"a"}, [][]int{{0}}, nil, nil) },
		"class index 1":          func() (LabelReport, error) { return EvaluateLabels([]string{"a"}, [][]int{{1}}, [][]int{{}}, nil) },
		"occurs twice":           func() (LabelReport, error) { return EvaluateLabels([]string{"a"}, [][]int{{0}}, [][]int{{0, 0}}, nil) },
		"scores of 0 classes": func() (LabelReport, error) {
			return EvaluateLabels([]string{"a"}, [][]int{{0}}, [][]int{{0}}, [][]float64{})
		},
		"0 scores of class 0": func() (LabelReport, error) {
			return EvaluateLabels([]string{"a"}, [][]int{{0}}, [][]int{{0}}, [][]float64{{}})
		},
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
