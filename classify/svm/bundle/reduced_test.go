package bundle

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// bestBySupport solves the reduced problem by trying every support: for each, the stationary point under Σ λ = 1.
func bestBySupport(g [][]float64, offset []float64) float64 {
	m := len(offset)
	best := 0.0 // the zero plane alone
	for set := 1; set < 1<<m; set++ {
		var s []int
		for t := range m {
			if set>>t&1 == 1 {
				s = append(s, t)
			}
		}
		k := len(s)
		a, rhs := mat.NewDense(k+1, k+1, nil), mat.NewVecDense(k+1, nil)
		for i, t := range s {
			for j, u := range s {
				a.Set(i, j, g[t][u])
			}
			a.Set(i, k, 1)
			a.Set(k, i, 1)
			rhs.SetVec(i, offset[t])
		}
		rhs.SetVec(k, 1)
		var x mat.VecDense
		if x.SolveVec(a, rhs) != nil {
			continue // singular: a smaller support reaches the same value
		}
		value, feasible := 0.0, true
		for i, t := range s {
			feasible = feasible && x.AtVec(i) >= 0
			value += x.AtVec(i) * offset[t]
			for j, u := range s {
				value -= x.AtVec(i) * x.AtVec(j) * g[t][u] / 2
			}
		}
		if feasible {
			best = max(best, value)
		}
	}
	return best
}

func TestReducedAgainstAllSupports(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 300 {
		m, rank := 1+rng.IntN(6), 1+rng.IntN(6)
		planes := make([][]float64, m)
		r := newReduced(true)
		g, offset := [][]float64{{0}}, []float64{0}
		for p := range planes {
			planes[p] = make([]float64, rank)
			for i := range planes[p] {
				planes[p][i] = rng.NormFloat64()
			}
			if p > 0 && rng.IntN(5) == 0 {
				copy(planes[p], planes[rng.IntN(p)]) // dependent planes
			}
			column := make([]float64, p+1)
			for q := range p {
				column[q+1] = vectors.Dot(planes[p], planes[q])
			}
			diagonal, height := vectors.Dot(planes[p], planes[p]), 3*rng.Float64()
			for q := range g {
				g[q] = append(g[q], column[q])
			}
			g = append(g, append(append([]float64(nil), column...), diagonal))
			offset = append(offset, height)
			r.add(column, diagonal, height)
			got, want := r.solve(1e-12), bestBySupport(g, offset)
			if math.Abs(got-want) > 1e-9*(1+want) {
				t.Fatalf("trial %d, %d planes of rank %d: value %v, want %v", trial, p+1, rank, got, want)
			}
			sum := 0.0
			for _, l := range r.lambda {
				if l < 0 {
					t.Fatalf("trial %d: λ = %v", trial, r.lambda)
				}
				sum += l
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("trial %d: Σ λ = %v", trial, sum)
			}
		}
	}
}

func TestReducedKeepsItsValueWhenIdlePlanesGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	r := newReduced(true)
	var planes [][]float64
	for range 80 {
		v := make([]float64, 10)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		column := []float64{0}
		for _, u := range planes {
			column = append(column, vectors.Dot(u, v))
		}
		planes = append(planes, v)
		r.add(column, vectors.Dot(v, v), 1+rng.Float64())
		r.solve(1e-12)
	}
	before := r.solve(1e-12)
	kept := make([]bool, len(r.g))
	for p := range kept {
		kept[p] = p == 0 || r.supports(p)
	}
	r.keep(kept)
	if after := r.solve(1e-12); math.Abs(after-before) > 1e-12*before {
		t.Errorf("value %v, %v before planes without weight were dropped", after, before)
	}
}

func TestLineSearchAgainstAGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range 200 {
		n := 2 + rng.IntN(30)
		y := make([]float64, n)
		f, d, at := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range f {
			y[i] = float64(1 - 2*(i%2))
			f[i], d[i] = rng.NormFloat64(), 3*rng.NormFloat64()
		}
		hinges, plane := &risk.Hinges{Points: y, Weights: y, Costs: risk.Costs{Positive: 1, Negative: 2}}, make([]float64, n)
		l := line{q0: 1, q1: -rng.Float64() * 5, q2: float64(rng.IntN(3))}
		l.evaluate = func(kappa float64) (loss, slope float64) {
			for i := range at {
				at[i] = f[i] + kappa*d[i]
			}
			loss, _ = hinges.Plane(plane, at)
			return loss, -vectors.Dot(plane, d)
		}
		left, right := l.tangent(0), l.tangent(1)
		got := l.objective(l.minimise(left, right, 1e-9))
		least := math.Inf(1)
		for k := range 1001 {
			least = min(least, l.objective(l.tangent(float64(k)/1000)))
		}
		if got > least+1e-8 {
			t.Fatalf("trial %d: objective %v, %v on a grid", trial, got, least)
		}
	}
}
