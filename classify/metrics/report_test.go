package metrics

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestReportJSON(t *testing.T) {
	report, err := Evaluate([]string{"-1", "+1"}, []int{1, 0, 1, 0}, []int{1, 1, 1, 0}, [][]float64{{.9, .8, .7, .6}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	// By hand: TP 2, FP 1, FN 0, TN 1; F1 4/5 and 2/3; MCC (2·1−1·0)/√(3·2·2·1).
	want := `{"n":4,"accuracy":0.75,"balanced_accuracy":0.75,"auroc":0.75,"auprc":0.8333333333333333,` +
		`"f1_macro":0.7333333333333334,"f1_micro":0.75,"mcc":0.5773502691896258,` +
		`"classes":["-1","+1"],"confusion":[[1,1],[0,2]]}`
	if string(text) != want {
		t.Errorf("JSON %s\nwant %s", text, want)
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, report) {
		t.Errorf("read back %+v (%v), want %+v", back, err, report)
	}
}

// Undefined metrics are null in JSON and NaN after reading it.
func TestUndefinedIsNull(t *testing.T) {
	report, err := Evaluate([]string{"a", "b"}, nil, nil, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	want := `{"n":0,"accuracy":null,"balanced_accuracy":null,"auroc":null,"auprc":null,` +
		`"f1_macro":null,"f1_micro":null,"mcc":null,"classes":["a","b"],"confusion":[[0,0],[0,0]]}`
	if err != nil || string(text) != want {
		t.Errorf("JSON %s (%v), want %s", text, err, want)
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	for m, v := range back.Values() {
		if !math.IsNaN(v) {
			t.Errorf("%s read back as %v, want NaN", ScalarNames()[m], v)
		}
	}

	one, err := Evaluate([]string{"only"}, []int{0, 0}, []int{0, 0}, [][]float64{{1, 2}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if one.AUROC.Defined() || one.MCC.Defined() || one.Accuracy != 1 || one.AUPRC != 1 {
		t.Errorf("one class: %+v", one.Scalars)
	}
	none, err := Evaluate(nil, nil, nil, nil, 0)
	if text, err2 := json.Marshal(none); err != nil || err2 != nil || !strings.HasSuffix(string(text), `"classes":[],"confusion":[]}`) {
		t.Errorf("no classes: %s, %v, %v", text, err, err2)
	}
}

// The names agree with the JSON tags, in order.
func TestScalarNames(t *testing.T) {
	kind := reflect.TypeFor[Scalars]()
	if kind.NumField() != len(ScalarNames()) {
		t.Fatalf("%d fields, %d names", kind.NumField(), len(ScalarNames()))
	}
	var s Scalars
	for i, name := range ScalarNames() {
		if tag := kind.Field(i).Tag.Get("json"); tag != name {
			t.Errorf("field %d has tag %q, name %q", i, tag, name)
		}
		reflect.ValueOf(&s).Elem().Field(i).SetFloat(float64(i + 1))
		if got := s.Values()[i]; got != float64(i+1) {
			t.Errorf("value %d is %v, want %d", i, got, i+1)
		}
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
		report, err := Evaluate(classes, truth, truth, c.scores, c.positive)
		if err != nil || float64(report.AUROC) != c.want {
			t.Errorf("scores %v, positive %d: AUROC %v (%v), want %v", c.scores, c.positive, report.AUROC, err, c.want)
		}
	}
	// A class that does not occur has no area; the mean passes over it.
	three, err := Evaluate([]string{"a", "b", "c"}, truth, truth, [][]float64{down, up, {0, 0, 0}}, 0)
	if err != nil || three.AUROC != 1 || three.AUPRC != 1 {
		t.Errorf("absent class: AUROC %v, AUPRC %v (%v), want 1, 1", three.AUROC, three.AUPRC, err)
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
		{ab, []int{0}, []int{0}, [][]float64{{}}, 1, "metrics: 0 scores for 1 labels"},
		{ab, []int{0}, []int{0}, [][]float64{{nan}}, 1, "metrics: score 0 is NaN"},
		{abc, []int{0}, []int{0}, [][]float64{{1}}, 0, "metrics: 1 rows of scores for 3 classes"},
		{abc, []int{0}, []int{0}, [][]float64{{1}, {nan}, {1}}, 0, "metrics: class 1: score 0 is NaN"},
		{[]string{"a", "a"}, nil, nil, nil, 0, `class "a" is named twice`},
	} {
		_, err := Evaluate(c.classes, c.truth, c.predicted, c.scores, c.positive)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

func TestFloatJSON(t *testing.T) {
	for _, text := range []string{"null", "0", "0.1", "1", "-0.30000000000000004", "5e-324"} {
		var f Float
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatal(err)
		}
		if back, err := json.Marshal(f); err != nil || string(back) != text {
			t.Errorf("%s became %s (%v)", text, back, err)
		}
	}
	var f Float
	for _, bad := range []string{`"x"`, `{}`, `1e999`, `true`} {
		if err := json.Unmarshal([]byte(bad), &f); err == nil {
			t.Errorf("%s was read as %v", bad, f)
		}
	}
	if text, err := json.Marshal(Float(math.Inf(1))); err == nil {
		t.Errorf("+Inf became %s", text)
	}
}

func TestMeanSD(t *testing.T) {
	nan := Float(math.NaN())
	reports := []Report{
		{Scalars: Scalars{Accuracy: 2, AUROC: nan, AUPRC: 1, F1Macro: nan}},
		{Scalars: Scalars{Accuracy: 4, AUROC: nan, AUPRC: nan, F1Macro: 0.25}},
		{Scalars: Scalars{Accuracy: 9, AUROC: nan, AUPRC: 3, F1Macro: nan}},
	}
	mean, sd := MeanSD(reports)
	// By hand: 2, 4, 9 have mean 5 and Σ(x−5)² = 9+1+16 = 26, over 2 is 13.
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean of all", float64(mean.Accuracy), 5},
		{"sd of all", float64(sd.Accuracy), math.Sqrt(13)},
		{"mean of none", float64(mean.AUROC), math.NaN()},
		{"sd of none", float64(sd.AUROC), math.NaN()},
		{"mean of two", float64(mean.AUPRC), 2},
		{"sd of two", float64(sd.AUPRC), math.Sqrt2},
		{"mean of one", float64(mean.F1Macro), 0.25},
		{"sd of one", float64(sd.F1Macro), math.NaN()},
		{"mean of equal", float64(mean.MCC), 0},
		{"sd of equal", float64(sd.MCC), 0},
	} {
		if !same(c.got, c.want) {
			t.Errorf("%s = %v, want %v", c.name, c.got, c.want)
		}
	}
	mean, sd = MeanSD(nil)
	for m, name := range ScalarNames() {
		if !math.IsNaN(mean.Values()[m]) || !math.IsNaN(sd.Values()[m]) {
			t.Errorf("%s of no reports: %v ± %v, want NaN", name, mean.Values()[m], sd.Values()[m])
		}
	}
}
