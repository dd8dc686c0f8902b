package page

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A contribution is read back to a part in 2,000 of the greatest one, up to the rounding of the scale.
func TestQuantised(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		values, greatest := make([]float64, 1+r.IntN(50)), 0.0
		for i := range values {
			values[i] = r.NormFloat64() * math.Exp(10*r.NormFloat64())
			greatest = max(greatest, math.Abs(values[i]))
		}
		whole, scale := quantised(values)
		for i, v := range values {
			if got := float64(whole[i]) * scale; math.Abs(got-v) > greatest/(2*steps)*1.001 {
				t.Fatalf("%v is %v, where the greatest is %v", v, got, greatest)
			}
		}
	}
	for _, values := range [][]float64{nil, {0, 0}, {math.Inf(1), 1}, {math.NaN()}} {
		if whole, scale := quantised(values); len(whole) != len(values) || scale != 0 {
			t.Errorf("%v: %v times %v", values, whole, scale)
		}
	}
}
