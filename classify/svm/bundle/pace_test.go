package bundle

import (
	"math"
	"testing"
)

// touched returns how many of n iterations touch where the gap falls by the given parts in each.
func touched(n int, near, touching func(i int) float64) (count int) {
	var p pace
	gap := 0.5
	for i := range n {
		fall := near(i)
		if p.touching {
			fall = touching(i)
			count++
		}
		gap *= math.Exp(-fall)
		p.after(gap)
	}
	return count
}

func steady(fall float64) func(int) float64 { return func(int) float64 { return fall } }

// The faster kind gets most of the iterations, and the other one a phase now and then. Where planes near the goal are
// fast, none touches.
func TestPace(t *testing.T) {
	const n = 50 * paceLen
	for _, c := range []struct {
		name     string
		near     func(int) float64
		touching float64
		lo, hi   int
	}{
		{"fast near the goal", steady(0.2), 1, 0, 0},
		{"slow, touching slower", steady(0.1), 0.05, paceLen, 15 * paceLen},
		{"slow, touching faster", steady(0.05), 0.1, 35 * paceLen, 49 * paceLen},
		{"slow at first only", func(i int) float64 { return min(0.2, 0.01+float64(i)/1000) }, 0.1, paceLen, 25 * paceLen},
	} {
		if got := touched(n, c.near, steady(c.touching)); got < c.lo || got > c.hi {
			t.Errorf("%s: %d of %d iterations touch, want %d to %d", c.name, got, n, c.lo, c.hi)
		}
	}
}
