package metrics_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// indicatorCorrelation is R_K from its origin: the correlation of the n × K
// indicator matrices of truth and prediction, cov(X,Y)/√(cov(X,X)·cov(Y,Y)), with
// covariances summed over the classes (Gorodkin 2004, equation 1).
func indicatorCorrelation(classes int, truth, predicted []int) float64 {
	n := float64(len(truth))
	covariance := func(a, b []int) float64 {
		var total float64
		for k := range classes {
			var meanA, meanB float64
			for i := range a {
				meanA += indicator(a[i] == k) / n
				meanB += indicator(b[i] == k) / n
			}
			for i := range a {
				total += (indicator(a[i] == k) - meanA) * (indicator(b[i] == k) - meanB) / n
			}
		}
		return total
	}
	xx, yy := covariance(truth, truth), covariance(predicted, predicted)
	if xx < 1e-9 || yy < 1e-9 {
		return math.NaN()
	}
	return covariance(truth, predicted) / math.Sqrt(xx*yy)
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// checkByDefinition compares every metric with counts over the records.
func checkByDefinition(t interface{ Fatalf(string, ...any) }, classes int, truth, predicted []int) {
	m, err := metrics.NewConfusion(classes, truth, predicted)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var hits, n float64 = 0, float64(len(truth))
	var recallSum, occurring, f1Sum, present float64
	for k := range classes {
		var tp, fp, fn float64
		for i := range truth {
			isTrue, isPredicted := truth[i] == k, predicted[i] == k
			tp += indicator(isTrue && isPredicted)
			fp += indicator(!isTrue && isPredicted)
			fn += indicator(isTrue && !isPredicted)
		}
		hits += tp
		precision, recall := tp/(tp+fp), tp/(tp+fn) // 0/0 is NaN
		f1 := 2 / (1/precision + 1/recall)
		if tp == 0 && fp+fn > 0 {
			f1 = 0
		}
		if !same(m.Precision()[k], precision) || !same(m.Recall()[k], recall) || !same(m.F1()[k], f1) {
			t.Fatalf("truth %v predicted %v class %d: precision, recall, F1 = %v %v %v, want %v %v %v", truth,
				predicted, k,
				m.Precision()[k], m.Recall()[k], m.F1()[k], precision, recall, f1)
		}
		if tp+fn > 0 {
			recallSum += recall
			occurring++
		}
		if tp+fp+fn > 0 {
			f1Sum += f1
			present++
		}
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"accuracy", m.Accuracy(), hits / n},
		{"balanced accuracy", m.BalancedAccuracy(), recallSum / occurring},
		{"F1 macro", m.F1Macro(), f1Sum / present},
		{"F1 micro", m.F1Micro(), hits / n},
		{"MCC", m.MCC(), indicatorCorrelation(classes, truth, predicted)},
		{"total", float64(m.Total()), n},
		{"correct", float64(m.Correct()), hits},
	} {
		if !same(c.got, c.want) {
			t.Fatalf("truth %v predicted %v: %s = %v, want %v", truth, predicted, c.name, c.got, c.want)
		}
	}
}

// All pairs of labellings: up to 6 records of 2 classes, 4 of 3, 3 of 4, which is
// every small confusion matrix, with absent and unpredicted classes.
func TestConfusionExhaustive(t *testing.T) {
	for classes, longest := range map[int]int{1: 3, 2: 6, 3: 4, 4: 3} {
		for n := 0; n <= longest; n++ {
			total := 1
			for range n {
				total *= classes * classes
			}
			truth, predicted := make([]int, n), make([]int, n)
			for code := range total {
				for i, c := 0, code; i < n; i, c = i+1, c/(classes*classes) {
					truth[i], predicted[i] = c%classes, c/classes%classes
				}
				checkByDefinition(t, classes, truth, predicted)
			}
		}
	}
}

// Perfect predictions score exactly 1, however many records, so that nothing
// prints 0.9999999999.
func TestPerfectIsExact(t *testing.T) {
	for _, count := range []int{1, 3, 1000, 33_333} {
		y := slices.Concat(make([]int, count), slices.Repeat([]int{1}, 2*count), slices.Repeat([]int{2}, count+1))
		m := must.Get(metrics.NewConfusion(3, y, y))(t)
		for name, v := range map[string]float64{"MCC": m.MCC(), "accuracy": m.Accuracy(), "F1": m.F1Macro(),
			"balanced": m.BalancedAccuracy()} {
			if v != 1 {
				t.Errorf("%s of %d perfect records = %v", name, m.Total(), v)
			}
		}
	}
	m, err := metrics.NewConfusion(2, []int{0, 0, 0, 1, 1, 1}, []int{1, 1, 1, 0, 0, 0})
	if err != nil || m.MCC() != -1 {
		t.Errorf("MCC of everything wrong = %v (%v), want -1", m.MCC(), err)
	}
}

func TestConfusionErrors(t *testing.T) {
	count := func(classes int, truth, predicted []int) error {
		_, err := metrics.NewConfusion(classes, truth, predicted)
		return err
	}
	for want, err := range map[string]error{
		"-1 classes":               count(-1, nil, nil),
		"1 predictions for 2":      count(2, []int{0, 1}, []int{0}),
		"true class 2 of record 1": count(2, []int{0, 2}, []int{0, 0}),
		"predicted class -1":       count(2, []int{0, 1}, []int{-1, 0}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestConfusionAccess(t *testing.T) {
	m := must.Get(metrics.NewConfusion(3, []int{0, 0, 1, 2, 2}, []int{0, 1, 1, 0, 2}))(t)
	rows := [][]int64{{1, 1, 0}, {0, 1, 0}, {1, 0, 1}}
	if !reflect.DeepEqual(m.Rows(), rows) || m.At(2, 0) != 1 || m.Classes() != 3 {
		t.Errorf("rows %v, want %v", m.Rows(), rows)
	}
	m.Rows()[0][0] = 99
	if m.At(0, 0) != 1 {
		t.Error("Rows is not a copy")
	}
	if !reflect.DeepEqual(m.Support(), []int64{2, 1, 2}) || !reflect.DeepEqual(m.Predicted(), []int64{2, 2, 1}) {
		t.Errorf("support %v, predicted %v", m.Support(), m.Predicted())
	}
	text, err := json.Marshal(m)
	if err != nil || string(text) != "[[1,1,0],[0,1,0],[1,0,1]]" {
		t.Errorf("JSON %s, %v", text, err)
	}
	if text, err := json.Marshal(metrics.Confusion{}); err != nil || string(text) != "[]" {
		t.Errorf("JSON of the zero value %s, %v", text, err)
	}
}

// TestClassIntervalsInJSON: a class with intervals has lower and upper, of labels too; one without has neither.
func TestClassIntervalsInJSON(t *testing.T) {
	one := must.Get(metrics.Evaluate([]string{"a", "b"}, []int{0, 1, 1}, []int{0, 1, 0}, nil, 1))(t)
	several := must.Get(metrics.EvaluateLabels([]string{"a", "b"}, [][]int{{0}, {1}, {1}}, [][]int{{0}, {1}, {0}}, nil))(t)
	r := &metrics.Replicates{Values: [][]metrics.Float{
		{0.5, 1, 0.6, 1, 0.5, 0.6}, {0.5, 1, 0.7, 1, 0.4, 0.7}, {0.5, 1, 0.8, 1, 0.6, 0.8},
	}, Units: 3, Freedom: 1}
	for _, report := range []*metrics.Report{&one, &several} {
		plain, err := json.Marshal(report)
		if err != nil || strings.Contains(string(plain), "lower") {
			t.Fatalf("%s, %v: want no intervals", plain, err)
		}
		report.AddClassIntervals(r)
		text, err := json.Marshal(report)
		if err != nil || strings.Count(string(text), `"lower":{"precision":`) != 2 {
			t.Fatalf("%s, %v: want an interval of each class", text, err)
		}
		first := report.ClassIntervals[0]
		if first.Lower.Precision != 0.5 || first.Upper.Precision != 0.5 || !math.IsNaN(float64(first.Lower.F1)) &&
			first.Lower.F1 >= first.Upper.F1 {
			t.Errorf("%+v, want the point of equal samples, and room for F1", first)
		}
	}
}
