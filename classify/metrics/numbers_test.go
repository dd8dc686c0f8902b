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
		r := must.Get(metrics.EvaluateNumbers(c.truth, c.predicted))(t)
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
		r := must.Get(metrics.EvaluateNumbers([]float64{-scale, 0, scale}, []float64{-scale, 0, scale / 2}))(t)
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

func TestLevelAccuracies(t *testing.T) {
	classes := []string{"news", "sport/ball/basket", "sport/ball/foot", "sport/run"}
	got := must.Get(metrics.LevelAccuracies(classes, "/", []int{0, 1, 2, 3, 3, 0}, []int{0, 2, 2, 1, 0, 3}))(t)
	// Level 1: news, sport, sport, sport of six. Level 2, of four: ball, ball. Level 3, of two: foot.
	if want := []metrics.Float{4.0 / 6, 2.0 / 4, 1.0 / 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, err := metrics.LevelAccuracies(classes, "/", []int{0}, []int{1}); err != nil || got[0] != 0 ||
		!math.IsNaN(float64(got[1])) {
		t.Errorf("%v (%v), want 0 and no value below", got, err)
	}
	for want, call := range map[string]func() ([]metrics.Float, error){
		"0 predictions for 1":   func() ([]metrics.Float, error) { return metrics.LevelAccuracies(classes, "/", []int{0}, nil) },
		"no separator":          func() ([]metrics.Float, error) { return metrics.LevelAccuracies(classes, "", []int{0}, []int{0}) },
		"class indices 0 and 4": func() ([]metrics.Float, error) { return metrics.LevelAccuracies(classes, "/", []int{0}, []int{4}) },
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestLevelMetrics: names and values follow one another, and means pass over levels that a fold does not have.
func TestLevelMetrics(t *testing.T) {
	classes := []string{"a", "b/c", "b/d"}
	var reports []metrics.Report
	for _, c := range []struct{ truth, predicted []int }{
		{[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}}, // accuracy 1/2, levels 1/2 and 1/2
		{[]int{0, 0}, []int{0, 0}},             // 1, 1, and no record with a second name
		{[]int{1, 2}, []int{2, 0}},             // 0, 1/2, 0
	} {
		r, err := metrics.Evaluate(classes, c.truth, c.predicted, nil, 0)
		if err == nil {
			err = r.AddLevels("/", c.truth, c.predicted)
		}
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	names := append(metrics.ClassMetrics(), "accuracy_level_1", "accuracy_level_2")
	values := reports[0].Values
	if !slices.Equal(reports[0].Names, names) || len(values) != len(names) || values[0] != 0.5 || values[7] != 0.5 ||
		values[8] != 0.5 {
		t.Errorf("%q are %v, want %q", reports[0].Names, values, names)
	}
	mean, sd := metrics.MeanSD(reports)
	if mean.Value("accuracy") != 0.5 || math.Abs(mean.Value("accuracy_level_1")-2./3) > 1e-15 ||
		mean.Value("accuracy_level_2") != 0.25 {
		t.Errorf("means %v", mean)
	}
	_, levels := sd.Split()
	if first, second := math.Sqrt(1./12), math.Sqrt(0.125); math.Abs(float64(levels.Values[0])-first) > 1e-15 ||
		math.Abs(float64(levels.Values[1])-second) > 1e-15 {
		t.Errorf("deviations %v, want %v and %v", levels.Values, first, second)
	}
	if _, sd := metrics.MeanSD(reports[:2]); !math.IsNaN(sd.Value("accuracy_level_2")) {
		t.Errorf("deviation %v of one value, want none", sd.Value("accuracy_level_2"))
	}
	if mean, _ := metrics.MeanSD(nil); !math.IsNaN(mean.Value("accuracy")) || mean.Names != nil {
		t.Errorf("%v of no reports", mean)
	}
	text, err := json.Marshal(mean)
	if err != nil || !strings.HasSuffix(string(text), `"accuracy_by_level":[0.6666666666666666,0.25]}`) ||
		!strings.HasPrefix(string(text), `{"accuracy":0.5,`) {
		t.Errorf("JSON %s (%v)", text, err)
	}
}

// TestLosses: of all metrics only losses and the Brier score are better the less they are.
func TestLosses(t *testing.T) {
	for _, name := range append(append(metrics.ClassMetrics(), "log_loss", "brier", "reliability"), metrics.LabelMetrics()...) {
		if metrics.IsLoss(name) != (strings.Contains(name, "loss") || name == "brier" || name == "reliability") {
			t.Errorf("%s: %v", name, metrics.IsLoss(name))
		}
	}
}
