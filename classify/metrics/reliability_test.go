package metrics_test

import (
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

func TestReliability(t *testing.T) {
	two := func(p ...float64) [][]float64 {
		rows := [][]float64{make([]float64, len(p)), p}
		for i, v := range p {
			rows[0][i] = 1 - v
		}
		return rows
	}
	for _, c := range []struct {
		probability [][]float64
		truth       []int
		want        float64
	}{
		{two(1, 1, 0, 0), []int{1, 1, 0, 0}, 0},
		{two(0.5, 0.5), []int{1, 0}, 0}, // as often as announced
		{two(0, 1), []int{1, 0}, 1},
		// 0.9 is announced twice and happens once: 2·0.4²; 0.1 and 0.2 do not happen.
		{two(0.9, 0.9, 0.1, 0.2), []int{1, 0, 0, 0}, (2*0.16 + 0.01 + 0.04) / 4},
		// Three classes of probability ⅓, of which the first happens: (⅔)² + 2·(⅓)².
		{[][]float64{{1. / 3}, {1. / 3}, {1. / 3}}, []int{0}, 6. / 9},
	} {
		got, err := metrics.Reliability(c.probability, c.truth)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v of %v: %v, %v, want %v", c.probability, c.truth, got, err, c.want)
		}
		brier, err := metrics.Brier(c.probability, c.truth)
		if err != nil || got > brier+1e-12 {
			t.Errorf("%v of %v: %v, more than the Brier score %v", c.probability, c.truth, got, brier)
		}
	}
	if _, err := metrics.Reliability(two(0.5), []int{0, 1}); err == nil {
		t.Error("two classes for one probability are accepted")
	}
}
