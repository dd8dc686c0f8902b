package substring

import (
	"testing"

	"pgregory.net/rapid"
)

// TestGreatestWeight compares with a look at each length.
func TestGreatestWeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := Kernel{Weight: rapid.SampledFrom([]Weighting{Fixed, Bounded, Constant, Decay, Length, TFIDF}).Draw(t,
			"weighting")}
		switch k.Weight {
		case Fixed, Bounded:
			k.K = rapid.IntRange(1, 20).Draw(t, "k")
		case Decay:
			k.K, k.Lambda = 20, rapid.SampledFrom([]float64{0.5, 1, 1.5}).Draw(t, "lambda")
		case Length:
			k.Weights = rapid.SliceOfN(rapid.Float64Range(0, 9), 1, 40).Draw(t, "weights")
		}
		longest := rapid.IntRange(1, 50).Draw(t, "longest")
		w := k.lengthWeights(longest)
		a := rapid.IntRange(0, longest-1).Draw(t, "a")
		b := rapid.IntRange(a+1, longest).Draw(t, "b")
		want := 0.0
		for l := a + 1; l <= b; l++ {
			want = max(want, w.upTo(int32(l))-w.upTo(int32(l-1)))
		}
		if got := w.greatest()(int32(a), int32(b)); got != want {
			t.Fatalf("%+v: the greatest weight of %d < l ≤ %d is %v, want %v", k, a, b, got, want)
		}
	})
}
