package svm

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// biasLoss is R(b) by its definition.
func biasLoss(p *problem, f []float64, b float64) (loss float64) {
	for i, y := range p.y {
		loss += p.cost(i) * max(0, 1-y*(f[i]+b))
	}
	return loss
}

func TestBiasMinimisesTheLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		y := make([]float64, n)
		y[0], y[1] = 1, -1
		for i := 2; i < n; i++ {
			y[i] = rapid.SampledFrom([]float64{-1, 1}).Draw(t, "y")
		}
		// Few distinct scores, so that ties and balanced sides occur often.
		spread := rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "spread")
		f := make([]float64, n)
		for i := range f {
			f[i] = float64(rapid.IntRange(-spread, spread).Draw(t, "f")) / 4
		}
		cost := rapid.SampledFrom([]float64{1e-6, 0.1, 1, 3, 1e6})
		p := &problem{y: y, costs: Costs{cost.Draw(t, "C+"), cost.Draw(t, "C-")}}
		for _, v := range y {
			if v > 0 {
				p.positives++
			}
		}
		checkBias(t, p, f)
	})
}

// checkBias compares with the loss at every breakpoint (one of which is a minimiser), and checks the subgradient.
func checkBias(t rapid.TB, p *problem, f []float64) {
	var q biasFinder
	b := q.minimise(p, f)
	least := math.Inf(1)
	var minimisers []float64
	for i, y := range p.y {
		least = min(least, biasLoss(p, f, y-f[i]))
	}
	for i, y := range p.y {
		if biasLoss(p, f, y-f[i]) <= least*(1+1e-12) {
			minimisers = append(minimisers, y-f[i])
		}
	}
	if got := biasLoss(p, f, b.value); got > least*(1+1e-12) {
		t.Fatalf("loss %v at b = %v, want %v", got, b.value, least)
	}
	if want := (slices.Min(minimisers) + slices.Max(minimisers)) / 2; math.Abs(b.value-want) > 1e-12*(1+math.Abs(want)) {
		t.Fatalf("b = %v, want the middle %v of the minimisers", b.value, want)
	}
	table, sum, size, offset := p.tableOf(b), 0.0, 0.0, 0.0
	for i, y := range p.y {
		a := table[codeOf(y, y-f[i], b.value)]
		sum += a
		size += math.Abs(a)
		offset += a * (y - f[i])
		if y*a < 0 || y*a > p.cost(i) {
			t.Fatalf("a[%d] = %v outside its box", i, a)
		}
	}
	if math.Abs(sum) > 1e-12*size {
		t.Fatalf("Σ a = %v, want 0", sum)
	}
	if math.Abs(offset-least) > 1e-9*(1+least) { // the plane touches the loss: Σ a_i (e_i − b) = Σ a_i e_i
		t.Fatalf("the plane is %v at its point, want the loss %v", offset, least)
	}
}

// TestBiasOfUnlikeCosts: a slope of the cheap class alone is no rounding error of the dear one's.
func TestBiasOfUnlikeCosts(t *testing.T) {
	p := &problem{y: make([]float64, 1010), costs: Costs{1e6, 1e-6}, positives: 1000}
	f := make([]float64, len(p.y))
	for i := range f {
		p.y[i], f[i] = 1, float64(i%7)/4
		if i >= p.positives {
			p.y[i], f[i] = -1, -float64(i%5) // breakpoints on both sides of the positive ones
		}
	}
	checkBias(t, p, f)
	p.costs = Costs{1e-6, 1e6}
	checkBias(t, p, f)
}

// TestBiasBetweenNeighbours: nothing lies between two breakpoints that are neighbouring floating-point numbers, but the
// shares of the records must still balance.
func TestBiasBetweenNeighbours(t *testing.T) {
	p := &problem{costs: Costs{1, 1}, positives: 1}
	low := 0.3
	for range 4 {
		high := math.Nextafter(low, 1)
		for _, positiveFirst := range []bool{true, false} {
			b := selectBias([]breakpoint{{low, positiveFirst}, {high, !positiveFirst}}, p.costs, 1)
			table := p.tableOf(b)
			sum := 0.0
			for _, e := range []breakpoint{{low, positiveFirst}, {high, !positiveFirst}} {
				y := -1.0
				if e.positive {
					y = 1
				}
				sum += table[codeOf(y, e.at, b.value)]
			}
			if sum != 0 {
				t.Errorf("breakpoints %v and %v, the positive one first %v: b = %+v, Σ a = %v", low, high, positiveFirst, b, sum)
			}
		}
		low = high
	}
}

func TestBiasOfManyPoints(t *testing.T) {
	const n = 5000
	p := &problem{y: make([]float64, n), costs: Costs{1, 0.37}}
	f := make([]float64, n)
	for i := range f {
		p.y[i] = -1
		if i%3 == 0 {
			p.y[i] = 1
			p.positives++
		}
		f[i] = math.Sin(float64(i*i)) + 0.1*p.y[i]
	}
	var q biasFinder
	b := q.minimise(p, f)
	type point struct{ e, c float64 }
	var points []point
	target := 0.0
	for i, y := range p.y {
		points = append(points, point{y - f[i], p.cost(i)})
		if y > 0 {
			target += p.cost(i)
		}
	}
	slices.SortFunc(points, func(a, b point) int {
		if a.e < b.e {
			return -1
		}
		return 1
	})
	sum := 0.0
	for _, pt := range points {
		if sum += pt.c; sum >= target {
			if pt.e != b.value {
				t.Fatalf("b = %v, want the weighted quantile %v", b.value, pt.e)
			}
			return
		}
	}
}
