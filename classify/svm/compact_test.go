package svm

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A vector in compact form has the inner products of the plain one, and adds the same to others, to the last bit.
func TestCompact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 255, 256, 257, 1000, 9001}).Draw(t, "n")
		distinct := rapid.SampledFrom([]int{1, 3, 254, 255, 256, 300, 1 << 30}).Draw(t, "distinct")
		seed := rapid.Uint64().Draw(t, "seed")
		v, f, dst := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range v {
			seed = seed*6364136223846793005 + 1442695040888963407
			v[i] = float64(int(seed>>33)%distinct)/3 - 1
			f[i], dst[i] = math.Sin(float64(i)), math.Cos(float64(i))
		}
		if n > 0 {
			v[n-1] = math.Copysign(0, -1)
		}
		c := compactOf(v)
		if got, want := c.dot(f), dot(v, f); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("dot %v, want %v", got, want)
		}
		lo := rapid.IntRange(0, n).Draw(t, "lo")
		hi := rapid.IntRange(lo, n).Draw(t, "hi")
		want := append([]float64(nil), dst[lo:hi]...)
		addScaled(want, 0.3, v[lo:hi])
		c.addTo(dst[lo:hi], lo, 0.3)
		for i, x := range want {
			if math.Float64bits(dst[lo+i]) != math.Float64bits(x) {
				t.Fatalf("entry %d from %d on: %v, want %v", i, lo, dst[lo+i], x)
			}
		}
	})
}
