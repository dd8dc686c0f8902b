package process_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

func TestRidgeErrors(t *testing.T) {
	g := &svm.Precomputed{N: 2, K: []float64{1, 0, 0, 1}}
	y := []float64{1, 2}
	for want, p := range map[string]process.Regression{
		"want one each per record": {Targets: y[:1], Lambda: 1},
		"target of record 1":       {Targets: []float64{1, math.NaN()}, Lambda: 1},
		"weight of record 0":       {Targets: y, Weights: []float64{-1, 1}, Lambda: 1},
		"no record has a weight":   {Targets: y, Weights: []float64{0, 0}, Lambda: 1},
		"Lambda = 0":               {Targets: y},
		"Tol = 2":                  {Targets: y, Lambda: 1, Tol: 2},
	} {
		if _, err := (process.Ridge{}).Solve(context.Background(), g, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (process.Ridge{}).Solve(done, g, process.Regression{Targets: y, Lambda: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, err := (process.Ridge{}).Solve(context.Background(), &svm.Precomputed{N: 2, K: []float64{1, math.Inf(1), 1, 1}},
		process.Regression{Targets: y, Lambda: 1}); err == nil {
		t.Error("no error for infinite kernel values")
	}
}

func ExampleRidge() {
	g := &svm.Precomputed{N: 3, K: []float64{
		2, 1, 0,
		1, 2, 1,
		0, 1, 2,
	}}
	problem := process.Regression{Targets: []float64{1, 2, 6}, Lambda: 1, Tol: 1e-12}
	machine, err := process.Ridge{}.Solve(context.Background(), g, problem)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f bias %.4f\n", machine.Coef, -machine.Rho)
	// Output: [-0.5333 -0.6000 1.1333] bias 3.2000
}

// problems lists the kinds of regression problems on n records.
func problems(rng *rand.Rand, n int) map[string]process.Regression {
	y, w := randomVector(rng, n), make([]float64, n)
	for i := range w {
		y[i] += 2
		w[i] = 0.1 + 3*rng.Float64()
	}
	return map[string]process.Regression{
		"bias":             {Targets: y, Lambda: 0.03},
		"no bias":          {Targets: y, Lambda: 0.03, NoBias: true},
		"weights":          {Targets: y, Weights: w, Lambda: 0.3},
		"weights, no bias": {Targets: y, Weights: w, Lambda: 0.3, NoBias: true},
	}
}

// The machine is that of dense algebra, with its objective on both sides.
func TestRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 9, 150} {
		s := newSample(rng, n, 20)
		for name, p := range problems(rng, n) {
			coef, bias, _ := s.bordered(t, p, upTo(n))
			p.Tol = 1e-20
			got := must.Get(process.Ridge{}.Solve(context.Background(), s.gram, p))(t)
			if d := greatestDifference(got.Coef, coef); d > 1e-8 || math.Abs(got.Rho+bias) > 1e-8 {
				t.Errorf("%s, n %d: coefficients off by %g, bias by %g", name, n, d, got.Rho+bias)
			}
			want := 0.0
			for i, a := range coef {
				f, w := s.score(coef, i), 1.0
				if p.Weights != nil {
					w = p.Weights[i]
				}
				want += a*f/2 + w*(p.Targets[i]-f-bias)*(p.Targets[i]-f-bias)/(2*p.Lambda)
			}
			if relative(got.Primal, want) > 1e-10 || relative(got.Dual, want) > 1e-10 || got.Gap > 1e-14 {
				t.Errorf("%s, n %d: %v to %v, gap %g, want %v", name, n, got.Dual, got.Primal, got.Gap, want)
			}
		}
	}
}

// At any tolerance the optimum lies between dual and primal, and the gap meets the tolerance.
func TestRidgeBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	const n = 120
	s := newSample(rng, n, 40)
	for name, p := range problems(rng, n) {
		p.Tol = 1e-22
		exact := must.Get(process.Ridge{}.Solve(context.Background(), s.gram, p))(t)
		for _, p.Tol = range []float64{0.5, 1e-2, 1e-4, 1e-8} {
			got := must.Get(process.Ridge{}.Solve(context.Background(), s.gram, p))(t)
			if got.Gap > p.Tol || got.Dual > exact.Primal*(1+1e-12) || got.Primal < exact.Dual*(1-1e-12) {
				t.Errorf("%s: %v to %v, gap %g, optimum %v", name, got.Dual, got.Primal, got.Gap, exact.Primal)
			}
		}
	}
}

func TestRidgeSolveAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	s := newSample(rng, 100, 0)
	lambdas := []float64{1, 0.01, 0.1, 10}
	for name, p := range problems(rng, 100) {
		p.Tol = 1e-16
		all := must.Get(process.Ridge{}.SolveAll(context.Background(), s.gram, p, lambdas))(t)
		products := 0
		for k, got := range all {
			p.Lambda = lambdas[k]
			coef, bias, _ := s.bordered(t, p, upTo(100))
			// ‖r‖²/2λ is the gap, and the coefficients are ‖r‖/λ off at most, in units of the weights' roots
			tol := 1e-6 + 4*math.Sqrt(2*got.Gap*got.Primal/p.Lambda)
			if d := greatestDifference(got.Coef, coef); d > tol || math.Abs(got.Rho+bias) > 1e-6 || got.Gap > p.Tol {
				t.Errorf("%s, λ = %g: off by %g and %g, gap %g", name, p.Lambda, d, got.Rho+bias, got.Gap)
			}
			products += got.Products
		}
		p.Lambda = 0.01
		least, err := process.Ridge{}.Solve(context.Background(), s.gram, p)
		if err != nil || products > 2*least.Products+20 {
			t.Errorf("%s: %d products for all, %d for the least, %v", name, products, least.Products, err)
		}
	}
}

// A record of weight 2 is two records, one of weight 0 none.
func TestRidgeWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	const n = 30
	s := newSample(rng, n, 0)
	y := randomVector(rng, n)
	weights := make([]float64, n)
	var kept []int
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			kept = append(kept, i)
		}
	}
	m := len(kept)
	twice := &svm.Precomputed{N: m, K: make([]float64, m*m)}
	targets := make([]float64, m)
	for i, x := range kept {
		targets[i] = y[x]
		for j, z := range kept {
			twice.K[i*m+j] = s.all.At(x, z)
		}
	}
	weighted := process.Regression{Targets: y, Weights: weights, Lambda: 0.1, Tol: 1e-18}
	got := must.Get(process.Ridge{}.Solve(context.Background(), s.gram, weighted))(t)
	want := must.Get(process.Ridge{}.Solve(context.Background(), twice, process.Regression{Targets: targets, Lambda: 0.1, Tol: 1e-18}))(t)
	folded := make([]float64, n)
	for i, x := range kept {
		folded[x] += want.Coef[i]
	}
	if d := greatestDifference(got.Coef, folded); d > 1e-8 || relative(got.Rho, want.Rho) > 1e-8 ||
		relative(got.Primal, want.Primal) > 1e-10 {
		t.Errorf("coefficients off by %g, rho %v and %v, primal %v and %v",
			d, got.Rho, want.Rho, got.Primal, want.Primal)
	}
}

func TestRidgeProgress(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	s := newSample(rng, 50, 0)
	var seen []svm.Progress
	p := process.Regression{Targets: randomVector(rng, 50), Lambda: 0.01, Tol: 1e-9}
	p.Progress = func(step svm.Progress) { seen = append(seen, step) }
	got := must.Get(process.Ridge{}.Solve(context.Background(), s.gram, p))(t)
	last := seen[len(seen)-1]
	if len(seen) < 5 || !last.Done || last.Gap != got.Gap || last.Iterations != got.Iterations {
		t.Errorf("%d reports, the last %+v", len(seen), last)
	}
	if !slices.IsSortedFunc(seen[:len(seen)-1], func(a, b svm.Progress) int {
		return int(math.Copysign(1, a.Dual*(1+1e-12)-b.Dual))
	}) {
		t.Error("the dual value falls")
	}
}
