package scan

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestFDR compares with the definition, evaluated at every score that occurs and just beside it.
func TestFDR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		score := rapid.Map(rapid.IntRange(-8, 8), func(n int) float64 { return float64(n) / 4 })
		negatives := rapid.SliceOfN(score, 1, 30).Draw(t, "negatives")
		windows := rapid.SliceOfN(score, 1, 60).Draw(t, "windows")
		f, err := NewFDR(negatives)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range windows {
			f.Count(&Batch{Hits: []Hit{{Score: s}}})
		}
		f.Estimate()
		atLeast := func(v []float64, t float64) (n int) {
			for _, s := range v {
				if s >= t {
					n++
				}
			}
			return n
		}
		var thresholds []float64
		for _, s := range append(append([]float64{}, windows...), negatives...) {
			thresholds = append(thresholds, s, math.Nextafter(s, 9), math.Nextafter(s, -9))
		}
		q := func(s float64) float64 {
			least := 1.0
			for _, t := range thresholds {
				if h := atLeast(windows, t); t <= s && h > 0 {
					least = min(least, float64(len(windows))*float64(1+atLeast(negatives,
						t))/float64(len(negatives)+1)/float64(h))
				}
			}
			return least
		}
		rate := rapid.Float64Range(0.01, 0.99).Draw(t, "rate")
		threshold, lowest := f.Threshold(rate), 1.0
		for _, s := range windows {
			want := q(s)
			lowest = min(lowest, want)
			if got := f.Q(s); math.Abs(got-want) > 1e-12 {
				t.Fatalf("q(%v) = %v, want %v", s, got, want)
			}
			if math.Abs(want-rate) > 1e-9 && (s >= threshold) != (want <= rate) {
				t.Fatalf("score %v with q %v, rate %v, threshold %v", s, want, rate, threshold)
			}
		}
		if got := f.Least(); got > lowest+1e-12 {
			t.Fatalf("least q-value %v, want %v or less", got, lowest)
		}
	})
	if _, err := NewFDR(nil); err == nil {
		t.Error("no error without negatives")
	}
}
