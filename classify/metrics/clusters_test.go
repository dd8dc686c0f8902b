package metrics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

// TestAgree: values of scikit-learn's documentation of adjusted_rand_score, and of Hubert and Arabie's definition by
// pairs on random divisions.
func TestAgree(t *testing.T) {
	for _, c := range []struct {
		clusters, classes []int
		rand, purity      float64
	}{
		{[]int{0, 0, 1, 1}, []int{1, 1, 0, 0}, 1, 1},
		{[]int{0, 0, 1, 2}, []int{0, 0, 1, 1}, 4. / 7, 1},
		{[]int{0, 0, 1, 1}, []int{0, 0, 1, 2}, 4. / 7, 3. / 4},
		{[]int{0, 0, 0, 0}, []int{0, 1, 2, 3}, 0, 1. / 4},
		{[]int{0, 0, 0}, []int{5, 5, 5}, 1, 1},
		{[]int{0, 1, 2}, []int{7, 6, 5}, 1, 1},
		{[]int{3}, []int{4}, 1, 1},
	} {
		got := metrics.Agree(c.clusters, c.classes)
		if math.Abs(got.AdjustedRand-c.rand) > 1e-12 || math.Abs(got.Purity-c.purity) > 1e-12 {
			t.Errorf("%v, %v: %v, want %v and %v", c.clusters, c.classes, got, c.rand, c.purity)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a, b := make([]int, 20), make([]int, 20)
		for i := range a {
			a[i], b[i] = rng.IntN(4), rng.IntN(3)
		}
		if got, want := metrics.Agree(a, b).AdjustedRand, randByPairs(a, b); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, %v: %v, want %v", a, b, got, want)
		}
	}
}

// randByPairs counts pairs: those together in both (n11), in one (n10, n01) and in neither (n00).
func randByPairs(a, b []int) float64 {
	var n11, n10, n01, n00 float64
	for i := range a {
		for j := range i {
			switch x, y := a[i] == a[j], b[i] == b[j]; {
			case x && y:
				n11++
			case x:
				n10++
			case y:
				n01++
			default:
				n00++
			}
		}
	}
	return 2 * (n00*n11 - n01*n10) / ((n00+n01)*(n01+n11) + (n00+n10)*(n10+n11))
}
