package metrics_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

// TestClassIntervalsInJSON: a class with intervals has lower and upper, of labels too; one without has neither.
func TestClassIntervalsInJSON(t *testing.T) {
	one, err := metrics.Evaluate([]string{"a", "b"}, []int{0, 1, 1}, []int{0, 1, 0}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	several, err := metrics.EvaluateLabels([]string{"a", "b"}, [][]int{{0}, {1}, {1}}, [][]int{{0}, {1}, {0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
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
