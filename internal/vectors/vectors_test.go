package vectors_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// The hypotenuse is the standard library's up to rounding, wherever that of the squares would leave float64, too.
func TestHypotenuse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) float64 {
			return rapid.Float64Range(-1, 1).Draw(t, name) * math.Pow(10,
				float64(rapid.IntRange(-200, 300).Draw(t, name+"'s power")))
		}
		a, b := draw("a"), draw("b")
		if got, want := vectors.Hypotenuse(a, b), math.Hypot(a, b); math.Abs(got-want) > 1e-15*want {
			t.Errorf("Hypotenuse(%v, %v) = %v, want %v", a, b, got, want)
		}
	})
	if got := vectors.Hypotenuse(0, 0); got != 0 {
		t.Errorf("Hypotenuse(0, 0) = %v, want 0", got)
	}
}
