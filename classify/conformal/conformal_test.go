package conformal

import (
	"math"
	"math/rand/v2"
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

// TestCoverage: of records drawn as those left out were, the set holds the right class as often as the confidence says,
// within each class, whatever their sizes; and the interval the number.
func TestCoverage(t *testing.T) {
	const confidence, draws, tested = 0.95, 4000, 20
	rng := rand.New(rand.NewPCG(3, 4))
	score := func(class int) float64 { return rng.NormFloat64()*float64(class+1) + float64(class) }
	sizes := []int{19, 100, 333}
	held := make([]float64, len(sizes))
	for range draws {
		lists := make([][]float64, len(sizes))
		for class, size := range sizes {
			for range size {
				lists[class] = append(lists[class], score(class))
			}
		}
		s := New(lists, 200)
		for class := range sizes {
			for range tested {
				if s.Contains(class, score(class), confidence) {
					held[class]++
				}
			}
		}
	}
	for class, size := range sizes {
		// exactly ⌈confidence·(n + 1)⌉/(n + 1) of all, less than 1/200 more where scores were dropped
		want := math.Ceil(confidence*float64(size+1)-rounding) / float64(size+1)
		most := want
		if size > 200 {
			most += 1.0 / 200
		}
		got := held[class] / (draws * tested)
		// draws share the records left out: their coverage has a beta distribution
		deviation := math.Sqrt(want * (1 - want) * (1/float64(size) + 1/float64(tested)) / draws)
		if got < want-4*deviation || got > most+4*deviation {
			t.Errorf("class %d of %d records: coverage %.4f ± %.4f, want %.4f to %.4f", class, size, got, deviation, want, most)
		}
	}
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
