package classify_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

func TestMixtureInFolds(t *testing.T) {
	d := classify.ToyData(90, 2)
	fold := must.Get(d.Folds(3, 1))(t)
	trainer := classify.Trainer{Kernel: classify.SumOf(nil, 1, 2), MKL: 1.5}
	one := must.Get(classify.CrossValidate(t.Context(), trainer, d, fold))(t)
	for f, rule := range one.Rules {
		if rule.Mixture == nil || rule.Mixture.Gap > 1e-3 {
			t.Errorf("fold %d: %+v", f, rule.Mixture)
		}
	}
	costs := must.Get(classify.CrossValidateCosts(t.Context(), trainer, d, fold, []float64{0.1, 1}, nil))(t)
	for i, p := range costs[1].Predictions {
		if p.Scores[0] != one.Predictions[i].Scores[0] {
			t.Fatalf("record %d: %v among costs, %v alone", i, p.Scores, one.Predictions[i].Scores)
		}
	}
}

func TestMixtureRefused(t *testing.T) {
	d := classify.ToyData(40, 2)
	for _, trainer := range []classify.Trainer{
		{Kernel: classify.SumOf(nil, 1)}, {Kernel: classify.SumOf([]float64{1, 2}, 1, 2)}, {Kernel: classify.ToyKernel{}},
	} {
		trainer.MKL = 2
		if _, err := trainer.Train(t.Context(), d); !errors.Is(err, classify.ErrNoSum) {
			t.Errorf("%+v: %v", trainer.Kernel, err)
		}
	}
	for _, trainer := range []classify.Trainer{
		{MKL: 0.5}, {MKL: -1}, {MKL: math.NaN()}, {MKL: 2, TaskOptions: classify.TaskOptions{Nu: 0.1}},
		{MKL: 2, Penalty: classify.PenaltySum, Loss: svm.SquaredHinge},
	} {
		trainer.Kernel = classify.SumOf(nil, 1, 2)
		if err := trainer.CheckOptions(); err == nil || !strings.Contains(err.Error(), "MKL") {
			t.Errorf("%+v: %v", trainer, err)
		}
	}
}
