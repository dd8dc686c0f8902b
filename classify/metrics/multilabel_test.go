package metrics_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestEvaluateLabelsGolden: f1_score, precision_score, recall_score, hamming_loss and accuracy_score of scikit-learn
// 1.2.1 on the same sets, as MultiLabelBinarizer codes them.
func TestEvaluateLabelsGolden(t *testing.T) {
	truth := [][]int{{0}, {0, 1}, {2}, {1, 2}, {0, 1, 2}, {1}}
	predicted := [][]int{{0}, {0}, {1, 2}, {1, 2}, {0, 2}, {}}
	scores := [][]float64{{2, 1, -1, -2, 0.5, -3}, {-1, -0.5, 0.2, 1, -0.3, -0.1}, {-1, -2, 1, 2, 0.1, -0.9}}
	r := must.Get(metrics.EvaluateLabels([]string{"a", "b", "c"}, truth, predicted, scores))(t)
	for name, pair := range map[string][2]float64{
		"f1_micro":        {r.Value("f1_micro"), 0.7777777777777777},
		"f1_macro":        {r.Value("f1_macro"), 0.7777777777777777},
		"precision_micro": {r.Value("precision_micro"), 0.875},
		"recall_micro":    {r.Value("recall_micro"), 0.7},
		"hamming_loss":    {r.Value("hamming_loss"), 0.2222222222222222},
		"subset_accuracy": {r.Value("subset_accuracy"), 0.3333333333333333},
		// numpy: the share of true ones among the most highly ranked
		"breakeven_macro": {r.Value("breakeven_macro"), (1 + 0.75 + 1) / 3},
		"breakeven_micro": {r.Value("breakeven_micro"), 0.9},
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
		r := must.Get(metrics.EvaluateLabels(make([]string, k), truth, predicted, scores))(t)
		if math.Abs(r.Value("hamming_loss")-float64(wrong)/float64(n*k)) > 1e-12 ||
			math.Abs(r.Value("subset_accuracy")-float64(exact)/float64(n)) > 1e-12 {
			t.Fatalf("hamming loss %v, subset accuracy %v, counted %d of %d and %d of %d", r.Value("hamming_loss"),
				r.Value("subset_accuracy"), wrong, n*k, exact, n)
		}
		if want := float64(both) / float64(pairs); pairs > 0 && math.Abs(r.Value("recall_micro")-want) > 1e-12 {
			t.Fatalf("recall %v, want %v", r.Value("recall_micro"), want)
		}
		var all []ranked
		macro, classes := 0.0, 0
		for c := range k {
			var one []ranked
			tp, given, actual := 0.0, 0.0, 0.0
			for i := range n {
				isTrue, isGiven := slices.Contains(truth[i], c), slices.Contains(predicted[i], c)
				one = append(one, ranked{scores[c][i], isTrue})
				if isTrue {
					actual++
				}
				if isGiven {
					given++
				}
				if isTrue && isGiven {
					tp++
				}
			}
			sameFloat(t, "break-even point of a class", float64(r.Labels[c].BreakEven), breakEvenByRank(one))
			sameFloat(t, "F1 of a class", float64(r.Labels[c].F1), 2*tp/(given+actual))
			if given+actual > 0 {
				macro, classes = macro+2*tp/(given+actual), classes+1
			}
			all = append(all, one...)
		}
		sameFloat(t, "macro F1", r.Value("f1_macro"), macro/float64(classes))
		sameFloat(t, "break-even point", r.Value("breakeven_micro"), breakEvenByRank(all))
	})
}

// ranked is a pair of record and class.
type ranked struct {
	score float64
	truth bool
}

// breakEvenByRank is the precision of the P pairs of greatest score, of which P are true, by the definition: a pair
// above the score of rank P counts in full, one with that score by the chance to be among the P if equal ones are drawn
// in any order.
func breakEvenByRank(pairs []ranked) float64 {
	total := 0
	for _, p := range pairs {
		if p.truth {
			total++
		}
	}
	found := 0.0
	for _, p := range pairs {
		above, level := 0, 0
		for _, q := range pairs {
			if q.score > p.score {
				above++
			}
			if q.score == p.score {
				level++
			}
		}
		if p.truth {
			found += min(1, max(0, float64(total-above)/float64(level)))
		}
	}
	return found / float64(total)
}

func sameFloat(t *rapid.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Fatalf("%s %v, want %v", what, got, want)
	}
}

func TestEvaluateLabelsErrors(t *testing.T) {
	for _, c := range []struct {
		want             string
		truth, predicted [][]int
		scores           [][]float64
	}{
		{"class 0: score 1 is NaN", [][]int{{0}, {0}}, [][]int{{0}, {0}}, [][]float64{{1, math.NaN()}}},
		{"0 predictions for 1", [][]int{{0}}, nil, nil}, {"class index 1", [][]int{{1}}, [][]int{{}}, nil},
		{"duplicate class index", [][]int{{0}}, [][]int{{0, 0}}, nil},
		{"scores of 0 classes", [][]int{{0}}, [][]int{{0}}, [][]float64{}},
		{"class 0: 0 scores", [][]int{{0}}, [][]int{{0}}, [][]float64{{}}},
	} {
		_, err := metrics.EvaluateLabels([]string{"a"}, c.truth, c.predicted, c.scores)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
