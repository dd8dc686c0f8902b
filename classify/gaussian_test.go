package classify_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestRidge: the predictions are those of package process.
func TestRidge(t *testing.T) {
	d, trainer := classify.MustTargets(t), classify.TaskTrainer()
	trainer.Lambda = 0.3
	_, predictions := trainTask(t, trainer, d)
	g := must.Get(trainer.Kernel.Gram(context.Background(), d.Corpus))(t)
	want := must.Get(process.Ridge{}.Solve(context.Background(), g,
		process.Regression{Targets: d.Targets, Lambda: 0.3, Tol: trainer.Tol}))(t)
	f := make([]float64, g.Len())
	g.MulVecTo(f, want.Coef)
	for i, p := range predictions {
		if math.Abs(p.Scores[0]-f[i]+want.Rho) > 1e-9 || p.Deviation != 0 {
			t.Errorf("record %d: %v ± %v, want %v", i, p.Scores[0], p.Deviation, f[i]-want.Rho)
		}
	}
}

// TestGaussianProcess: a record of training is predicted with the variance of dense algebra, one without features with
// that of the prior, on a model and in folds; the noise is that of most evidence or the one given.
func TestGaussianProcess(t *testing.T) {
	d, trainer := classify.MustTargets(t), classify.TaskTrainer()
	trainer.Rank, trainer.Lambda = 60, 0.3
	m, predictions := trainTask(t, trainer, d)
	if m.Process.Rank != 60 || m.Process.Lambda != 0.3 || math.Abs(m.Process.Self-1) > 1e-12 || m.Process.Slack > 0.011 {
		t.Errorf("process %+v", m.Process)
	}
	ctx := context.Background()
	g := must.Get(trainer.Kernel.Gram(ctx, d.Corpus))(t)
	column := make([]float64, g.Len())
	g.Row(column, 7)
	solved := must.Get(process.Ridge{}.Solve(ctx, g,
		process.Regression{Targets: column, Lambda: 0.3, NoBias: true, Tol: 1e-12}))(t)
	want := m.Process.Scale * (1.3 - vectors.Dot(solved.Coef, column))
	if got := predictions[7].Deviation * predictions[7].Deviation; !(math.Abs(got/want-1) < 1e-6) {
		t.Errorf("variance %v, want %v", got, want)
	}
	c := must.Get(m.Classifier(ctx))(t)
	prior := math.Sqrt(m.Process.Scale * (m.Process.Self + m.Process.Lambda))
	if got := c.Decide([]byte("NN")); math.Abs(got.Deviation-prior) > 1e-12 || !got.Unknown {
		t.Errorf("%+v without features, want a deviation of %v", got, prior)
	}

	trainer.Lambda = 0
	fold := must.Get(d.Folds(5, 1))(t)
	o := must.Get(classify.CrossValidate(ctx, trainer, d, fold))(t)
	if o.Rules[0].Process.Lambda == 0 || o.Rules[0].Process.Rank != 48 {
		t.Errorf("process of a fold: %+v", o.Rules[0].Process)
	}
	report, err := measure.Predictions(d, classify.Indices(d.Len()), o.Predictions)
	if err != nil || !(report.Value("coverage95") > 0.8) {
		t.Errorf("report %v, error %v", report.Scalars, err)
	}
}

// TestGaussianRefuses: the variance needs a k(x, x) that is known.
func TestGaussianRefuses(t *testing.T) {
	d, trainer := classify.MustTargets(t), classify.TaskTrainer()
	trainer.Rank = 10
	trainer.Kernel = spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}
	if _, err := trainer.Train(context.Background(), d); err == nil || !strings.Contains(err.Error(), "normalise") {
		t.Errorf("error %v", err)
	}
	trainer.Quantile = 0.5
	if _, err := trainer.Train(context.Background(), d); err == nil || !strings.Contains(err.Error(), "Lambda") {
		t.Errorf("error %v", err)
	}
	trainer = classify.TaskTrainer()
	trainer.Lambda = 1e-300 // errors over λ would leave float64
	if _, err := trainer.Train(context.Background(), d); err == nil || !strings.Contains(err.Error(), "1e-70") {
		t.Errorf("error %v", err)
	}
}
