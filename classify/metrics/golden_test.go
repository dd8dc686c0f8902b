package metrics_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// goldenFile is testdata/golden.json: answers of scikit-learn 1.2.1 (Debian 12's
// python3-sklearn 1.2.1+dfsg-1) and SciPy 1.10.1, written by testdata/golden.py.
type goldenFile struct {
	Source         string
	Classification []goldenCase
	Numbers        []struct {
		Truth, Predicted, Lower, Upper   []float64
		Spearman, Pearson, RMSE, MAE, R2 float64
		Pinball, Below, Coverage95       float64
	}
	Ordinal []struct {
		Classes              int
		Truth, Predicted     []int
		MAE, Kappa, Accuracy float64
	}
}

type goldenCase struct {
	Classes               int
	Truth, Predicted      []int
	Probability           [][]float64
	Confusion             [][]int64
	Precision, Recall, F1 []float64
	PredictedCount        []int64 `json:"predicted_count"`

	metrics map[string]float64 // by the names of a Report
}

func (c *goldenCase) UnmarshalJSON(text []byte) error {
	type plain goldenCase
	members := map[string]json.RawMessage{}
	if err := errors.Join(json.Unmarshal(text, (*plain)(c)), json.Unmarshal(text, &members)); err != nil {
		return err
	}
	c.metrics = map[string]float64{}
	for _, name := range append(metrics.ClassMetrics(), "log_loss", "brier") {
		var value *float64 // null: NaN
		if err := json.Unmarshal(members[name], &value); err != nil {
			return err
		}
		if c.metrics[name] = math.NaN(); value != nil {
			c.metrics[name] = *value
		}
	}
	if c.Classes == 2 {
		c.metrics["brier"] /= 2 // the file has the sum over the classes
	}
	return nil
}

func readGolden(t *testing.T) goldenFile {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/golden.json"))(t)
	var golden goldenFile
	must.Succeed(t, json.Unmarshal(data, &golden))
	if len(golden.Classification) < 6 || len(golden.Numbers) < 5 || len(golden.Ordinal) < 3 {
		t.Fatalf("%d, %d and %d golden cases, want at least 6, 5 and 3", len(golden.Classification), len(golden.Numbers),
			len(golden.Ordinal))
	}
	return golden
}

func TestClassificationGolden(t *testing.T) {
	for i, c := range readGolden(t).Classification {
		names := make([]string, c.Classes)
		for k := range names {
			names[k] = string(rune('a' + k))
		}
		report := must.Get(metrics.Evaluate(names, c.Truth, c.Predicted, c.Probability, 1))(t)
		if !reflect.DeepEqual(report.Confusion.Rows(), c.Confusion) {
			t.Errorf("case %d: confusion %v, want %v", i, report.Confusion.Rows(), c.Confusion)
		}
		must.Succeed(t, report.AddProbabilities(c.Probability, c.Truth))
		for m, name := range report.Names {
			if name != "reliability" { // scikit-learn has none
				compare(t, i, name, float64(report.Values[m]), c.metrics[name])
			}
		}
		if len(report.Names) != len(c.metrics)+1 {
			t.Errorf("case %d: %d metrics, want %d", i, len(report.Names), len(c.metrics)+1)
		}
		for k := range names {
			compare(t, i, "recall", report.Confusion.Recall()[k], c.Recall[k])
			compare(t, i, "F1", report.Confusion.F1()[k], c.F1[k])
			if c.PredictedCount[k] > 0 { // else 0 there, NaN here
				compare(t, i, "precision", report.Confusion.Precision()[k], c.Precision[k])
			}
		}
	}
}

func TestNumbersGolden(t *testing.T) {
	for i, c := range readGolden(t).Numbers {
		r := must.Get(metrics.EvaluateNumbers(c.Truth, c.Predicted))(t)
		must.Succeed(t, r.AddQuantile(c.Truth, c.Predicted, 0.3))
		must.Succeed(t, r.AddCoverage(c.Truth, c.Lower, c.Upper))
		names := append(metrics.NumberMetrics(), "pinball", "below", "coverage95")
		want := []float64{c.Spearman, c.Pearson, c.RMSE, c.MAE, c.R2, c.Pinball, c.Below, c.Coverage95}
		compareAll(t, i, r, names, want)
	}
}

func TestOrdinalGolden(t *testing.T) {
	for i, c := range readGolden(t).Ordinal {
		names := []string{"a", "b", "c", "d", "e", "f", "g"}[:c.Classes]
		r := must.Get(metrics.EvaluateOrdinal(names, c.Truth, c.Predicted))(t)
		compareAll(t, i, r, metrics.OrdinalMetrics(), []float64{c.MAE, c.Kappa, c.Accuracy})
	}
}

// compareAll wants all metrics of a report, in order.
func compareAll(t *testing.T, i int, r metrics.Report, names []string, want []float64) {
	t.Helper()
	if !slices.Equal(r.Names, names) {
		t.Fatalf("case %d: metrics %q, want %q", i, r.Names, names)
	}
	for m, name := range names {
		compare(t, i, name, float64(r.Values[m]), want[m])
	}
}

func compare(t *testing.T, i int, name string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
		t.Errorf("case %d: %s = %v, scikit-learn %v", i, name, got, want)
	}
}
