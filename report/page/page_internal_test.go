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

// Numbers of a column have as many decimals as the greatest has with five significant digits.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   int
	}{
		{nil, 0}, {[]float64{1, -20, math.NaN(), 0}, 0}, {[]float64{0.374, -0.38612}, 5}, {[]float64{1, 0.99932}, 4},
		{[]float64{0.999996, 0.5}, 4}, {[]float64{123456.5}, 0}, {[]float64{math.Inf(1), 12.25}, 3}, {[]float64{1e-300}, most},
	} {
		if got := Decimals(c.values); got != c.want {
			t.Errorf("%v: %d decimals, want %d", c.values, got, c.want)
		}
	}
}
