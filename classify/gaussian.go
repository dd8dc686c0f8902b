package classify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// slackChecks is the number of records of training on which Slack is measured.
const slackChecks = 4

// process returns that of a rule before training, nil for another scheme.
func (t Trainer) process(scheme string, records int) *decide.Process {
	if scheme != decide.GaussianScheme {
		return nil
	}
	return &decide.Process{Rank: min(t.Rank, records, decide.MostRank)}
}

type gaussian struct{ regression }

func (gaussian) bytes(t Trainer, n, _ float64) float64 {
	return t.recordBytes() * n * (1 + min(n, float64(t.Rank)))
}

func (gaussian) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	problem := &gaussianProblem{lambda: t.Lambda, rank: p.rule.Process.Rank}
	p.jobs = slices.Repeat([]solve.Job{{Index: rows, Y: subset.Of(d.Targets, rows), Joint: problem}}, len(p.rule.Machines))
}

// decide takes what the solution of the mean has beside its coefficients.
func (gaussian) decide(r *decide.Rule, solved []solve.Result) {
	s := solved[0].Scalars
	r.Process = &decide.Process{Rank: len(r.Machines) - 1, Self: s[0], Scale: s[1], Lambda: s[2], Slack: s[3]}
}

// gaussianProblem is that of the machines of a process.
type gaussianProblem struct {
	lambda float64 // zero: of most evidence
	rank   int
}

// likelyLambdas are those of which the most likely is taken.
var likelyLambdas = []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10}

func (p *gaussianProblem) Solve(
	ctx context.Context, g stringkernel.Gram, settings svm.Problem, first solve.Job,
) ([]svm.Solution, error) {
	if err := checkVaried(first.Y); err != nil {
		return nil, err
	}
	self, err := sameSelf(g)
	if err != nil {
		return nil, err
	}
	problem := process.Regression{
		Targets: first.Y, Weights: first.Weights, Lambda: p.lambda, Tol: settings.Tol, Progress: settings.Progress,
	}
	if problem.Lambda == 0 {
		if problem.Lambda, err = likeliest(ctx, g, problem); err != nil {
			return nil, err
		}
	}
	fitted, err := p.process().Fit(ctx, g, problem)
	if err != nil {
		return nil, err
	}
	mean := fitted.Solution
	mean.Scalars = []float64{self, fitted.Scale, fitted.Lambda, fitted.Slack}
	solutions := []svm.Solution{mean}
	for m := range p.rank { // of fewer the rest is 0
		root := svm.Solution{Coef: make([]float64, len(first.Y)), Solver: "lanczos"}
		if m < len(fitted.Roots) {
			root.Coef = fitted.Roots[m]
		}
		solutions = append(solutions, root)
	}
	return solutions, nil
}

func (p *gaussianProblem) Bytes(n int) float64 {
	bytes := p.process().Bytes(n)
	if p.lambda == 0 {
		bytes = max(bytes, likelihood().Bytes(n, len(likelyLambdas)))
	}
	return bytes
}

// process returns how a process is fitted.
func (p *gaussianProblem) process() process.Gaussian {
	return process.Gaussian{Rank: p.rank, Checks: slackChecks}
}

// likelihood returns how that of a λ is estimated.
func likelihood() (l process.Likelihood) {
	l.Determinant.Probes, l.Determinant.Steps = 8, 50
	return l
}

// checkVaried wants different numbers.
func checkVaried(y []float64) error {
	if slices.Min(y) == slices.Max(y) {
		return fmt.Errorf("classify: all numbers are %v, want different ones to learn how much they vary", y[0])
	}
	return nil
}

// likeliest returns the λ under which the targets have most evidence.
func likeliest(ctx context.Context, g stringkernel.Gram, p process.Regression) (float64, error) {
	all, _, err := likelihood().Evidences(ctx, g, p, likelyLambdas)
	if err != nil {
		return 0, err
	}
	best := all[0]
	for _, e := range all {
		if e.Value > best.Value {
			best = e
		}
	}
	return best.Lambda, nil
}

// sameSelf returns the k(x, x) of all records but those without features, an error if it is not one number.
func sameSelf(g stringkernel.Gram) (float64, error) {
	diag := make([]float64, g.Len())
	g.Diag(diag)
	least, most := math.Inf(1), 0.0
	for _, v := range diag {
		if v != 0 {
			least, most = min(least, v), max(most, v)
		}
	}
	if most-least > 1e-6*most {
		return 0, fmt.Errorf("classify: k(x, x) is from %.6g to %.6g, want the same for all records to tell the variance "+
			"of others: normalise the kernel", least, most)
	}
	return most, nil
}

// ridgeProblem is that of the one machine of kernel ridge regression.
type ridgeProblem struct {
	lambda float64
	noBias bool
}

func (p *ridgeProblem) Solve(
	ctx context.Context, g stringkernel.Gram, settings svm.Problem, first solve.Job,
) ([]svm.Solution, error) {
	machine, err := process.Ridge{}.Solve(ctx, g, process.Regression{
		Targets: first.Y, Weights: first.Weights, Lambda: p.lambda, NoBias: p.noBias,
		Tol: cmp.Or(settings.Tol, 1e-3), Progress: settings.Progress,
	})
	return []svm.Solution{machine}, err
}

func (p *ridgeProblem) Bytes(n int) float64 { return process.Ridge{}.Bytes(n) }

// relevanceProblem is that of the one relevance vector machine of numbers.
type relevanceProblem struct{ columns int }

func (p *relevanceProblem) Solve(
	ctx context.Context, g stringkernel.Gram, _ svm.Problem, first solve.Job,
) ([]svm.Solution, error) {
	if err := checkVaried(first.Y); err != nil {
		return nil, err
	}
	machine, err := process.Relevance{Columns: p.columns}.Regress(ctx, g, process.Regression{
		Targets: first.Y, Weights: first.Weights,
	})
	return []svm.Solution{machine}, err
}

func (p *relevanceProblem) Bytes(n int) float64 {
	return process.Relevance{Columns: p.columns}.Bytes(n)
}
