package lasso

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/rows"
)

// randomProblem draws records whose label a few features tell.
func randomProblem(seed uint64, n, width int, logistic bool, cost float64) Problem {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := Problem{Rows: rows.New(n, 0, width), Logistic: logistic, Tol: 1e-7, Seed: seed}
	for i := range n {
		y := float64(1 - 2*(i%2))
		for j := range width {
			if rng.IntN(4) == 0 {
				v := rng.NormFloat64()
				if j < 3 {
					v += y
				}
				p.Rows.Add(int32(j), v)
			}
		}
		p.Rows.End()
		p.Y, p.Costs = append(p.Y, y), append(p.Costs, cost*(1+float64(i%3)/2))
	}
	return p
}

// objective is the primal by its definition.
func (p Problem) objective(w []float64, bias float64) (value float64) {
	for _, v := range w {
		value += math.Abs(v)
	}
	for i, y := range p.Y {
		z := bias
		ids, values := p.Rows.Row(i)
		for e, id := range ids {
			z += w[id] * values[e]
		}
		if z *= y; p.Logistic {
			value += p.Costs[i] * math.Log1p(math.Exp(-z))
		} else {
			value += p.Costs[i] * math.Pow(max(0, 1-z), 2)
		}
	}
	return value
}

// The solution, with a bias and without one, meets the conditions of Karush, Kuhn and Tucker, and the gap is proved.
func TestSolutionIsOptimal(t *testing.T) {
	for seed := range uint64(12) {
		p := randomProblem(seed, 40, 30, seed%2 == 1, []float64{0.02, 0.3, 5}[seed%3])
		p.NoBias = seed/2%2 == 1
		s := must.Get(p.Solve(t.Context()))(t)
		if s.Gap > p.Tol || s.Dual > s.Primal*(1+1e-12) {
			t.Errorf("seed %d: gap %g, %v to %v", seed, s.Gap, s.Dual, s.Primal)
		}
		if got := p.objective(s.Weights, s.Bias); math.Abs(got-s.Primal) > 1e-10*got {
			t.Errorf("seed %d: the primal is %v, by its definition %v", seed, s.Primal, got)
		}
		gradient, balance := make([]float64, len(s.Weights)), 0.0
		for i, y := range p.Y {
			z := s.Bias
			ids, values := p.Rows.Row(i)
			for e, id := range ids {
				z += s.Weights[id] * values[e]
			}
			slope := -2 * p.Costs[i] * max(0, 1-y*z) * y
			if p.Logistic {
				slope = -p.Costs[i] * y / (1 + math.Exp(y*z))
			}
			balance += slope
			for e, id := range ids {
				gradient[id] += slope * values[e]
			}
		}
		const tol = 5e-3
		if p.NoBias && s.Bias != 0 || !p.NoBias && math.Abs(balance) > tol*math.Max(1, p.Costs[0]*10) {
			t.Errorf("seed %d: the bias is %v with slope %v", seed, s.Bias, balance)
		}
		for j, w := range s.Weights {
			if w != 0 && math.Abs(gradient[j]+math.Copysign(1, w)) > tol*math.Max(1, p.Costs[0]*10) ||
				math.Abs(gradient[j]) > 1+tol*math.Max(1, p.Costs[0]*10) {
				t.Errorf("seed %d: weight %v has slope %v of the losses", seed, w, gradient[j])
			}
		}
	}
}

// The least cost that has a feature is where the greatest slope at the best constant reaches 1.
func TestSmallCostsHaveNoFeatures(t *testing.T) {
	for _, logistic := range []bool{false, true} {
		p := randomProblem(3, 50, 20, logistic, 1e-4)
		s := must.Get(p.Solve(t.Context()))(t)
		for j, w := range s.Weights {
			if w != 0 {
				t.Errorf("feature %d has weight %v", j, w)
			}
		}
	}
}

func TestSolveTwice(t *testing.T) {
	p := randomProblem(9, 60, 40, true, 1)
	first := must.Get(p.Solve(t.Context()))(t)
	if again, err := p.Solve(t.Context()); err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("another solution of the same problem (%v)", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Solve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it is cancelled", err)
	}
	p.Y[0] = 2
	if _, err := p.Solve(t.Context()); err == nil || !strings.Contains(err.Error(), "label 2") {
		t.Errorf("%v for a label 2", err)
	}
	for i := range p.Y {
		p.Y[i] = 1
	}
	if _, err := p.Solve(t.Context()); err == nil || !strings.Contains(err.Error(), "one of each") {
		t.Errorf("%v for one class", err)
	}
}
