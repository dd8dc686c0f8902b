package auto_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// toy is a sound solver whose hooks, where set, break one thing each.
type toy struct {
	limit  int
	before func(p *svm.Problem)
	after  func(g stringkernel.Gram, p svm.Problem, sol *svm.Solution)
	err    func(err error) error
	deaf   bool
}

func (s *toy) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	q := p
	if s.before != nil {
		s.before(&q)
	}
	if s.deaf {
		ctx = context.WithoutCancel(ctx)
	}
	var by svm.Solver = bundle.Solver{MaxIterations: s.limit}
	if p.Loss == svm.SquaredHinge {
		by = descent.Solver{MaxIterations: s.limit}
	}
	sol, err := by.Solve(ctx, g, q)
	switch {
	case err != nil && s.err != nil:
		err = s.err(err)
	case err == nil && s.after != nil:
		s.after(g, p, &sol)
	}
	return sol, err
}

// recorder is a testing.TB that notes whether a check fails, and ends it then.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Context() context.Context          { return context.Background() }
func (r *recorder) Errorf(format string, args ...any) { r.Fatalf(format, args...) }
func (r *recorder) Fatal(args ...any)                 { r.failure = fmt.Sprint(args...); runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

// verdict returns what a check says of a solver; nothing if it passes.
func verdict(s *toy, run func(s *suite, t testing.TB)) string {
	r, done := new(recorder), make(chan struct{})
	limited := func(n int) svm.Solver {
		few := *s
		few.limit = n
		return &few
	}
	slow := func(sol svm.Solution) bool { return sol.Iterations == 3000 || sol.Gap < 1e-5 }
	go func() {
		defer close(done)
		run(&suite{s, abilities{Starts: true, Limited: limited, Open: slow}}, r)
	}()
	<-done
	return r.failure
}

func TestSoundSolverPasses(t *testing.T) {
	for _, c := range checks {
		if failure := verdict(&toy{}, c.run); failure != "" {
			t.Errorf("%s: %s", c.name, failure)
		}
	}
}

// TestSaboteurs breaks a property at a time, which a check of that name notices.
func TestSaboteurs(t *testing.T) {
	runs := 0
	certified := func(sol *svm.Solution) { sol.Dual, sol.Gap = sol.Primal, 0 }
	for name, c := range map[string]struct {
		check string
		toy   toy
	}{
		"the bias has the other sign": {"certificates", toy{after: func(_ stringkernel.Gram, _ svm.Problem, sol *svm.Solution) {
			sol.Rho = -sol.Rho
		}}},
		"there is no bias": {"active sets", toy{before: func(p *svm.Problem) { p.NoBias = p.Sum == 0 }}},
		"there is always a bias": {"active sets", toy{before: func(p *svm.Problem) {
			p.NoBias = p.NoBias && p.Linear[0] == p.Linear[1]
		}}},
		"a coefficient is out of its bounds": {"certificates", toy{
			after: func(_ stringkernel.Gram, p svm.Problem, sol *svm.Solution) { sol.Coef[0] = -1e-9 * sol.Coef[0] }}},
		"coefficients do not sum": {"certificates", toy{
			after: func(_ stringkernel.Gram, p svm.Problem, sol *svm.Solution) { sol.Coef[0] += 1e-8 }}},
		"the primal value is too low": {"certificates", toy{
			after: func(_ stringkernel.Gram, _ svm.Problem, sol *svm.Solution) { sol.Primal -= 1e-8 * math.Abs(sol.Primal) }}},
		"the gap is not certified": {"certificates", toy{before: func(p *svm.Problem) { p.Tol = 0.1 },
			after: func(_ stringkernel.Gram, _ svm.Problem, sol *svm.Solution) { certified(sol) }}},
		"the gap is too small": {"certificates", toy{
			after: func(_ stringkernel.Gram, _ svm.Problem, sol *svm.Solution) { sol.Gap /= 2 }}},
		"nothing is learned": {"certificates", toy{after: func(g stringkernel.Gram, p svm.Problem, sol *svm.Solution) {
			if p.Risk != nil {
				clear(sol.Coef)
				sol.Primal, _ = p.Risk.Plane(make([]float64, g.Len()), make([]float64, g.Len()))
				certified(sol)
			}
		}}},
		"costs are swapped": {"active sets", toy{before: func(p *svm.Problem) {
			p.Costs = svm.Costs{Positive: p.Costs.Negative, Negative: p.Costs.Positive}
		}}},
		"weights do not count": {"active sets", toy{before: func(p *svm.Problem) {
			if p.Risk == nil {
				p.Weights = append([]float64(nil), p.Weights...)
				for i, w := range p.Weights {
					p.Weights[i] = math.Copysign(1, w)
				}
			}
		}}},
		"the first record is special": {"invariance", toy{before: func(p *svm.Problem) {
			p.Weights = append([]float64{p.Weights[0] * 2}, p.Weights[1:]...)
		}}},
		"squares are hinges":   {"active sets", toy{before: func(p *svm.Problem) { p.Loss = svm.Hinge }}},
		"the tolerance is set": {"certificates", toy{before: func(p *svm.Problem) { p.Tol = 0.1 }}},
		"threads count": {"conduct", toy{after: func(_ stringkernel.Gram, _ svm.Problem, sol *svm.Solution) {
			sol.Products += runtime.GOMAXPROCS(0)
		}}},
		"earlier runs count": {"conduct", toy{after: func(_ stringkernel.Gram, _ svm.Problem, sol *svm.Solution) {
			runs++
			sol.Products = runs
		}}},
		"records are changed": {"conduct", toy{after: func(g stringkernel.Gram, _ svm.Problem, _ *svm.Solution) {
			g.(*svmtest.Gram).Values[2][0]++
		}}},
		"labels are changed": {"conduct", toy{after: func(_ stringkernel.Gram, p svm.Problem, _ *svm.Solution) {
			if p.Risk == nil {
				p.Linear[0] += 0.1
			}
		}}},
		"the end is not reported": {"conduct", toy{before: func(p *svm.Problem) {
			if send := p.Progress; send != nil {
				p.Progress = func(r svm.Progress) { r.Done = false; send(r) }
			}
		}}},
		"the last report is another": {"conduct", toy{after: func(_ stringkernel.Gram, _ svm.Problem, sol *svm.Solution) {
			sol.Iterations++
		}}},
		"the end of the context is not heard": {"cancellation", toy{deaf: true}},
		"the error is of no context":          {"cancellation", toy{err: func(error) error { return errors.New("stopped") }}},
		"the limit is not kept": {"limits", toy{before: func(p *svm.Problem) { p.Tol = 0 },
			after: func(_ stringkernel.Gram, _ svm.Problem, sol *svm.Solution) { sol.Iterations++ }}},
		"starts are not looked at": {"starts", toy{before: func(p *svm.Problem) { p.Start = nil }}},
		"starts are changed": {"starts", toy{after: func(_ stringkernel.Gram, p svm.Problem, _ *svm.Solution) {
			if p.Start != nil {
				p.Start[0]++
			}
		}}},
		"costs are kept in range":    {"refusals", toy{before: func(p *svm.Problem) { p.Costs.Negative = math.Abs(p.Costs.Negative) }}},
		"the error does not say why": {"refusals", toy{err: func(error) error { return errors.New("svm: bad problem") }}},
		"great values are not numbers": {"extremes", toy{after: func(_ stringkernel.Gram, p svm.Problem, sol *svm.Solution) {
			if p.Costs.Positive > 1e49 {
				sol.Rho = math.NaN()
			}
		}}},
		"small costs have no certificate": {"degenerate data", toy{
			after: func(_ stringkernel.Gram, p svm.Problem, sol *svm.Solution) {
				if p.Costs.Positive < 1e-8 {
					sol.Gap = 1
				}
			}}},
	} {
		for _, check := range checks {
			if check.name == c.check && verdict(&c.toy, check.run) == "" {
				t.Errorf("%s: the check of %s says nothing", name, c.check)
			}
		}
	}
}
