package metrics_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

func TestReportJSON(t *testing.T) {
	report := must.Get(metrics.Evaluate([]string{"-1", "+1"}, []int{1, 0, 1, 0}, []int{1, 1, 1, 0},
		[][]float64{{.9, .8, .7, .6}}, 1))(t)
	text := must.Get(json.Marshal(report))(t)
	// By hand: TP 2, FP 1, FN 0, TN 1; F1 4/5 and 2/3; MCC (2·1−1·0)/√(3·2·2·1).
	want := `{"n":4,"accuracy":0.75,"balanced_accuracy":0.75,"auroc":0.75,"auprc":0.8333333333333333,` +
		`"f1_macro":0.7333333333333334,"f1_micro":0.75,"mcc":0.5773502691896258,` +
		`"classes":["-1","+1"],"confusion":[[1,1],[0,2]],` +
		`"per_class":[{"class":"-1","n":2,"precision":1,"recall":0.5,"f1":0.6666666666666666},` +
		`{"class":"+1","n":2,"precision":0.6666666666666666,"recall":1,"f1":0.8}]}`
	if string(text) != want {
		t.Errorf("JSON %s\nwant %s", text, want)
	}
}

// Undefined metrics are null in JSON.
func TestUndefinedIsNull(t *testing.T) {
	report := must.Get(metrics.Evaluate([]string{"a", "b"}, nil, nil, nil, 0))(t)
	text, err := json.Marshal(report)
	want := `{"n":0,"accuracy":null,"balanced_accuracy":null,"auroc":null,"auprc":null,` +
		`"f1_macro":null,"f1_micro":null,"mcc":null,"classes":["a","b"],"confusion":[[0,0],[0,0]],` +
		`"per_class":[{"class":"a","n":0,"precision":null,"recall":null,"f1":null},` +
		`{"class":"b","n":0,"precision":null,"recall":null,"f1":null}]}`
	if err != nil || string(text) != want {
		t.Errorf("JSON %s (%v), want %s", text, err, want)
	}
	one := must.Get(metrics.Evaluate([]string{"only"}, []int{0, 0}, []int{0, 0}, [][]float64{{1, 2}}, 0))(t)
	if !math.IsNaN(one.Value("auroc")) || !math.IsNaN(one.Value("mcc")) || one.Value("accuracy") != 1 ||
		one.Value("auprc") != 1 {
		t.Errorf("one class: %+v", one.Scalars)
	}
	none, err := metrics.Evaluate(nil, nil, nil, nil, 0)
	if text, err2 := json.Marshal(none); err != nil || err2 != nil ||
		!strings.HasSuffix(string(text), `"classes":[],"confusion":[],"per_class":[]}`) {
		t.Errorf("no classes: %s, %v, %v", text, err, err2)
	}
}

// The names are the keys of the JSON, in order, and values belong to names, whatever is added.
func TestScalars(t *testing.T) {
	report := must.Get(metrics.Evaluate([]string{"a/x", "b<y"}, []int{0, 1}, []int{0, 1}, nil, 1))(t)
	if !slices.Equal(report.Names, metrics.ClassMetrics()) || len(report.Values) != len(report.Names) {
		t.Fatalf("metrics %q with values %v, want %q", report.Names, report.Values, metrics.ClassMetrics())
	}
	before := report
	must.Succeed(t, report.AddProbabilities([][]float64{{0.5, 0.75}, {0.5, 0.25}}, []int{0, 1}))
	must.Succeed(t, report.AddLevels("/", []int{0, 1}, []int{0, 1}))
	if want := append(metrics.ClassMetrics(), "log_loss", "brier", "reliability", "accuracy_level_1",
		"accuracy_level_2"); !slices.Equal(report.Names, want) {
		t.Errorf("metrics %q, want %q", report.Names, want)
	}
	for m := range report.Values {
		report.Values[m] = metrics.Float(m + 1)
		if got := report.Value(report.Names[m]); got != float64(m+1) {
			t.Errorf("%s is %v, want %d", report.Names[m], got, m+1)
		}
	}
	if before.Value("accuracy") != 1 || len(before.Values) != 7 {
		t.Errorf("what was copied before became %v", before.Scalars)
	}
	if v := report.Value("loss"); !math.IsNaN(v) {
		t.Errorf("a metric that is not there is %v, want NaN", v)
	}
	text, err := report.MarshalJSON()
	want := `{"n":2,"accuracy":1,"balanced_accuracy":2,"auroc":3,"auprc":4,"f1_macro":5,"f1_micro":6,"mcc":7,"log_loss":8,` +
		`"brier":9,"reliability":10,` +
		`"classes":["a/x","b<y"],"confusion":[[1,0],[0,1]],` +
		`"per_class":[{"class":"a/x","n":1,"precision":1,"recall":1,"f1":1},` +
		`{"class":"b<y","n":1,"precision":1,"recall":1,"f1":1}],"accuracy_by_level":[11,12]}`
	if got := strings.ReplaceAll(string(text), "\n", ""); err != nil || got != want {
		t.Errorf("JSON %s (%v)\nwant %s", got, err, want)
	}
	whole, levels := report.Split()
	if !slices.Equal(levels.Values, []metrics.Float{11, 12}) || !slices.Equal(whole.Names, report.Names[:10]) ||
		!slices.Equal(whole.Values, report.Values[:10]) {
		t.Errorf("split into %v and %v", whole, levels)
	}
	if text, err := json.Marshal(metrics.Scalars{}); err != nil || string(text) != "{}" {
		t.Errorf("JSON of the zero value %s (%v)", text, err)
	}
}

func TestEvaluateScoresLayout(t *testing.T) {
	classes, truth := []string{"a", "b"}, []int{0, 0, 1}
	up := []float64{1, 2, 3} // speaks for b
	down := []float64{3, 2, 1}
	for _, c := range []struct {
		scores   [][]float64
		positive int
		want     float64
	}{
		{[][]float64{up}, 1, 1},
		{[][]float64{up}, 0, 0},
		{[][]float64{down, up}, 1, 1},
		{[][]float64{down, up}, 0, 1},
		{[][]float64{up, down}, 0, 0},
	} {
		report, err := metrics.Evaluate(classes, truth, truth, c.scores, c.positive)
		if err != nil || report.Value("auroc") != c.want {
			t.Errorf("scores %v, positive %d: AUROC %v (%v), want %v", c.scores, c.positive,
				report.Value("auroc"), err, c.want)
		}
	}
	// A class that does not occur has no area; the mean passes over it.
	three, err := metrics.Evaluate([]string{"a", "b", "c"}, truth, truth, [][]float64{down, up, {0, 0, 0}}, 0)
	if err != nil || three.Value("auroc") != 1 || three.Value("auprc") != 1 {
		t.Errorf("absent class: %+v (%v), want areas 1, 1", three, err)
	}
}

func TestEvaluateErrors(t *testing.T) {
	ab, abc := []string{"a", "b"}, []string{"a", "b", "c"}
	nan := math.NaN()
	for _, c := range []struct {
		classes          []string
		truth, predicted []int
		scores           [][]float64
		positive         int
		want             string
	}{
		{ab, []int{0}, nil, nil, 1, "metrics: confusion: 0 predictions for 1 labels, want equal numbers"},
		{ab, []int{2}, []int{0}, nil, 1, "true class 2"},
		{ab, nil, nil, nil, 2, "metrics: positive class 2 of two, want 0 or 1"},
		{ab, nil, nil, [][]float64{}, 1, "metrics: 0 rows of scores for two classes, want 1 or 2"},
		{ab, nil, nil, [][]float64{{}, {}, {}}, 1, "3 rows of scores"},
		{ab, []int{0}, []int{0}, [][]float64{{}}, 1, "metrics: class 1: 0 scores for 1 labels"},
		{ab, []int{0}, []int{0}, [][]float64{{nan}}, 1, "metrics: class 1: score 0 is NaN"},
		{abc, []int{0}, []int{0}, [][]float64{{1}}, 0, "metrics: 1 rows of scores for 3 classes"},
		{abc, []int{0}, []int{0}, [][]float64{{1}, {nan}, {1}}, 0, "metrics: class 1: score 0 is NaN"},
		{[]string{"a", "a"}, nil, nil, nil, 0, `duplicate class "a"`},
	} {
		_, err := metrics.Evaluate(c.classes, c.truth, c.predicted, c.scores, c.positive)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

func TestMeanSD(t *testing.T) {
	nan := metrics.Float(math.NaN())
	names := []string{"accuracy", "auroc", "auprc", "f1_macro", "mcc"}
	reports := []metrics.Report{
		{Scalars: metrics.Scalars{Names: names, Values: []metrics.Float{2, nan, 1, nan, 0}}},
		{Scalars: metrics.Scalars{Names: names, Values: []metrics.Float{4, nan, nan, 0.25, 0}}},
		{Scalars: metrics.Scalars{Names: names, Values: []metrics.Float{9, nan, 3, nan, 0}}},
	}
	mean, sd := metrics.MeanSD(reports)
	// By hand: 2, 4, 9 have mean 5 and Σ(x−5)² = 9+1+16 = 26, over 2 is 13.
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean of all", mean.Value("accuracy"), 5},
		{"sd of all", sd.Value("accuracy"), math.Sqrt(13)},
		{"mean of none", mean.Value("auroc"), math.NaN()},
		{"sd of none", sd.Value("auroc"), math.NaN()},
		{"mean of two", mean.Value("auprc"), 2},
		{"sd of two", sd.Value("auprc"), math.Sqrt2},
		{"mean of one", mean.Value("f1_macro"), 0.25},
		{"sd of one", sd.Value("f1_macro"), math.NaN()},
		{"mean of equal", mean.Value("mcc"), 0},
		{"sd of equal", sd.Value("mcc"), 0},
	} {
		if !same(c.got, c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	mean, sd = metrics.MeanSD(nil)
	for _, name := range metrics.ClassMetrics() {
		if !math.IsNaN(mean.Value(name)) || !math.IsNaN(sd.Value(name)) {
			t.Errorf("%s of no reports: %v ± %v, want NaN", name, mean.Value(name), sd.Value(name))
		}
	}
}
