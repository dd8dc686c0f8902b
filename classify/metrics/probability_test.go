package metrics_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

// twoClasses lays out the probabilities of the positive class as LogLoss and Brier take them.
func twoClasses(p []float64, positive []bool) (probability [][]float64, truth []int) {
	probability, truth = [][]float64{make([]float64, len(p)), p}, make([]int, len(positive))
	for i, v := range p {
		probability[0][i] = 1 - v
	}
	for i, yes := range positive {
		if yes {
			truth[i] = 1
		}
	}
	return probability, truth
}

func TestLossConventions(t *testing.T) {
	impossible := -math.Log(0x1p-52) // what scikit-learn 1.2.1 says of it too
	both := []bool{true, false}
	for _, c := range []struct {
		name          string
		f             func([][]float64, []int) (float64, error)
		first, second float64 // probabilities that a positive and a negative record are positive
		want          float64
	}{
		{"log loss of ½", metrics.LogLoss, 0.5, 0.5, math.Ln2},
		{"Brier of ½", metrics.Brier, 0.5, 0.5, 0.25},
		{"log loss of the truth", metrics.LogLoss, 1, 0, 0},
		{"Brier of the truth", metrics.Brier, 1, 0, 0},
		{"log loss of the impossible", metrics.LogLoss, 0, 1, impossible},
		{"log loss, half of it impossible", metrics.LogLoss, 0, 0, impossible / 2},
		{"Brier of the impossible", metrics.Brier, 0, 1, 1},
	} {
		if v, err := c.f(twoClasses([]float64{c.first, c.second}, both)); err != nil || !same(v, c.want) {
			t.Errorf("%s = %v, %v, want %v", c.name, v, err, c.want)
		}
	}
	three := [][]float64{{0}, {1}, {0}}
	if v, err := metrics.LogLoss(three, []int{0}); err != nil || !same(v, impossible) {
		t.Errorf("multi-class log loss of the impossible = %v, %v, want %v", v, err, impossible)
	}
	if v, err := metrics.Brier(three, []int{0}); err != nil || v != 2 {
		t.Errorf("multi-class Brier of the impossible = %v, %v, want 2", v, err)
	}
	for _, f := range []func([][]float64, []int) (float64, error){metrics.LogLoss, metrics.Brier} {
		for _, classes := range [][][]float64{{{}, {}}, {{}, {}, {}}} {
			if v, err := f(classes, nil); err != nil || !math.IsNaN(v) {
				t.Errorf("no records: %v, %v, want NaN", v, err)
			}
		}
	}
}

func TestLossErrors(t *testing.T) {
	for _, f := range []func([][]float64, []int) (float64, error){metrics.LogLoss, metrics.Brier} {
		for _, c := range []struct {
			p     [][]float64
			truth []int
			want  string
		}{
			{[][]float64{{0.5}, {0.5}}, []int{1, 0}, "1 probabilities for 2"},
			{[][]float64{{1, -0.5}, {0, 1.5}}, []int{1, 0}, "probability 1 is -0.5"},
			{[][]float64{{1, 0.5}, {0, 1.5}}, []int{1, 0}, "probability 1 is 1.5"},
			{[][]float64{{1.1, 0}, {-0.1, 1}}, []int{1, 0}, "probability 0 is 1.1"},
			{[][]float64{{0.9, 0}, {-0.1, 1}}, []int{1, 0}, "probability 0 is -0.1"},
			{[][]float64{{1, 0}, {math.NaN(), 0}}, []int{1, 0}, "probability 0 is NaN"},
			{[][]float64{{0.5}, {0.5, 0.5}}, []int{0}, "class 1: 2 probabilities for 1"},
			{[][]float64{{0.5}, {0.6}}, []int{0}, "record 0 sum to 1.1"},
			{[][]float64{{0.5}, {0.5}}, []int{2}, "true class 2 of record 0"},
			{nil, []int{0}, "true class 0 of record 0"},
		} {
			if v, err := f(c.p, c.truth); err == nil || !math.IsNaN(v) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v, want an error with %q", v, err, c.want)
			}
		}
	}
}

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
		// 0.9 is announced twice and happens once: 2·0.4² − 0.09; 0.1 and 0.2 do not happen: 0.1² − 0.09, 0.2² − 0.16.
		{two(0.9, 0.9, 0.1, 0.2), []int{1, 0, 0, 0}, (0.23 - 0.08 - 0.12) / 4},
		// Three classes of probability ⅓, of which the first happens: (⅔)² + 2·(⅓)², as by chance, 3·⅓·⅔.
		{[][]float64{{1. / 3}, {1. / 3}, {1. / 3}}, []int{0}, 0},
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
	// Fifty classes that happen as often as announced, of few records.
	rng, drawn, truth := rand.New(rand.NewPCG(1, 2)), make([][]float64, 50), make([]int, 1000)
	for c := range drawn {
		drawn[c] = make([]float64, len(truth))
	}
	for i := range truth {
		first, likely := rng.IntN(50), rng.Float64()
		for c := range drawn {
			drawn[c][i] = (1 - likely) / 49
		}
		drawn[first][i] = likely
		if truth[i] = first; rng.Float64() > likely {
			truth[i] = (first + 1 + rng.IntN(49)) % 50
		}
	}
	if got, err := metrics.Reliability(drawn, truth); err != nil || got > 0.01 { // 0.070 with what chance adds
		t.Errorf("%v, %v, want little more than 0", got, err)
	}
	if _, err := metrics.Reliability(two(0.5), []int{0, 1}); err == nil {
		t.Error("two classes for one probability are accepted")
	}
}
