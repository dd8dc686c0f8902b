package classify_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
)

// TestMultinomial: decision values are those of package process, probabilities their softmax, alone and in folds.
func TestMultinomial(t *testing.T) {
	ctx := context.Background()
	corpus, labels := classify.TaskData(t)
	d, err := classify.NewDataset(corpus, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	trainer := classify.TaskTrainer()
	trainer.Multiclass, trainer.Loss = classify.Multinomial, classify.LossLogistic
	m, predictions := trainTask(t, trainer, d)
	g, err := trainer.Kernel.Gram(ctx, d.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	costs := []float64{10, 10, 10, 10}
	want, err := process.Multinomial{}.Solve(ctx, g,
		svm.MulticlassProblem{Y: d.Y, Classes: 4, Costs: costs, Tol: trainer.Tol})
	if err != nil {
		t.Fatal(err)
	}
	if m.Scheme != classify.Multinomial || len(m.Problems) != 1 {
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
	fold, err := d.Folds(5, 1)
	if err != nil {
		t.Fatal(err)
	}
	o, err := classify.CrossValidate(ctx, trainer, d, fold)
	if err != nil || len(o.Predictions[0].Probabilities) != 4 {
		t.Errorf("%v, error %v", o.Predictions[0], err)
	}
	trainer.Loss = ""
	if _, err := trainer.Train(ctx, d); err == nil || !strings.Contains(err.Error(), "logistic") {
		t.Errorf("error %v without the logistic loss", err)
	}
}
