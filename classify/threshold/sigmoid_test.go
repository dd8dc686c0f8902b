package threshold_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/must"
)

// gradient returns the derivatives of the cross-entropy by Platt's definition.
func gradient(s threshold.Sigmoid, f, y []float64) (gradA, gradB float64) {
	var positives, negatives float64
	for _, v := range y {
		if v > 0 {
			positives++
		} else {
			negatives++
		}
	}
	for i, v := range y {
		target := 1 / (negatives + 2)
		if v > 0 {
			target = (positives + 1) / (positives + 2)
		}
		p := 1 / (1 + math.Exp(s.A*f[i]+s.B))
		gradA += (target - p) * f[i]
		gradB += target - p
	}
	return gradA, gradB
}

func TestSigmoidGradientVanishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n := rapid.IntRange(2, 300).Draw(t, "n")
		unit := math.Exp(rapid.Float64Range(-15, 15).Draw(t, "log unit"))
		separation := rapid.Float64Range(-1, 5).Draw(t, "separation")
		f, y := make([]float64, n), make([]float64, n)
		for i := range f {
			y[i] = 1
			if i == 0 || rng.IntN(3) == 0 && i != 1 {
				y[i] = -1
			}
			f[i] = unit * (rng.NormFloat64() + separation*y[i])
		}
		s := must.Get(threshold.FitSigmoid(f, y))(t)
		gradA, gradB := gradient(s, f, y)
		if math.Abs(gradA)/unit > 1e-5*float64(n) || math.Abs(gradB) > 1e-5*float64(n) {
			t.Fatalf("%+v: gradient %v, %v of %d records", s, gradA/unit, gradB, n)
		}
	})
}

func TestSigmoidOfEqualDecisions(t *testing.T) {
	s := must.Get(threshold.FitSigmoid([]float64{0, 0, 0}, []float64{1, -1, -1}))(t)
	// All that can be fitted is the mean of the targets: (2/3 + 1/4 + 1/4) / 3.
	if p := s.Probability(0); math.Abs(p-7.0/18) > 1e-7 {
		t.Errorf("probability %v, want 7/18", p)
	}
}

func TestSigmoidDoesNotOverflow(t *testing.T) {
	s := threshold.Sigmoid{-1, 0}
	for f, want := range map[float64]float64{1e300: 1, -1e300: 0, 0: 0.5} {
		if p := s.Probability(f); p != want {
			t.Errorf("probability of %v = %v, want %v", f, p, want)
		}
	}
}

func TestSigmoidErrors(t *testing.T) {
	for want, c := range map[string][2][]float64{
		"1 labels for 2 decision values": {{1, 2}, {1}},
		"decision value 1 is NaN":        {{1, math.NaN()}, {1, -1}},
		"y[0] = 2":                       {{1, 2}, {2, -1}},
	} {
		if _, err := threshold.FitSigmoid(c[0], c[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
