package conformal

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestDefinition compares p-values and radii with their definitions; of more scores than are kept, they are greater by
// at most a gap of ranks.
func TestDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Map(rapid.IntRange(-9, 9), func(i int) float64 { return float64(i) }), 0, 60).Draw(t, "scores")
		most := rapid.IntRange(1, 70).Draw(t, "most")
		s := New([][]float64{all}, most)
		if err := s.Check(1); err != nil || len(s.Kept[0]) > most {
			t.Fatalf("%v, %d scores kept of %d", err, len(s.Kept[0]), most)
		}
		n := float64(len(all))
		slack := 0.0
		if len(all) > most {
			slack = n / float64(most) / (n + 1)
		}
		for score := -10.0; score <= 10; score += 0.5 {
			notLess := 0.0
			for _, v := range all {
				if v >= score {
					notLess++
				}
			}
			want, got := (notLess+1)/(n+1), s.P(0, score)
			if got < want-1e-12 || got > want+slack+1e-12 {
				t.Fatalf("p of %v: %v, want %v with a slack of %v", score, got, want, slack)
			}
		}
		confidence := float64(rapid.IntRange(1, 99).Draw(t, "confidence")) / 100
		radius := s.Radius(0, confidence)
		within := 0.0
		for _, v := range all {
			if v <= radius {
				within++
			}
		}
		if math.IsInf(radius, 1) != (len(all) < Least(confidence)) || !math.IsInf(radius, 1) && within < confidence*(n+1)-1e-9 {
			t.Fatalf("radius %v of %d scores, of which %v are within", radius, len(all), within)
		}
	})
}

// TestShort: four standard errors, of 900 records and 100 left out, are 0.126.
func TestShort(t *testing.T) {
	s := New([][]float64{make([]float64, 40), make([]float64, 60)}, 10)
	if s.Short(0.775, 900, 0.9) || !s.Short(0.773, 900, 0.9) {
		t.Error("the bound is not 0.774")
	}
}

func TestCheck(t *testing.T) {
	nan := math.NaN()
	for _, s := range []Scores{
		{Kept: [][]float64{{1}}, Count: []int{0}},
		{Kept: [][]float64{{}}, Count: []int{1}},
		{Kept: [][]float64{{1, 0}}, Count: []int{2}},
		{Kept: [][]float64{{nan}}, Count: []int{1}},
		{Kept: [][]float64{{1}, {1}}, Count: []int{1, 1}},
		{Kept: [][]float64{{1}}},
	} {
		if s.Check(1) == nil {
			t.Errorf("accepted: %v", s)
		}
	}
}
