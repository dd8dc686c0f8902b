package auto_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// conduct: a solution depends on neither threads nor earlier runs, what is reported ends with it, and inputs stay as
// they are.
func (s *suite) conduct(t testing.TB) {
	g, y := svmtest.Planted(100, 60, 4, 0.2, 0.1, 3)
	var first map[string]svm.Solution
	for _, threads := range []int{1, 3} {
		now := map[string]svm.Solution{}
		for name, p := range s.problems(y, svm.Costs{Positive: 1, Negative: 0.7}) {
			var reports []svm.Progress
			p.Progress = func(r svm.Progress) { reports = append(reports, r) }
			before := slices.Concat(p.Linear, p.Weights, slices.Concat(g.Values...))
			processors := runtime.GOMAXPROCS(threads)
			sol := s.solve(t, g, p)
			runtime.GOMAXPROCS(processors)
			if !slices.Equal(slices.Concat(p.Linear, p.Weights, slices.Concat(g.Values...)), before) {
				t.Errorf("%s: inputs were changed", name)
			}
			if now[name] = sol; first != nil && !reflect.DeepEqual(first[name], sol) {
				t.Errorf("%s: another solution on %d threads", name, threads)
			}
			done := slices.IndexFunc(reports, func(r svm.Progress) bool { return r.Done })
			if done < 0 || done != len(reports)-1 {
				t.Fatalf("%s: report %d of %d says that it is the last", name, done+1, len(reports))
			}
			if r := reports[done]; r.Iterations != sol.Iterations || r.Primal != sol.Primal || r.Dual != sol.Dual ||
				r.Solver != sol.Solver || sol.Solver == "" {
				t.Errorf("%s: the last report %+v is not of the solution, %v to %v by %s after %d", name, r, sol.Dual,
					sol.Primal, sol.Solver, sol.Iterations)
			}
		}
		first = now
	}
}

// watched is a matrix that ends a context when it is asked for an entry, and counts what it is asked for afterwards.
type watched struct {
	stringkernel.Gram
	left int // requests until then
	end  func()
}

func (w *watched) Row(dst []float64, i int) {
	w.ask()
	w.Gram.Row(dst, i)
}

func (w *watched) MulVecTo(dst, v []float64) {
	w.ask()
	w.Gram.MulVecTo(dst, v)
}

func (w *watched) FeatureRows() stringkernel.FeatureRows { return stringkernel.FeatureRowsOf(w.Gram) }

func (w *watched) Describer() stringkernel.Describer { return stringkernel.DescriberOf(w.Gram) }

func (w *watched) ask() {
	if w.left--; w.left == 0 {
		w.end()
	}
}

// cancellation: the error is that of the context, and nothing much happens after its end.
func (s *suite) cancellation(t testing.TB) {
	g, y := points(60, 3, 2)
	for name, p := range s.problems(y, svm.Costs{Positive: 10, Negative: 10}) {
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := s.Solve(ended, s.gram(g), p); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v from the start, want %v", name, err, context.Canceled)
		}
		p.Tol = 1e-12
		running, stop := context.WithCancel(t.Context())
		reports := 0
		p.Progress = func(r svm.Progress) {
			if stop(); !r.Done {
				reports++
			}
		}
		if _, err := s.Solve(running, s.gram(g), p); reports > 1 || reports > 0 && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v after %d reports, want %v after the first", name, err, reports, context.Canceled)
		}
		stop()
		p.Progress = nil
		for _, until := range []int{1, 20} {
			running, stop := context.WithCancel(t.Context())
			w := &watched{s.gram(g), until, stop}
			_, err := s.Solve(running, w, p)
			if stop(); w.left <= 0 && !errors.Is(err, context.Canceled) || w.left < -2 {
				t.Errorf("%s: error %v after %d more requests", name, err, -w.left)
			}
		}
	}
}

// limits: what few iterations reach is returned with its gap, and so is what float64 can tell.
func (s *suite) limits(t testing.TB) {
	g, y := points(40, 3, 2)
	for name, p := range s.problems(y, svm.Costs{Positive: 10, Negative: 3}) {
		if p.Risk != nil {
			continue
		}
		if s.Limited != nil && p.Sum == 0 { // the first point of planes is 0, whatever the sum
			few := suite{s.Limited(2), s.abilities}
			sol := few.solve(t, g, p)
			few.check(t, name+", two iterations", g, p, sol, math.Inf(1))
			if sol.Iterations > 2 || sol.Gap <= 1e-3 {
				t.Errorf("%s: gap %v after %d iterations", name, sol.Gap, sol.Iterations)
			}
		}
		p.Tol = 1e-17
		s.check(t, name+", no tolerance", g, p, s.solve(t, g, p), 1e-6)
	}
}

// starts: a start changes neither the optimum nor itself, from the optimum there is little to do, and one that is not
// feasible is refused.
func (s *suite) starts(t testing.TB) {
	if !s.Starts {
		return
	}
	g, y := svmtest.Planted(150, 60, 4, 0.2, 0.1, 3)
	for name, p := range s.problems(y, svm.Costs{Positive: 1, Negative: 1}) {
		if p.Risk != nil {
			continue
		}
		first := s.solve(t, g, p)
		from, tight := p, p
		tight.Tol = 1e-6
		from.Start = s.solve(t, g, tight).Coef
		before := slices.Clone(from.Start)
		again := s.solve(t, g, from)
		s.check(t, name+", from the optimum", g, p, again, 1e-3)
		if again.Iterations > 3 && 2*again.Iterations > first.Iterations {
			t.Errorf("%s: %d iterations from the optimum, %d from zeros", name, again.Iterations, first.Iterations)
		}
		if p.Sum == 0 {
			from.Costs = svm.Costs{Positive: 4, Negative: 2}
			costs := from
			costs.Start = nil
			lower, upper := optimum(t, name, g, costs)
			sol := s.solve(t, g, from)
			s.check(t, name+", from other costs", g, costs, sol, 1e-3)
			compare(t, name+", from other costs", sol, lower, upper)
		}
		if !slices.Equal(from.Start, before) {
			t.Errorf("%s: the start was changed", name)
		}
		for want, start := range map[string][]float64{
			"Start has 2 coefficients for 150":  {0, 0},
			"want a signed coefficient between": append([]float64{-p.Weights[0]}, make([]float64, 149)...),
			"Start[149] = NaN, want":            append(make([]float64, 149), math.NaN()),
		} {
			from.Start = start
			s.refuse(t, name, g, from, want)
		}
		if from.Start = make([]float64, 150); !p.NoBias {
			from.Start[0] = p.Weights[0] / 4
			s.refuse(t, name, g, from, "Start sums to")
		}
	}
}

// refuse wants an error with a text.
func (s *suite) refuse(t testing.TB, name string, g stringkernel.Gram, p svm.Problem, want string) {
	t.Helper()
	if own, ok := g.(*svmtest.Gram); ok {
		g = s.gram(own)
	}
	if _, err := s.Solve(t.Context(), g, p); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want one with %q", name, err, want)
	}
}

// refusals: what is no problem is refused by name.
func (s *suite) refusals(t testing.TB) {
	g, y := points(6, 2, 1)
	costs := svm.Costs{Positive: 1, Negative: 1}
	var option *svm.OptionError
	for _, name := range s.Refused {
		_, err := s.Solve(t.Context(), s.gram(g), allProblems(y, costs)[name])
		if planner, ok := s.Solver.(svm.Planner); ok && !errors.As(planner.Check(allProblems(y, costs)[name]), &option) {
			t.Errorf("%s: no error of Check", name)
		}
		if !errors.As(err, &option) {
			t.Errorf("%s: error %v, want an OptionError", name, err)
		}
	}
	if !s.Tables {
		s.refuse(t, "no matrix", nil, allProblems(y, costs)["hinge"], "no Gram matrix")
	}
	nan, far := math.NaN(), math.Inf(1)
	ones := slices.Repeat([]float64{1}, 6)
	for want, change := range map[string]func(p *svm.Problem){
		"5 linear terms and 6 weights for a Gram":       func(p *svm.Problem) { p.Linear = y[:5] },
		"6 linear terms and 5 weights for a Gram":       func(p *svm.Problem) { p.Weights = y[:5] },
		"Weights[0] = +Inf, want":                       func(p *svm.Problem) { p.Weights = []float64{far, -1, 1, 1, 1, 1} },
		"Linear[1] = NaN, want":                         func(p *svm.Problem) { p.Linear = []float64{1, nan, 1, 1, 1, 1} },
		"coefficients sum to 0 to 6":                    func(p *svm.Problem) { p.Weights = ones },
		"coefficients sum to -3 to 3, want Sum = 4":     func(p *svm.Problem) { p.Sum = 4 },
		"Sum = 1, want 0 for the loss squared-hinge":    func(p *svm.Problem) { p.Sum, p.Loss = 1, svm.SquaredHinge },
		"Sum = 1, want 0 without a bias":                func(p *svm.Problem) { p.Sum, p.NoBias = 1, true },
		"Loss = cubed, want one of":                     func(p *svm.Problem) { p.Loss = "cubed" },
		"Costs.Negative = -1, want > 0":                 func(p *svm.Problem) { p.Costs.Negative = -1 },
		"Costs.Positive = NaN, want > 0":                func(p *svm.Problem) { p.Costs.Positive = nan },
		"Costs.Positive = +Inf, want > 0":               func(p *svm.Problem) { p.Costs.Positive = far },
		"Costs.Positive = 1.7e+308, want > 0":           func(p *svm.Problem) { p.Costs.Positive = 1.7e308 },
		"Costs.Negative = 5e-324, want > 0":             func(p *svm.Problem) { p.Costs.Negative = 5e-324 },
		"Tol = -1, want a relative gap between 0 and 1": func(p *svm.Problem) { p.Tol = -1 },
		"Tol = NaN, want":                               func(p *svm.Problem) { p.Tol = nan },
		"Tol = 1, want":                                 func(p *svm.Problem) { p.Tol = 1 },
		"CacheBytes = -5, want":                         func(p *svm.Problem) { p.CacheBytes = -5 },
	} {
		p := svm.Problem{Linear: y, Weights: y}
		if change(&p); p.Loss == svm.SquaredHinge && slices.Contains(s.Refused, squares[0]) {
			continue
		}
		s.refuse(t, want, g, p, want)
	}
	for _, value := range []float64{nan, far, 1e36} {
		if s.Tables {
			break
		}
		bad, _ := points(6, 2, 1)
		bad.Values[3][0] = value
		s.refuse(t, "kernel values", bad, svm.Problem{Linear: y, Weights: y}, "(3, 3) of the Gram matrix is")
	}
	if s.Limited != nil {
		negative := suite{s.Limited(-1), s.abilities}
		negative.refuse(t, "iterations", g, svm.Problem{Linear: y, Weights: y}, "MaxIterations = -1, want ≥ 0")
	}
}
