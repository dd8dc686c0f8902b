package svm

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Scores are in single precision where rounding them is little beside the tolerance, and add up to the same but for
// that.
func TestScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SliceOfN(rapid.Float64Range(-100, 100), 1, 300).Draw(t, "f")
		slope := rapid.Float64Range(0, 1e6).Draw(t, "slope")
		tol := math.Pow(10, rapid.Float64Range(-9, 3).Draw(t, "tol"))
		s := scoresOf(f, slope, tol)
		noise := 0.0
		for _, x := range f {
			noise += slope * math.Ldexp(math.Abs(x), -24)
		}
		if noise /= rounded * tol; (s.double == nil) != (noise <= 1) && math.Abs(noise-1) > 1e-9 {
			t.Fatalf("noise %g of what is allowed: single precision is %v", noise, s.double == nil)
		}
		lo := rapid.IntRange(0, len(f)-1).Draw(t, "lo")
		got := make([]float64, len(f)-lo)
		s.addTo(got, lo, 0.3)
		for i, x := range f[lo:] {
			off := math.Abs(got[i] - float64(0.3*x))
			if off > 0 && s.double != nil || off > max(0.3*math.Ldexp(math.Abs(x), -24), math.SmallestNonzeroFloat32) {
				t.Fatalf("entry %d of %v: %v, want 0.3 of it", lo+i, x, got[i])
			}
		}
	})
	for _, f := range [][]float64{{math.MaxFloat64}, {1e300}} {
		if s := scoresOf(f, 1, 1e-3); s.double == nil {
			t.Errorf("%v is in single precision", f)
		}
	}
	if s := scoresOf([]float64{1}, 1, 0); s.double == nil {
		t.Error("there is no tolerance, but single precision")
	}
}
