package risk_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/risk"
)

// The objective of Near at a plane with its offset.
func nearness(a, f, near []float64, offset, step float64) float64 {
	for i, v := range a {
		offset -= v*f[i] + (v-near[i])*(v-near[i])/(2*step)
	}
	return offset
}

// mixture returns a convex combination of planes at random scores, with that of their offsets.
func mixture(r *rand.Rand, risk risk.Risk) (a []float64, offset float64) {
	n := risk.Len()
	a, part, f := make([]float64, n), make([]float64, n), make([]float64, n)
	left := 1.0
	for k := range 3 {
		for i := range f {
			f[i] = 3 * r.NormFloat64()
		}
		_, o := risk.Plane(part, f)
		share := left * r.Float64()
		if k == 2 {
			share = left
		}
		left -= share
		offset += share * o
		for i, v := range part {
			a[i] += share * v
		}
	}
	return a, offset
}

// What Near returns is a lower bound, is no worse than convex combinations of planes and itself, which have at most
// the offset of the conjugate, and becomes the plane at f where the step is great.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	seen, hidden := 0, 0
	for trial := range 150 {
		n := 3 + rng.IntN(20)
		list := machines(rng, n)
		for _, m := range list {
			p := risk.ProximalOf(m.risk)
			if p == nil {
				continue
			}
			seen++
			near, _ := mixture(rng, p)
			f, a := make([]float64, n), make([]float64, n)
			for i := range f {
				f[i] = 2 * rng.NormFloat64()
			}
			step := math.Exp(6*rng.Float64() - 3)
			offset, ok := p.Near(a, f, near, step)
			if !ok {
				t.Fatalf("trial %d, %s: no solution", trial, m.name)
			}
			inPlace := slices.Clone(f)
			if again, ok := p.Near(inPlace, inPlace, near, step); !ok || math.Abs(again-offset) > 1e-9*(1+math.Abs(offset)) {
				t.Fatalf("trial %d, %s: in place of the scores %v, want %v", trial, m.name, again, offset)
			}
			best := nearness(a, f, near, offset, step)
			for range 20 {
				b, o := mixture(rng, p)
				share := math.Exp(-8 * rng.Float64())
				for i := range b {
					b[i] = share*b[i] + (1-share)*a[i]
				}
				if got := nearness(b, f, near, share*o+(1-share)*offset, step); got > best+1e-9*(1+math.Abs(best)) {
					t.Fatalf("trial %d, %s: %v, a mixture has %v", trial, m.name, best, got)
				}
				scores := make([]float64, n)
				for i := range scores {
					scores[i] = 3 * rng.NormFloat64()
				}
				value, _ := p.Plane(b, scores)
				bound := offset
				for i, v := range a {
					bound -= v * scores[i]
				}
				if bound > value+1e-9*(1+math.Abs(value)) {
					t.Fatalf("trial %d, %s: bound %v of %v", trial, m.name, bound, value)
				}
			}
			if offset, ok = p.Near(a, f, near, 1e5); !ok {
				hidden++
				continue
			}
			value, _ := p.Plane(make([]float64, n), f)
			for i, v := range a {
				offset -= v * f[i]
			}
			if math.Abs(offset-value) > 1e-2*(1+math.Abs(value)) {
				t.Fatalf("trial %d, %s: far away %v, want %v at f", trial, m.name, offset, value)
			}
		}
	}
	if seen < 600 || hidden > seen/20 {
		t.Fatalf("%d risks with planes near others, %d times rounding hid one far away", seen, hidden)
	}
}

// What Near writes changes by its slopes where scores change a little, in nearly all places.
func TestSlopes(t *testing.T) {
	const tiny = 1e-7
	rng := rand.New(rand.NewPCG(13, 14))
	seen, bent := 0, 0
	for range 60 {
		n := 3 + rng.IntN(20)
		for _, m := range machines(rng, n) {
			p := risk.ProximalOf(m.risk)
			if p == nil {
				continue
			}
			near, _ := mixture(rng, p)
			f, change, step := make([]float64, n), make([]float64, n), math.Exp(4*rng.Float64()-2)
			for i := range f {
				f[i], change[i] = 2*rng.NormFloat64(), rng.NormFloat64()
			}
			a, after, h := make([]float64, n), make([]float64, n), make([]float64, n)
			if _, ok := p.Near(a, f, near, step); !ok {
				continue
			}
			sum, biased := p.Slopes(h, step)
			mean, total := 0.0, 0.0
			for i, slope := range h {
				if slope < 0 {
					t.Fatalf("%s: slope %v", m.name, slope)
				}
				mean += slope * change[i]
				total += slope
				f[i] += tiny * change[i]
			}
			if math.Abs(total-sum) > 1e-12*(1+total) || biased == p.NoBias {
				t.Fatalf("%s: slopes sum to %v, want %v; biased %v", m.name, sum, total, biased)
			}
			if mean /= sum; !biased || sum == 0 {
				mean = 0
			}
			if _, ok := p.Near(after, f, near, step); !ok {
				continue
			}
			seen++
			for i, slope := range h {
				want := -slope * (change[i] - mean)
				if got := (after[i] - a[i]) / tiny; math.Abs(got-want) > 1e-4*(1+step) {
					bent++ // a coefficient came to a bound or left one
					break
				}
			}
		}
	}
	if seen < 300 || bent > seen/50 {
		t.Errorf("%d of %d changes are not those of the slopes", bent, seen)
	}
}
