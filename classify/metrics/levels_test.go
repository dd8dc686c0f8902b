package metrics_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

func TestLevelAccuracies(t *testing.T) {
	classes := []string{"news", "sport/ball/basket", "sport/ball/foot", "sport/run"}
	got, err := metrics.LevelAccuracies(classes, "/", []int{0, 1, 2, 3, 3, 0}, []int{0, 2, 2, 1, 0, 3})
	if err != nil {
		t.Fatal(err)
	}
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
