package metrics

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestLevelAccuracies(t *testing.T) {
	classes := []string{"news", "sport/ball/basket", "sport/ball/foot", "sport/run"}
	got, err := LevelAccuracies(classes, "/", []int{0, 1, 2, 3, 3, 0}, []int{0, 2, 2, 1, 0, 3})
	if err != nil {
		t.Fatal(err)
	}
	// Level 1: news, sport, sport, sport of six. Level 2, of four: ball, ball. Level 3, of two: foot.
	if want := []Float{4.0 / 6, 2.0 / 4, 1.0 / 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, err := LevelAccuracies(classes, "/", []int{0}, []int{1}); err != nil || got[0] != 0 || !math.IsNaN(float64(got[1])) {
		t.Errorf("%v (%v), want 0 and no value below", got, err)
	}
	for want, call := range map[string]func() ([]Float, error){
		"predictions for 0 of 1": func() ([]Float, error) { return LevelAccuracies(classes, "/", []int{0}, nil) },
		"no separator":           func() ([]Float, error) { return LevelAccuracies(classes, "", []int{0}, []int{0}) },
		"class indices 0 and 4":  func() ([]Float, error) { return LevelAccuracies(classes, "/", []int{0}, []int{4}) },
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// TestLevelScalars: names and values follow one another, and means pass over levels that a fold does not have.
func TestLevelScalars(t *testing.T) {
	nan := math.NaN()
	reports := []LevelReport{
		{Report{N: 3, Scalars: Scalars{Accuracy: 0.5}}, []Float{0.5, 0.25}},
		{Report{N: 4, Scalars: Scalars{Accuracy: 1}}, []Float{1, Float(nan)}},
	}
	names := append(ScalarNames(), "accuracy_level_1", "accuracy_level_2")
	values := reports[0].Values()
	if !slices.Equal(reports[0].Names(), names) || len(values) != len(names) || values[0] != 0.5 || values[7] != 0.5 || values[8] != 0.25 {
		t.Errorf("%q are %v, want %q", reports[0].Names(), values, names)
	}
	mean, sd := LevelMeanSD(reports)
	if mean.Accuracy != 0.75 || mean.Levels[0] != 0.75 || mean.Levels[1] != 0.25 {
		t.Errorf("means %v", mean)
	}
	if want := math.Sqrt(0.125); math.Abs(float64(sd.Levels[0])-want) > 1e-15 || !math.IsNaN(float64(sd.Levels[1])) {
		t.Errorf("deviations %v, want %v and none", sd.Levels, want)
	}
	if mean, _ := LevelMeanSD(nil); mean.Accuracy.Defined() || mean.Levels != nil {
		t.Errorf("%v of no reports", mean)
	}
	text, err := json.Marshal(mean)
	if err != nil || !strings.HasSuffix(string(text), `"accuracy_by_level":[0.75,0.25]}`) || !strings.HasPrefix(string(text), `{"accuracy":0.75,`) {
		t.Errorf("JSON %s (%v)", text, err)
	}
}

// TestLosses: of all metrics the hamming loss alone is better the less it is.
func TestLosses(t *testing.T) {
	for _, name := range append(ScalarNames(), LabelScalarNames()...) {
		if IsLoss(name) != strings.Contains(name, "loss") {
			t.Errorf("%s: %v", name, IsLoss(name))
		}
	}
}
