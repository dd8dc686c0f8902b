package risk

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// biasLoss is R(b) by its definition.
func biasLoss(p *Hinges, f []float64, b float64) (loss float64) {
	for i, v := range p.Points {
		loss += p.Cost(i) * max(0, math.Copysign(v-f[i]-b, p.Weights[i]*(v-f[i]-b)))
	}
	return loss + p.sum(0)*b
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
		checkBias(t, &Hinges{Points: y, Weights: y, Costs: Costs{cost.Draw(t, "C+"), cost.Draw(t, "C-")}}, f)
	})
}

// checkBias compares with the loss at every breakpoint (one of which is a minimiser), and checks the subgradient.
func checkBias(t rapid.TB, p *Hinges, f []float64) {
	p.minimise(f)
	b := p.biases[0]
	least := math.Inf(1)
	var minimisers []float64
	for i, y := range p.Points {
		least = min(least, biasLoss(p, f, y-f[i]))
	}
	for i, y := range p.Points {
		if biasLoss(p, f, y-f[i]) <= least+1e-12*math.Abs(least) {
			minimisers = append(minimisers, y-f[i])
		}
	}
	if got := biasLoss(p, f, b.value); got > least+1e-12*math.Abs(least) {
		t.Fatalf("loss %v at b = %v, want %v", got, b.value, least)
	}
	if want := (slices.Min(minimisers) + slices.Max(minimisers)) / 2; math.Abs(b.value-want) > 1e-12*(1+math.Abs(want)) {
		t.Fatalf("b = %v, want the middle %v of the minimisers", b.value, want)
	}
	shares, sum, size, offset := p.sharesOf(0), 0.0, 0.0, 0.0
	for i, y := range p.Points {
		w := p.Weights[i]
		a := shares.of(w, y-f[i]) * math.Abs(w)
		sum += a
		size += math.Abs(a)
		offset += a * (y - f[i])
		if w*a < 0 || math.Abs(a) > p.Cost(i) {
			t.Fatalf("a[%d] = %v outside its box", i, a)
		}
	}
	if math.Abs(sum-p.sum(0)) > 1e-12*size {
		t.Fatalf("Σ a = %v, want %v", sum, p.sum(0))
	}
	if math.Abs(offset-least) > 1e-9*(1+math.Abs(least)) { // the plane touches the loss: Σ a_i (e_i − b) = Σ a_i e_i
		t.Fatalf("the plane is %v at its point, want the loss %v", offset, least)
	}
}

// TestBiasOfUnlikeCosts: a slope of the cheap class alone is not a rounding error of the expensive one's.
func TestBiasOfUnlikeCosts(t *testing.T) {
	y := make([]float64, 1010)
	f := make([]float64, len(y))
	for i := range f {
		y[i], f[i] = 1, float64(i%7)/4
		if i >= 1000 {
			y[i], f[i] = -1, -float64(i%5) // breakpoints on both sides of the positive ones
		}
	}
	checkBias(t, &Hinges{Points: y, Weights: y, Costs: Costs{1e6, 1e-6}}, f)
	checkBias(t, &Hinges{Points: y, Weights: y, Costs: Costs{1e-6, 1e6}}, f)
}

// TestBiasBetweenNeighbours: nothing lies between two breakpoints that are neighbouring floating-point numbers, but the
// shares of the records must still balance.
func TestBiasBetweenNeighbours(t *testing.T) {
	q := quantile{costs: Costs{1, 1}, positives: 1}
	low := 0.3
	for range 4 {
		high := math.Nextafter(low, 1)
		for _, first := range []float64{1, -1} {
			b := q.find([]breakpoint{{low, first}, {high, -first}})
			shares := (&Hinges{Costs: q.costs, biases: []bias{b}}).sharesOf(0)
			sum := 0.0
			for _, e := range []breakpoint{{low, first}, {high, -first}} {
				sum += shares.of(e.weight, e.at)
			}
			if sum != 0 {
				t.Errorf("breakpoints %v and %v, the first of weight %v: b = %+v, Σ a = %v", low, high, first, b, sum)
			}
		}
		low = high
	}
}

func TestBiasOfManyPoints(t *testing.T) {
	const n = 5000
	y := make([]float64, n)
	f := make([]float64, n)
	for i := range f {
		y[i] = -1
		if i%3 == 0 {
			y[i] = 1
		}
		f[i] = math.Sin(float64(i*i)) + 0.1*y[i]
	}
	p := &Hinges{Points: y, Weights: y, Costs: Costs{1, 0.37}}
	b := p.Bias(f)
	type point struct{ e, c float64 }
	var points []point
	target := 0.0
	for i, y := range y {
		points = append(points, point{y - f[i], p.Cost(i)})
		if y > 0 {
			target += p.Cost(i)
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
			if pt.e != b {
				t.Fatalf("b = %v, want the weighted quantile %v", b, pt.e)
			}
			return
		}
	}
}

// TestBiasOfWeights: any weights, linear terms and sums of coefficients.
func TestBiasOfWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		linear, weights, f := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range f {
			f[i] = float64(rapid.IntRange(-3, 3).Draw(t, "f")) / 4
			linear[i] = float64(rapid.IntRange(-3, 3).Draw(t, "p")) / 2
			weights[i] = rapid.SampledFrom([]float64{-3, -1, -0.5, 0.25, 1, 2}).Draw(t, "w")
		}
		weights[0], weights[1] = 1, -1
		p := &Hinges{Points: linear, Weights: weights, Costs: Costs{0.5, 2}, Sums: []float64{0}}
		most, least := 0.0, 0.0
		for i, w := range weights {
			most += max(0, math.Copysign(p.Cost(i), w))
			least += min(0, math.Copysign(p.Cost(i), w))
		}
		p.Sums[0] = rapid.SampledFrom([]float64{0, 0, most / 2, most, least / 4, least}).Draw(t, "s")
		if p.sum(0) != most && p.sum(0) != least { // there the minimisers have no end
			checkBias(t, p, f)
			return
		}
		if b, far := p.Bias(f), math.Copysign(1e3,
			-p.sum(0)); math.Abs(biasLoss(p, f, b)-biasLoss(p, f, far)) > 1e-9 {
			t.Fatalf("loss %v at b = %v, %v at %v", biasLoss(p, f, b), b, biasLoss(p, f, far), far)
		}
	})
}

// TestBiasWithinAnInterval compares with the selection among all breakpoints, also where the sample misleads: the
// records it sees are all on one side of the others.
func TestBiasWithinAnInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	const n = narrowed + 5
	for scored, f := range divisionScores(rng, n) {
		for name, h := range dividedRisks(rng, n) {
			checkInterval(t, name+", "+scored, h, f)
			misled := slices.Clone(f)
			h.likely(&quantile{h.Costs, h.positives[0], h.sum(0)}, func(dst []float64, lo int) {
				dst[0], misled[lo] = f[lo], f[lo]+1e6
			})
			checkInterval(t, name+", misled by "+scored, h, misled)
		}
	}
}

func checkInterval(t *testing.T, name string, h *Hinges, f []float64) {
	h.minimise(f)
	q := quantile{h.Costs, h.positives[0], h.sum(0)}
	got, want := h.biases[0], q.find(h.breakpoints(0, 1, f))
	if scale := 1 + math.Abs(want.value); math.Abs(got.value-want.value) > 1e-12*scale ||
		math.Abs(got.positivesTied-want.positivesTied) > 1e-9 || math.Abs(got.negativesTied-want.negativesTied) > 1e-9 {
		t.Errorf("%s: bias %+v, want %+v", name, got, want)
	}
}
