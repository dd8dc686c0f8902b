package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
)

// checkSolution recomputes from the definition all that a solution of any problem with the hinge loss claims.
func checkSolution(t testing.TB, name string, k *Precomputed, p Problem, sol Solution, tol float64) {
	t.Helper()
	in := weighted(p.Linear, p.Weights, p.Costs)
	in.Sum = p.Sum
	f := make([]float64, k.N)
	sum, size, square, linear := 0.0, 0.0, 0.0, 0.0
	for i, b := range sol.Coef {
		f[i] = dot(k.row(i), sol.Coef)
		if lo, hi := in.box(i); b < lo-1e-12 || b > hi+1e-12 {
			t.Errorf("%s: coefficient %d is %v, want %v to %v", name, i, b, lo, hi)
		}
		sum += b
		size += math.Abs(b)
		square += b * f[i]
		linear += b * p.Linear[i]
	}
	if math.Abs(sum-p.Sum) > 1e-9*size {
		t.Errorf("%s: coefficients sum to %v, want %v", name, sum, p.Sum)
	}
	primal, dual := square/2+biasLoss(in, f, -sol.Rho), linear-square/2
	if math.Abs(primal-sol.Primal) > 1e-9*(1+math.Abs(primal)) || sol.Dual < dual-1e-9*(1+math.Abs(dual)) {
		t.Errorf("%s: objectives %v and %v, want %v and %v", name, sol.Primal, sol.Dual, primal, dual)
	}
	if sol.Gap > tol {
		t.Errorf("%s: gap %v, want at most %v", name, sol.Gap, tol)
	}
}

// solveAll solves a problem on a matrix of features with every solver that can, and makes sure that they agree.
func solveAll(t *testing.T, name string, g *svmtest.Gram, p Problem) (sol Solution) {
	t.Helper()
	k, reference := dense(g), math.NaN()
	p.Tol = 1e-7
	for _, s := range []planned{SMO{}, SMO{NoShrinking: true}, DualCoordinate{}, CuttingPlane{}, Auto{}} {
		if s.Check(p) != nil {
			continue
		}
		name := fmt.Sprintf("%s, %T", name, s)
		var err error
		if sol, err = s.Solve(context.Background(), g, p); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		checkSolution(t, name, k, p, sol, 1e-6)
		if math.Abs(sol.Primal-reference) > 1e-5*math.Abs(reference) {
			t.Errorf("%s: primal %v, want %v", name, sol.Primal, reference)
		}
		reference = sol.Primal
	}
	return sol
}

// TestWeightsCountLikeRepeats: a record of weight m is a record m times.
func TestWeightsCountLikeRepeats(t *testing.T) {
	g, y := svmtest.Planted(120, 60, 4, 0.2, 0.1, 5)
	rng := rand.New(rand.NewPCG(1, 2))
	all := &svmtest.Gram{Features: g.Features}
	var repeated, weights []float64
	for i, v := range y {
		m := 1 + rng.IntN(3)
		weights = append(weights, float64(m)*v)
		for range m {
			all.IDs, all.Values, repeated = append(all.IDs, g.IDs[i]), append(all.Values, g.Values[i]),
				append(repeated, v)
		}
	}
	costs := Costs{0.5, 2}
	once := solveAll(t, "weights", g, Problem{Linear: y, Weights: weights, Costs: costs})
	often := solveAll(t, "repeats", all, Problem{Linear: repeated, Weights: repeated, Costs: costs})
	if math.Abs(once.Primal-often.Primal) > 1e-5*often.Primal {
		t.Errorf("primal %v, of repeated records %v", once.Primal, often.Primal)
	}
}

// TestRegressionIsAProblem: with every record twice, at t − ε and at t + ε, the risk is C max(0, |t − f − b| − ε).
func TestRegressionIsAProblem(t *testing.T) {
	const epsilon, c = 0.1, 3.0
	g, _ := svmtest.Planted(80, 60, 4, 0.2, 0.1, 5)
	n := g.Len()
	g.IDs, g.Values = slices.Concat(g.IDs, g.IDs), slices.Concat(g.Values, g.Values)
	p := Problem{Linear: make([]float64, 2*n), Weights: make([]float64, 2*n), Costs: Costs{c, c}}
	target := make([]float64, n)
	for i := range n {
		target[i] = math.Sin(float64(i))
		p.Linear[i], p.Linear[n+i] = target[i]-epsilon, target[i]+epsilon
		p.Weights[i], p.Weights[n+i] = 1, -1
	}
	sol := solveAll(t, "regression", g, p)
	k := dense(g)
	want := 0.0
	for i := range n {
		f := dot(k.row(i), sol.Coef)
		want += (sol.Coef[i]+sol.Coef[n+i])*f/2 + c*max(0, math.Abs(target[i]-f+sol.Rho)-epsilon)
	}
	if math.Abs(sol.Primal-want) > 1e-9*want {
		t.Errorf("primal %v, want %v", sol.Primal, want)
	}
}

// TestOneClassIsAProblem: with Σ β = νn, at most νn records are outside and at least νn have a coefficient.
func TestOneClassIsAProblem(t *testing.T) {
	g, _ := svmtest.Planted(200, 60, 3, 0.2, 0.1, 5)
	ones := slices.Repeat([]float64{1}, g.Len())
	k := dense(g)
	for _, nu := range []float64{0.1, 0.5, 1} {
		p := Problem{Linear: make([]float64, g.Len()), Weights: ones, Costs: Costs{1, 1}, Sum: nu * float64(g.Len())}
		sol := solveAll(t, fmt.Sprintf("ν = %v", nu), g, p)
		outside := 0
		for i := range ones {
			if dot(k.row(i), sol.Coef)+1e-3*math.Abs(sol.Rho) < sol.Rho {
				outside++
			}
		}
		if most := nu * float64(g.Len()); float64(outside) > most+1 || float64(sol.SupportVectors()) < most-1e-6 {
			t.Errorf("ν = %v: %d outside, %d support vectors of %d", nu, outside, sol.SupportVectors(), g.Len())
		}
	}
}

func TestProblemErrors(t *testing.T) {
	g, y := points(4, 2, false, 1)
	for want, p := range map[string]Problem{
		"Weights[2] = 0, want":                         {Linear: y, Weights: []float64{1, -1, 0, 1}},
		"Weights[0] = +Inf, want":                      {Linear: y, Weights: []float64{math.Inf(1), -1, 1, 1}},
		"Linear[1] = NaN, want":                        {Linear: []float64{1, math.NaN(), 1, 1}, Weights: y},
		"coefficients sum to 0 to 4":                   {Linear: y, Weights: []float64{1, 1, 1, 1}},
		"coefficients sum to -2 to 2, want Sum = 3":    {Linear: y, Weights: y, Sum: 3},
		"Sum = 1, want 0 for the loss squared-hinge":   {Linear: y, Weights: y, Sum: 1, Loss: SquaredHinge},
		"4 linear terms and 3 weights for a Gram":      {Linear: y, Weights: y[:3]},
		"Start has 2 coefficients for 4 records, want": {Linear: y, Weights: y, Start: []float64{0, 0}},
	} {
		s := Solver(SMO{})
		if p.Start != nil {
			s = CuttingPlane{}
		}
		if _, err := s.Solve(context.Background(), g, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
