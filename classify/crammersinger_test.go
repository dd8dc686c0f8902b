package classify_test

import (
	"context"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestCrammerSingerByTrainer: the machines of the trainer are the joint solution.
func TestCrammerSingerByTrainer(t *testing.T) {
	d := classify.ToyData(90, 3)
	tr := classify.Trainer{Kernel: classify.RowsToy{}, Multiclass: decide.CrammerSinger, C: 0.5}
	m := must.Get(tr.Train(context.Background(), d))(t)
	problem := svm.MulticlassProblem{Y: d.Y, Classes: 3, Costs: []float64{0.5, 0.5, 0.5}}
	want := must.Get(descent.CrammerSinger{}.Solve(t.Context(), svmtest.PairCounts(d.Corpus), problem))(t)
	if m.Scheme != decide.CrammerSinger || len(m.Machines) != 3 {
		t.Fatalf("scheme %s with %d machines", m.Scheme, len(m.Machines))
	}
	for c, machine := range m.Machines {
		if machine.Primal != want.Primal || machine.Rho != 0 || machine.Gap > 1e-3 {
			t.Errorf("machine %d: %+v, want primal %v", c, machine, want.Primal)
		}
		coef := m.Coef.Dense()[c]
		for j, i := range m.Index {
			if coef[j] != want.Coef[c][i] {
				t.Fatalf("coefficient of record %d for class %d: %v, want %v", i, c, coef[j], want.Coef[c][i])
			}
		}
	}
}
