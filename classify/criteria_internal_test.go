package classify

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// Predictions of records left out are those of a cross-validation with a fold for each, and of a Gaussian process with
// the deviation of dense algebra of the others; the evidence at no λ is that of the most likely one.
func TestCriteria(t *testing.T) {
	d, trainer := mustTargets(t), taskTrainer()
	ctx := context.Background()
	g := must.Get(trainer.Kernel.Gram(ctx, d.Corpus))(t)
	fold := make([]int, d.Len())
	for i := range fold {
		fold[i] = i
	}
	lambdas := []float64{0.3, 2}
	trainer.Lambda, trainer.Tol = 1, 1e-12
	ridge := must.Get(trainer.LeaveOneOut(ctx, d, g, lambdas))(t)
	process := trainer
	process.Rank = d.Len()
	processes := must.Get(process.LeaveOneOut(ctx, d, g, lambdas))(t)
	values, err := process.LogEvidences(ctx, d, g, append(likelyLambdas, 0))
	if last := len(values) - 1; err != nil || values[last] != slices.Max(values[:last]) {
		t.Errorf("evidence %v, want that without λ to be the greatest, %v", values, err)
	}
	for k := range lambdas {
		trainer.Lambda = lambdas[k]
		want := must.Get(CrossValidate(ctx, trainer, d, fold))(t)
		process.Lambda = lambdas[k]
		others := must.Get(CrossValidate(ctx, process, d, fold))(t)
		for i, p := range ridge[k] {
			if math.Abs(p.Scores[0]-want.Predictions[i].Scores[0]) > 1e-3 || p.Deviation != 0 {
				t.Errorf("λ = %g, record %d: %v, want %v", lambdas[k], i, p.Scores[0], want.Predictions[i].Scores[0])
			}
			// a process left out has its own mean and scale of numbers
			q, r := processes[k][i], others.Predictions[i]
			if math.Abs(q.Scores[0]-r.Scores[0]) > 0.2 || math.Abs(q.Deviation/r.Deviation-1) > 0.1 {
				t.Errorf("λ = %g, record %d: %v ± %v, want some %v ± %v", lambdas[k], i, q.Scores[0], q.Deviation,
					r.Scores[0], r.Deviation)
			}
		}
	}
	trainer.Lambda = 0
	if err := trainer.HasEvidence(d); err == nil || !strings.Contains(err.Error(), "ridge regression") {
		t.Errorf("error %v, want one about λ", err)
	}
}
