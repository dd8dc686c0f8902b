package decide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/decide"
)

// TestScaling: probabilities that a power and factors made of true ones are scaled back, and few records that are all
// right do not make others certain.
func TestScaling(t *testing.T) {
	rng, factors := rand.New(rand.NewPCG(1, 1)), []float64{2, 1, 0.5}
	const records, power = 20_000, 0.5
	var announced [][]float64
	var truth []int
	for range records {
		p, q, sum, distorted := make([]float64, 3), make([]float64, 3), 0.0, 0.0
		for c := range p {
			p[c] = math.Exp(2 * rng.NormFloat64())
			sum += p[c]
		}
		draw, class := rng.Float64()*sum, 0
		for ; class < 2 && draw > p[class]; class++ {
			draw -= p[class]
		}
		for c := range p {
			q[c] = factors[c] * math.Pow(p[c], power)
			distorted += q[c]
		}
		for c := range q {
			q[c] /= distorted
		}
		announced, truth = append(announced, q), append(truth, class)
	}
	s := decide.FitScaling(announced, truth)
	if math.Abs(s.Power-1/power) > 0.1 || math.Abs(s.Rest) > 0.1 {
		t.Errorf("power %v and %v, want %v and 0", s.Power, s.Rest, 1/power)
	}
	for c := range 2 {
		want := math.Log(factors[c+1]/factors[c]) / power
		if got := s.Offsets[c] - s.Offsets[c+1]; math.Abs(got-want) > 0.1 {
			t.Errorf("offsets of classes %d and %d differ by %v, want %v", c, c+1, got, want)
		}
	}
	few := decide.FitScaling([][]float64{{0.7, 0.2, 0.1}, {0.2, 0.7, 0.1}, {0.1, 0.2, 0.7}}, []int{0, 1, 2})
	if few.Power > 2 {
		t.Errorf("power %v by three records", few.Power)
	}
}
