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
	of := &gaussianProblem{lambda: t.Lambda, rank: p.rule.Process.Rank}
	job := solve.Job{Index: rows, Y: subset.Of(d.Targets, rows), Joint: &solve.Joint{Solve: of.solve, Bytes: of.bytes}}
	p.jobs = slices.Repeat([]solve.Job{job}, len(p.rule.Machines))
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

// likelyLambdas are the λ that the evidence chooses from.
var likelyLambdas = []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10}

func (p *gaussianProblem) solve(
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

func (p *gaussianProblem) bytes(n int) float64 {
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

// ridge returns the problem of the one machine of kernel ridge regression.
func (t Trainer) ridge() *solve.Joint {
	return &solve.Joint{Bytes: process.Ridge{}.Bytes, Solve: func(
		ctx context.Context, g stringkernel.Gram, settings svm.Problem, first solve.Job,
	) ([]svm.Solution, error) {
		machine, err := process.Ridge{}.Solve(ctx, g, process.Regression{
			Targets: first.Y, Weights: first.Weights, Lambda: t.Lambda, NoBias: t.NoBias,
			Tol: cmp.Or(settings.Tol, defaultTol), Progress: settings.Progress,
		})
		return []svm.Solution{machine}, err
	}}
}

// relevance returns the problem of the one relevance vector machine of numbers.
func (t Trainer) relevance() *solve.Joint {
	r := process.Relevance{Columns: t.Relevance}
	return &solve.Joint{Bytes: r.Bytes, Solve: func(
		ctx context.Context, g stringkernel.Gram, _ svm.Problem, first solve.Job,
	) ([]svm.Solution, error) {
		if err := checkVaried(first.Y); err != nil {
			return nil, err
		}
		machine, err := r.Regress(ctx, g, process.Regression{Targets: first.Y, Weights: first.Weights})
		return []svm.Solution{machine}, err
	}}
}

// HasEvidence returns an [svm.OptionError] unless the trainer's machine of the data set is a linear system, ridge
// regression or a Gaussian process, which has an evidence and predictions of records left out without folds.
func (t Trainer) HasEvidence(d *dataset.Dataset) error {
	return svm.CheckOption(d.Task == dataset.Regression && (t.Lambda > 0 || t.Rank > 0), "Lambda", t.Lambda,
		"that of ridge regression, or a Gaussian process")
}

// LogEvidences returns the logarithm of the evidence of the numbers of a data set, see [process.Evidence], on a Gram
// matrix of its records for every λ of a list in place of t.Lambda; of λ = 0, that of the most likely one. The trainer
// must pass HasEvidence.
func (t Trainer) LogEvidences(
	ctx context.Context, d *dataset.Dataset, g stringkernel.Gram, lambdas []float64,
) ([]float64, error) {
	if err := svm.CheckOption(!t.NoBias, "NoBias", t.NoBias, "false: the evidence is that of centred numbers"); err != nil {
		return nil, err
	}
	g, p, lambdas, err := t.linearSystem(ctx, d, g, lambdas)
	if err != nil {
		return nil, err
	}
	all, _, err := process.Likelihood{}.Evidences(ctx, g, p, lambdas)
	values := make([]float64, len(all))
	for k, e := range all {
		values[k] = e.Value
	}
	return values, err
}

// LeaveOneOut returns, for every λ as in LogEvidences, predictions of every record by the machine of all others, see
// [process.LeaveOneOut]: of a Gaussian process with their deviation.
func (t Trainer) LeaveOneOut(
	ctx context.Context, d *dataset.Dataset, g stringkernel.Gram, lambdas []float64,
) ([][]decide.Prediction, error) {
	g, p, lambdas, err := t.linearSystem(ctx, d, g, lambdas)
	if err != nil {
		return nil, err
	}
	p.Tol = 1e-8
	centre := 0.0
	if t.Rank > 0 {
		if p, centre, err = p.Centred(d.Len()); err != nil {
			return nil, err
		}
	}
	all, err := process.LeaveOneOut{Seed: t.Seed}.Predict(ctx, g, p, lambdas)
	predictions := make([][]decide.Prediction, len(all))
	for k, left := range all {
		for i, value := range left.Predictions {
			one := decide.Prediction{Scores: []float64{value + centre}}
			if t.Rank > 0 {
				one.Deviation = math.Sqrt(left.Scale / left.Inverse[i])
			}
			predictions[k] = append(predictions[k], one)
		}
	}
	return predictions, err
}

// linearSystem returns the problem of a data set, the matrix ready for it, and the λ, the likeliest in place of 0.
func (t Trainer) linearSystem(
	ctx context.Context, d *dataset.Dataset, g stringkernel.Gram, lambdas []float64,
) (stringkernel.Gram, process.Regression, []float64, error) {
	p := process.Regression{Targets: d.Targets, Weights: d.Weights, Lambda: 1, NoBias: t.NoBias}
	if err := checkVaried(d.Targets); err != nil {
		return nil, p, nil, err
	}
	g, err := t.runner().Prepare(ctx, g, []solve.Job{{Joint: new(solve.Joint)}})
	if err != nil {
		return nil, p, nil, err
	}
	chosen := make([]float64, len(lambdas))
	for k, lambda := range lambdas {
		if chosen[k] = lambda; lambda == 0 {
			if chosen[k], err = likeliest(ctx, g, p); err != nil {
				return nil, p, nil, err
			}
		}
	}
	return g, p, chosen, nil
}
