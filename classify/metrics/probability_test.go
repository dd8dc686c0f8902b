package metrics

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLossConventions(t *testing.T) {
	half := []float64{0.5, 0.5}
	both := []bool{true, false}
	if v, err := LogLoss(half, both); err != nil || !same(v, math.Ln2) {
		t.Errorf("log loss of ½ = %v, %v, want ln 2", v, err)
	}
	if v, err := Brier(half, both); err != nil || v != 0.25 {
		t.Errorf("Brier of ½ = %v, %v, want 0.25", v, err)
	}
	if v, err := LogLoss([]float64{1, 0}, both); err != nil || v != 0 {
		t.Errorf("log loss of the truth = %v, %v, want 0", v, err)
	}
	if v, err := LogLoss([]float64{0, 0}, both); err != nil || !math.IsInf(v, 1) {
		t.Errorf("log loss of the impossible = %v, %v, want +Inf", v, err)
	}
	if v, err := LogLossMulti([][]float64{{0}, {1}}, []int{0}); err != nil || !math.IsInf(v, 1) {
		t.Errorf("multi-class log loss of the impossible = %v, %v, want +Inf", v, err)
	}
	if v, err := BrierMulti([][]float64{{0}, {1}}, []int{0}); err != nil || v != 2 {
		t.Errorf("multi-class Brier of the impossible = %v, %v, want 2", v, err)
	}
	for _, f := range []func([]float64, []bool) (float64, error){LogLoss, Brier} {
		if v, err := f(nil, nil); err != nil || !math.IsNaN(v) {
			t.Errorf("no records: %v, %v, want NaN", v, err)
		}
	}
	for _, f := range []func([][]float64, []int) (float64, error){LogLossMulti, BrierMulti} {
		if v, err := f([][]float64{{}, {}}, nil); err != nil || !math.IsNaN(v) {
			t.Errorf("no records: %v, %v, want NaN", v, err)
		}
	}
}

// Two classes are a special case of many.
func TestTwoClassLossesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		p, q := make([]float64, n), make([]float64, n)
		positive, truth := make([]bool, n), make([]int, n)
		for i := range p {
			p[i] = rapid.Float64Range(0.001, 0.999).Draw(t, "p")
			q[i] = 1 - p[i]
			positive[i] = rapid.Bool().Draw(t, "positive")
			if positive[i] {
				truth[i] = 1
			}
		}
		for _, c := range []struct {
			two   func([]float64, []bool) (float64, error)
			many  func([][]float64, []int) (float64, error)
			times float64
		}{{LogLoss, LogLossMulti, 1}, {Brier, BrierMulti, 2}} {
			a, err1 := c.two(p, positive)
			b, err2 := c.many([][]float64{q, p}, truth)
			if err1 != nil || err2 != nil || !same(a*c.times, b) {
				t.Fatalf("two-class %v (%v), many-class %v (%v)", a, err1, b, err2)
			}
		}
	})
}

func TestLossErrors(t *testing.T) {
	for _, f := range []func([]float64, []bool) (float64, error){LogLoss, Brier} {
		for want, p := range map[string][]float64{
			"1 probabilities for 2": {0.5},
			"probability 1 is 1.5":  {0, 1.5},
			"probability 0 is -0.1": {-0.1, 0},
			"probability 0 is NaN":  {math.NaN(), 0},
		} {
			if v, err := f(p, []bool{true, false}); err == nil || !math.IsNaN(v) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, %v, want an error with %q", v, err, want)
			}
		}
	}
	for _, f := range []func([][]float64, []int) (float64, error){LogLossMulti, BrierMulti} {
		for _, c := range []struct {
			p     [][]float64
			truth []int
			want  string
		}{
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
