package classify_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
)

// TestTrainByCoordinates trains machines and calibration folds on explicit rows, and compares with SMO.
func TestTrainByCoordinates(t *testing.T) {
	d := classify.ToyData(160, 3)
	for _, scheme := range []string{decide.OneVsRest, decide.OneVsOne} {
		for _, solver := range []svm.Solver{auto.Solver{}, descent.Solver{}} {
			tr := classify.Trainer{Kernel: classify.RowsToy{}, Multiclass: scheme, Solver: solver, ClassWeight: classify.WeightBalanced,
				Probability: true, Tol: 1e-4}
			m, _ := classify.MustTrain(t, tr, d)
			tr.Kernel, tr.Solver = classify.ToyKernel{}, smo.Solver{}
			want, _ := classify.MustTrain(t, tr, d)
			for k, machine := range m.Machines {
				if difference := machine.Primal - want.Machines[k].Primal; machine.Solver != "dual-coordinate" ||
					machine.Gap > 1e-4 ||
					difference > 1e-4*machine.Primal || difference < -1e-4*machine.Primal {
					t.Errorf("%s, %T, machine %d: %+v, want %+v", scheme, solver, k, machine, want.Machines[k])
				}
			}
		}
	}
	if _, err := (classify.Trainer{Kernel: classify.ToyKernel{}, Solver: descent.Solver{}}).Train(context.Background(),
		d); !errors.Is(err, descent.ErrNoRows) {
		t.Errorf("error %v, want %v", err, descent.ErrNoRows)
	}
}
