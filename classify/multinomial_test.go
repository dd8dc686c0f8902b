package classify_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestMultinomial: decision values are those of package process, probabilities their softmax, alone and in folds.
func TestMultinomial(t *testing.T) {
	ctx := context.Background()
	corpus, labels := classify.TaskData(t)
	d := must.Get(dataset.New(corpus, labels, nil))(t)
	trainer := classify.TaskTrainer()
	trainer.Multiclass, trainer.Loss = decide.Multinomial, classify.LossLogistic
	m, predictions := trainTask(t, trainer, d)
	g := must.Get(trainer.Kernel.Gram(ctx, d.Corpus))(t)
	costs := []float64{10, 10, 10, 10}
	want := must.Get(process.Multinomial{}.Solve(ctx, g,
		svm.MulticlassProblem{Y: d.Y, Classes: 4, Costs: costs, Tol: trainer.Tol}))(t)
	if m.Scheme != decide.Multinomial || len(m.Problems) != 1 {
		t.Errorf("scheme %s with %d problems", m.Scheme, len(m.Problems))
	}
	f := make([]float64, g.Len())
	for c := range costs {
		g.MulVecTo(f, want.Coef[c])
		for i, p := range predictions {
			if math.Abs(p.Scores[c]-f[i]+want.Rho[c]) > 1e-9 {
				t.Errorf("record %d, class %d: %v, want %v", i, c, p.Scores[c], f[i]-want.Rho[c])
			}
			sum := 0.0
			for _, s := range p.Scores {
				sum += math.Exp(s - p.Scores[c])
			}
			if math.Abs(p.Probabilities[c]-1/sum) > 1e-12 {
				t.Errorf("record %d, class %d: probability %v, want %v", i, c, p.Probabilities[c], 1/sum)
			}
		}
	}
	fold := must.Get(d.Folds(5, 1))(t)
	o, err := classify.CrossValidate(ctx, trainer, d, fold)
	if err != nil || len(o.Predictions[0].Probabilities) != 4 {
		t.Errorf("%v, error %v", o.Predictions[0], err)
	}
	trainer.Loss = ""
	if _, err := trainer.Train(ctx, d); err == nil || !strings.Contains(err.Error(), "logistic") {
		t.Errorf("error %v without the logistic loss", err)
	}
}
