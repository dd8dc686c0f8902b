package stringkernel

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestSlidingSums compares with a sum of each window, which small integers make exact.
func TestSlidingSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.IntRange(-100, 100), 1, 60).Draw(t, "v")
		n := rapid.IntRange(1, len(v)).Draw(t, "n")
		values, got := make([]float64, len(v)), make([]float64, len(v)-n+1)
		for i, value := range v {
			values[i] = float64(value)
		}
		for p := range got {
			got[p] = math.NaN()
		}
		SlidingSumsTo(got, values, n)
		for p := range got {
			sum := 0
			for _, value := range v[p : p+n] {
				sum += value
			}
			if got[p] != float64(sum) {
				t.Fatalf("window %d is %v, want %d", p, got[p], sum)
			}
		}
	})
}
