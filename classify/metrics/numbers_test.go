package metrics_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

func mustNumbers(t interface{ Fatal(...any) }, truth, predicted []float64) metrics.Report {
	r, err := metrics.EvaluateNumbers(truth, predicted)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestNumbersUndefined: a constant leaves correlations without a value, one truth r2, and no records everything.
func TestNumbersUndefined(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		truth, predicted, want []float64
	}{
		{nil, nil, []float64{nan, nan, nan, nan, nan}},
		{[]float64{2}, []float64{5}, []float64{nan, nan, 3, 3, nan}},
		{[]float64{1, 2, 3}, []float64{0.1, 0.1, 0.1}, []float64{nan, nan, math.Sqrt(12.83 / 3), 1.9, 1 - 12.83/2}},
		{[]float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}, []float64{nan, nan, math.Sqrt(12.83 / 3), 1.9, nan}},
		{[]float64{0, 0}, []float64{0, 0}, []float64{nan, nan, 0, 0, nan}},
	} {
		r := mustNumbers(t, c.truth, c.predicted)
		for m, name := range metrics.NumberMetrics() {
			if !same(float64(r.Values[m]), c.want[m]) {
				t.Errorf("%v by %v: %s %v, want %v", c.truth, c.predicted, name, r.Values[m], c.want[m])
			}
		}
	}
}

// TestNumbersExtremes: neither large nor small numbers overflow.
func TestNumbersExtremes(t *testing.T) {
	for _, scale := range []float64{1e290, 1, 1e-300} {
		r := mustNumbers(t, []float64{-scale, 0, scale}, []float64{-scale, 0, scale / 2})
		for name, want := range map[string]float64{
			"spearman": 1, "pearson": 1.5 / math.Sqrt(7.0/3), "rmse": scale / math.Sqrt(12), "mae": scale / 6, "r2": 7.0 / 8,
		} {
			unit := 1.0
			if metrics.IsLoss(name) {
				unit = scale
			}
			if got := r.Value(name); !same(got/unit, want/unit) {
				t.Errorf("scale %g: %s %v, want %v", scale, name, got, want)
			}
		}
	}
}

func TestNumbersErrors(t *testing.T) {
	var r metrics.Report
	one := []float64{1}
	for want, call := range map[string]func() error{
		"0 predictions for 1 labels": func() error { _, err := metrics.EvaluateNumbers(one, nil); return err },
		"prediction 0 is NaN": func() error {
			_, err := metrics.EvaluateNumbers(one, []float64{math.NaN()})
			return err
		},
		"truth 0 is +Inf": func() error { _, err := metrics.EvaluateNumbers([]float64{math.Inf(1)}, one); return err },
		"interval 0 from 1 to 0": func() error {
			return r.AddCoverage(one, one, []float64{0})
		},
		"upper ends: 0 predictions": func() error { return r.AddCoverage(one, one, nil) },
		"lower ends: 0 predictions": func() error { return r.AddCoverage(one, nil, one) },
		"quantile 1, want":          func() error { return r.AddQuantile(one, one, 1) },
		"quantile: 0 predictions":   func() error { return r.AddQuantile(one, nil, 0.5) },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestOrdinalUndefined(t *testing.T) {
	r, err := metrics.EvaluateOrdinal([]string{"a", "b"}, []int{1, 1}, []int{1, 1})
	if err != nil || r.Value("mae") != 0 || !math.IsNaN(r.Value("kappa")) || r.Value("accuracy") != 1 {
		t.Errorf("%v (%v), want no kappa of one class", r.Scalars, err)
	}
	if _, err := metrics.EvaluateOrdinal([]string{"a", "b"}, []int{2}, []int{1}); err == nil {
		t.Error("no error for a class out of range")
	}
}
