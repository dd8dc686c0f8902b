package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// checkJoint recomputes from the definition all that a solution claims.
func checkJoint(t *testing.T, name string, g *svmtest.Gram, p svm.MulticlassProblem, sol svm.MulticlassSolution,
	tol float64) {
	t.Helper()
	f := make([][]float64, p.Classes)
	square, linear, loss := 0.0, 0.0, 0.0
	for m, alpha := range sol.Coef {
		f[m] = make([]float64, len(alpha))
		g.MulVecTo(f[m], alpha)
		square += floats.Dot(alpha, f[m])
		for i, a := range alpha {
			if m != p.Y[i] {
				linear -= a
			}
		}
	}
	for i, c := range p.Y {
		sum, worst, cost := 0.0, 0.0, 1.0
		if p.Costs != nil {
			cost = p.Costs[c]
		}
		for m := range p.Classes {
			a := sol.Coef[m][i]
			sum += a
			if m == c && a > cost*(1+1e-12) || m != c && a > 0 {
				t.Errorf("%s: coefficient %v of record %d for class %d, which is of class %d", name, a, i, m, c)
			}
			if m != c {
				worst = max(worst, 1+f[m][i]-f[c][i])
			}
		}
		if math.Abs(sum) > 1e-9*cost {
			t.Errorf("%s: coefficients of record %d sum to %v", name, i, sum)
		}
		loss += cost * worst
	}
	primal, dual := square/2+loss, linear-square/2
	if math.Abs(primal-sol.Primal) > 1e-9*primal || sol.Dual < dual-1e-9*primal {
		t.Errorf("%s: objectives %v and %v, want %v and %v", name, sol.Primal, sol.Dual, primal, dual)
	}
	if sol.Gap > tol || math.Abs(sol.Gap-max(0, sol.Primal-sol.Dual)/sol.Primal) > 1e-9 {
		t.Errorf("%s: gap %v, want at most %v and that of %v and %v", name, sol.Gap, tol, sol.Primal, sol.Dual)
	}
}

func TestCrammerSinger(t *testing.T) {
	for _, classes := range []int{2, 3, 8} {
		g, y := mixture(150, classes, 60, 5)
		g.Own = make([]float64, len(y))
		for i := range y {
			g.Own[i] = 0.1 * float64(i%3)
		}
		for _, c := range []float64{1e-100, 1e-15, 1e-3, 1, 10} {
			p := svm.MulticlassProblem{Y: y, Classes: classes, Costs: make([]float64, classes)}
			for m := range p.Costs {
				p.Costs[m] = c * float64(1+m)
			}
			for _, s := range []descent.CrammerSinger{{}, {Seed: 9}, {MaxIterations: 2}} {
				for _, p.Tol = range []float64{0, 1e-6} {
					var last svm.Progress
					p.Progress = func(r svm.Progress) { last = r }
					sol := must.Get(s.Solve(t.Context(), g, p))(t)
					name, tol := fmt.Sprintf("%d classes, C %v, %+v", classes, c, s), max(p.Tol, 1e-3)
					if p.Tol > 0 {
						tol = p.Tol
					}
					if s.MaxIterations > 0 {
						tol = 1
					}
					checkJoint(t, name, g, p, sol, tol*(1+1e-9))
					if again, _ := s.Solve(t.Context(), g, p); !reflect.DeepEqual(sol, again) {
						t.Errorf("%s: two runs differ", name)
					}
					if !last.Done || last.Primal != sol.Primal || last.Iterations != sol.Iterations || s.MaxIterations > 0 &&
						sol.Iterations > s.MaxIterations {
						t.Errorf("%s: last report %+v, primal %v after %d passes", name, last, sol.Primal, sol.Iterations)
					}
				}
			}
		}
	}
	g, y := mixture(300, 4, 60, 3)
	limits := svm.MulticlassProblem{Y: y, Classes: 4, Tol: 1e-16}
	if sol, err := (descent.CrammerSinger{}).Solve(t.Context(), g, limits); err != nil || sol.Gap > 1e-7 {
		t.Errorf("gap %v at the limits of float64, error %v", sol.Gap, err)
	}
}

// TestCrammerSingerOfTwoClasses: with two classes w_1 = −w_2 and the problem is half that of two classes without a
// bias, at twice the cost.
func TestCrammerSingerOfTwoClasses(t *testing.T) {
	g, class := mixture(100, 2, 60, 8)
	for _, c := range []float64{0.1, 1} {
		joint := must.Get(descent.CrammerSinger{}.Solve(t.Context(), g,
			svm.MulticlassProblem{Y: class, Classes: 2, Costs: []float64{c, c}, Tol: 1e-7}))(t)
		p := classes(signs(class), 2*c)
		p.Tol, p.NoBias = 1e-7, true
		if two := mustSolve(t, smo.Solver{}, g, p); math.Abs(joint.Primal-two.Primal/2) > 1e-6*joint.Primal {
			t.Errorf("C %v: primal %v, want half of %v", c, joint.Primal, two.Primal)
		}
	}
}

func TestCrammerSingerErrors(t *testing.T) {
	g, y := mixture(20, 3, 30, 1)
	bad, _ := mixture(20, 3, 30, 1)
	bad.Values[3][0] = math.NaN()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		want   string
		ctx    context.Context
		solver descent.CrammerSinger
		g      stringkernel.Gram
		change func(p *svm.MulticlassProblem)
	}{
		{want: descent.ErrNoRows.Error(), g: svmtest.Dense(g)}, {want: "no Gram matrix"},
		{want: "2 labels for a Gram", g: g, change: func(p *svm.MulticlassProblem) { p.Y = y[:2] }},
		{want: "1 classes, want at least two", g: g, change: func(p *svm.MulticlassProblem) { p.Classes = 1 }},
		{want: "y[2] = 2, want 0 to 1", g: g, change: func(p *svm.MulticlassProblem) { p.Classes = 2 }},
		{want: "1 costs for 3 classes", g: g, change: func(p *svm.MulticlassProblem) { p.Costs = []float64{1} }},
		{want: "Costs[1] = 0", g: g, change: func(p *svm.MulticlassProblem) { p.Costs = []float64{1, 0, 1} }},
		{want: "Costs[1] = 1e+202", g: g, change: func(p *svm.MulticlassProblem) { p.Costs = []float64{1, 1e202, 1} }},
		{want: "Tol = 2", g: g, change: func(p *svm.MulticlassProblem) { p.Tol = 2 }},
		{want: "MaxIterations = -1", g: g, solver: descent.CrammerSinger{MaxIterations: -1}},
		{want: "(3, 3) of the Gram", g: bad}, {want: context.Canceled.Error(), g: g, ctx: done},
	} {
		p := svm.MulticlassProblem{Y: y, Classes: 3}
		if c.change != nil {
			c.change(&p)
		}
		if c.ctx == nil {
			c.ctx = t.Context()
		}
		if _, err := c.solver.Solve(c.ctx, c.g, p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	running, stop := context.WithCancel(t.Context())
	passes := 0
	p := svm.MulticlassProblem{Y: y, Classes: 3, Tol: 1e-12, Progress: func(svm.Progress) { passes++; stop() }}
	if _, err := (descent.CrammerSinger{}).Solve(running, g, p); !errors.Is(err, context.Canceled) || passes != 1 {
		t.Errorf("error %v after %d passes", err, passes)
	}
}
