package lasso

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
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

// The solution meets the conditions of Karush, Kuhn and Tucker, the gap is proved, and no weight near it is better.
func TestSolutionIsOptimal(t *testing.T) {
	for seed := range uint64(12) {
		p := randomProblem(seed, 40, 30, seed%2 == 1, []float64{0.02, 0.3, 5}[seed%3])
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
		if math.Abs(balance) > tol*math.Max(1, p.Costs[0]*10) {
			t.Errorf("seed %d: the bias has slope %v", seed, balance)
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

// liblinearObjective trains LIBLINEAR's machine without a bias and returns the objective of its weights, and whether it
// ended before its limit of iterations.
func liblinearObjective(t *testing.T, p Problem, cost float64) (value float64, ended bool) {
	t.Helper()
	program, err := exec.LookPath("liblinear-train")
	if err != nil {
		t.Skip("liblinear-train is not on the PATH (Debian: liblinear-tools)")
	}
	var text bytes.Buffer
	for i, y := range p.Y {
		fmt.Fprintf(&text, "%+d", int(y))
		ids, values := p.Rows.Row(i)
		for e, id := range ids {
			fmt.Fprintf(&text, " %d:%.17g", id+1, values[e])
		}
		text.WriteByte('\n')
	}
	data, model := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "model")
	must.Succeed(t, os.WriteFile(data, text.Bytes(), 0o644))
	solver := "5"
	if p.Logistic {
		solver = "6"
	}
	out, err := exec.Command(program, "-s", solver, "-e", "1e-7", "-c", fmt.Sprint(cost), data,
		model).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file := must.Get(os.Open(model))(t)
	defer file.Close()
	var weights []float64
	sign := 1.0
	lines, started := bufio.NewScanner(file), false
	for lines.Scan() {
		switch {
		case strings.HasPrefix(lines.Text(), "label -1"):
			sign = -1
		case started:
			v := must.Get(strconv.ParseFloat(strings.TrimSpace(lines.Text()), 64))(t)
			weights = append(weights, sign*v)
		case lines.Text() == "w":
			started = true
		}
	}
	if len(weights) != p.Rows.Width() {
		t.Fatalf("%d weights of %d features", len(weights), p.Rows.Width())
	}
	return p.objective(weights, 0), !strings.Contains(string(out), "max number of iterations")
}

// Every record x of label y has a mirror image −x of label −y, so that by symmetry the best bias is 0.
func TestAgainstLIBLINEAR(t *testing.T) {
	for seed := range uint64(long.Or(6, 3)) {
		for _, cost := range []float64{0.1, 1, 10} {
			half := randomProblem(seed, 80, 60, seed%2 == 1, cost)
			p := half
			p.Rows, p.Y, p.Costs = rows.New(0, 0, half.Rows.Width()), nil, nil
			for i, y := range half.Y {
				for _, sign := range []float64{1, -1} {
					ids, values := half.Rows.Row(i)
					for e, id := range ids {
						p.Rows.Add(int32(id), sign*values[e])
					}
					p.Rows.End()
					p.Y, p.Costs = append(p.Y, sign*y), append(p.Costs, cost)
				}
			}
			s := must.Get(p.Solve(t.Context()))(t)
			want, ended := liblinearObjective(t, p, cost)
			if s.Primal > want*(1+1e-6) || ended && math.Abs(s.Primal-want) > 1e-5*want {
				t.Errorf("seed %d, cost %v: primal %v, LIBLINEAR's %v", seed, cost, s.Primal, want)
			}
		}
	}
}

// Without a bias records need no mirror image.
func TestNoBiasAgainstLIBLINEAR(t *testing.T) {
	for seed := range uint64(6) {
		for _, cost := range []float64{0.1, 1, 10} {
			p := randomProblem(seed, 80, 60, seed%2 == 1, cost)
			for i := range p.Costs {
				p.Costs[i] = cost
			}
			p.NoBias = true
			s := must.Get(p.Solve(t.Context()))(t)
			if s.Bias != 0 || s.Gap > p.Tol || math.Abs(p.objective(s.Weights, 0)-s.Primal) > 1e-10*s.Primal {
				t.Errorf("seed %d, cost %v: bias %v, gap %g, primal %v", seed, cost, s.Bias, s.Gap, s.Primal)
			}
			want, ended := liblinearObjective(t, p, cost)
			if s.Primal > want*(1+1e-6) || ended && math.Abs(s.Primal-want) > 1e-5*want || s.Dual > want*(1+1e-9) {
				t.Errorf("seed %d, cost %v: %v to %v, LIBLINEAR's %v", seed, cost, s.Dual, s.Primal, want)
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
