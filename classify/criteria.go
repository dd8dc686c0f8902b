package classify

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

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
	g, err := t.runner().Prepare(ctx, g, []solve.Job{{Joint: &ridgeProblem{}}})
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
