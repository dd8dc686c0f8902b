package metrics

import (
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
