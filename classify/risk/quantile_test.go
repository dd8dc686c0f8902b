package risk_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/risk"
)

// biasLoss is R(b) by its definition.
func biasLoss(p *risk.Hinges, f []float64, b float64) (loss float64) {
	for i, v := range p.Points {
		loss += p.Cost(i) * max(0, math.Copysign(v-f[i]-b, p.Weights[i]*(v-f[i]-b)))
	}
	for _, s := range p.Sums {
		loss += s * b
	}
	return loss
}

// checkBias compares with the loss at every breakpoint, one of which is a minimiser, and checks the plane: coefficients
// in their bounds that have the sum of the problem, and touch the loss.
func checkBias(t rapid.TB, p *risk.Hinges, f []float64) {
	least := math.Inf(1)
	for i, y := range p.Points {
		least = min(least, biasLoss(p, f, y-f[i]))
	}
	var minimisers []float64
	for i, y := range p.Points {
		if biasLoss(p, f, y-f[i]) <= least+1e-12*math.Abs(least) {
			minimisers = append(minimisers, y-f[i])
		}
	}
	b := p.Bias(f)
	if got := biasLoss(p, f, b); got > least+1e-12*math.Abs(least) {
		t.Fatalf("loss %v at b = %v, want %v", got, b, least)
	}
	if want := (slices.Min(minimisers) + slices.Max(minimisers)) / 2; math.Abs(b-want) > 1e-12*(1+math.Abs(want)) {
		t.Fatalf("b = %v, want the middle %v of the minimisers", b, want)
	}
	a := make([]float64, len(f))
	value, offset := p.Plane(a, f)
	size := 0.0
	for i, v := range a {
		offset -= v * f[i]
		size += math.Abs(v)
		if p.Weights[i]*v < 0 || math.Abs(v) > p.Cost(i) {
			t.Fatalf("a[%d] = %v outside its box", i, v)
		}
	}
	sum := 0.0
	for _, s := range p.Sums {
		sum += s
	}
	for _, v := range a {
		sum -= v
	}
	if math.Abs(sum) > 1e-12*size {
		t.Fatalf("Σ a is off by %v", sum)
	}
	if slack := 1e-9 * (1 + math.Abs(least)); math.Abs(offset-least) > slack || math.Abs(value-least) > slack {
		t.Fatalf("the plane is %v at its point, its value %v, want the loss %v", offset, value, least)
	}
}

// TestBias: any weights, points and sums of coefficients; few distinct scores, so that ties and balanced sides occur
// often.
func TestBias(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		points, weights, f := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range f {
			f[i] = float64(rapid.IntRange(-3, 3).Draw(t, "f")) / 4
			points[i] = float64(rapid.IntRange(-3, 3).Draw(t, "p")) / 2
			weights[i] = rapid.SampledFrom([]float64{-3, -1, -0.5, 0.25, 1, 2}).Draw(t, "w")
		}
		weights[0], weights[1] = 1, -1
		// costs that differ more are in TestBiasOfUnlikeCosts: here losses that differ by a cheap record would look equal
		cost := rapid.SampledFrom([]float64{1e-3, 0.1, 0.5, 1, 2, 1e3})
		p := &risk.Hinges{Points: points, Weights: weights,
			Costs: risk.Costs{Positive: cost.Draw(t, "C+"), Negative: cost.Draw(t, "C-")}, Sums: []float64{0}}
		most, least := 0.0, 0.0
		for i, w := range weights {
			most += max(0, math.Copysign(p.Cost(i), w))
			least += min(0, math.Copysign(p.Cost(i), w))
		}
		p.Sums[0] = rapid.SampledFrom([]float64{0, 0, most / 2, most, least / 4, least}).Draw(t, "s")
		if p.Sums[0] != most && p.Sums[0] != least { // there the minimisers have no end
			checkBias(t, p, f)
			return
		}
		b, far := p.Bias(f), math.Copysign(1e3, -p.Sums[0])
		if here, there := biasLoss(p, f, b), biasLoss(p, f, far); math.Abs(here-there) > 1e-9*(1+math.Abs(there)) {
			t.Fatalf("loss %v at b = %v, %v at %v", here, b, there, far)
		}
	})
}

// TestBiasOfUnlikeCosts: a slope of the cheap class alone is not a rounding error of the expensive one's.
func TestBiasOfUnlikeCosts(t *testing.T) {
	y, f := make([]float64, 1010), make([]float64, 1010)
	for i := range f {
		y[i], f[i] = 1, float64(i%7)/4
		if i >= 1000 {
			y[i], f[i] = -1, -float64(i%5) // breakpoints on both sides of the positive ones
		}
	}
	checkBias(t, &risk.Hinges{Points: y, Weights: y, Costs: risk.Costs{Positive: 1e6, Negative: 1e-6}}, f)
	checkBias(t, &risk.Hinges{Points: y, Weights: y, Costs: risk.Costs{Positive: 1e-6, Negative: 1e6}}, f)
}

// TestBiasBetweenNeighbours: nothing lies between two breakpoints that are neighbouring floating-point numbers, but the
// shares of the records must still balance.
func TestBiasBetweenNeighbours(t *testing.T) {
	low, zeros, a := 0.3, make([]float64, 2), make([]float64, 2)
	for range 4 {
		high := math.Nextafter(low, 1)
		for _, first := range []float64{1, -1} {
			h := &risk.Hinges{Points: []float64{low, high}, Weights: []float64{first, -first},
				Costs: risk.Costs{Positive: 1, Negative: 1}}
			if h.Plane(a, zeros); a[0]+a[1] != 0 {
				t.Errorf("breakpoints %v and %v, the first of weight %v: coefficients %v", low, high, first, a)
			}
		}
		low = high
	}
}

// TestBiasOfManyPoints compares with the weighted quantile of sorted points.
func TestBiasOfManyPoints(t *testing.T) {
	const n = 40_000
	y, f := make([]float64, n), make([]float64, n)
	for i := range f {
		y[i] = -1
		if i%3 == 0 {
			y[i] = 1
		}
		f[i] = math.Sin(float64(i*i)) + 0.1*y[i]
	}
	p := &risk.Hinges{Points: y, Weights: y, Costs: risk.Costs{Positive: 1, Negative: 0.37}}
	order, target := make([]int, n), 0.0
	for i := range order {
		if order[i] = i; y[i] > 0 {
			target += p.Cost(i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return int(math.Copysign(1, y[i]-f[i]-(y[j]-f[j]))) })
	for _, i := range order {
		if target -= p.Cost(i); target <= 0 {
			if got := p.Bias(f); got != y[i]-f[i] {
				t.Errorf("b = %v, want the weighted quantile %v", got, y[i]-f[i])
			}
			return
		}
	}
}

// TestPlanesOnThreads has the same bits on any number of threads.
func TestPlanesOnThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	rng := rand.New(rand.NewPCG(5, 6))
	y, f := make([]float64, 5*risk.PartLen), make([]float64, 5*risk.PartLen)
	for i := range y {
		y[i], f[i] = float64(2*rng.IntN(2)-1), rng.NormFloat64()
	}
	h := &risk.Hinges{Points: y, Weights: y, Costs: risk.Costs{1, 0.7}}
	plane := func() []float64 {
		a := make([]float64, len(f), len(f)+2)
		value, offset := h.Plane(a, f)
		return append(a, value, offset)
	}
	want := plane()
	if runtime.GOMAXPROCS(4); !slices.Equal(plane(), want) {
		t.Error("four threads have other bits")
	}
}
