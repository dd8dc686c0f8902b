package classify

import (
	"fmt"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// TestCalibration: the sigmoid is that of decision values of records left out, each by a machine of its own that was
// trained on the other folds, with a kernel that was fitted to these. Machines of a calibration have greater gaps.
func TestCalibration(t *testing.T) {
	planes, smo := bundle.Solver{}, smo.Solver{}
	for _, kernel := range []stringkernel.Kernel{toyKernel{}, fittedToy{}} {
		for name, c := range map[string]struct {
			trainer Trainer
			solver  svm.Solver
			within  float64
		}{
			"logistic":          {Trainer{Loss: LossLogistic, Tol: 1e-8}, process.Logistic{}, 0.05},
			"planes":            {Trainer{Solver: planes, Probability: true}, smo, 0.05},
			"planes, small gap": {Trainer{Solver: planes, Probability: true, Tol: 1e-7}, smo, 1e-3},
			"rows":              {Trainer{Solver: smo, Probability: true, Tol: 1e-7}, smo, 1e-3},
		} {
			c.trainer.Kernel, c.trainer.C = kernel, 0.3
			t.Run(fmt.Sprintf("%s, %T", name, kernel), func(t *testing.T) {
				testCalibration(t, c.trainer, c.solver, c.within)
			})
		}
	}
}

// TestRefittedCalibration is [TestCalibration] of words, whose folds share rows and differ in weights.
func TestRefittedCalibration(t *testing.T) {
	kernel := compose.Normalized(bow.Kernel{Letters: true, NGram: "1-2", TFIDF: true})
	for _, solver := range []svm.Solver{bundle.Solver{}, descent.Solver{}, smo.Solver{}} {
		t.Run(fmt.Sprintf("%T", solver), func(t *testing.T) {
			tr := Trainer{Kernel: kernel, Solver: solver, Probability: true, C: 0.3, Tol: 1e-7}
			testCalibration(t, tr, smo.Solver{}, 1e-3)
		})
	}
}

func testCalibration(t *testing.T, tr Trainer, solver svm.Solver, within float64) {
	d := toyData(120, 2)
	m, _ := mustTrain(t, tr, d)
	fold := dataset.Stratify(d.Y, 2, calibrationFolds, tr.Seed)
	decisions, signs := make([]float64, d.Len()), make([]float64, d.Len())
	for i, c := range d.Y {
		signs[i] = 2*float64(c) - 1
	}
	for f := range calibrationFolds {
		var train []int
		var y []float64
		for i := range fold {
			if fold[i] != f {
				train, y = append(train, i), append(y, signs[i])
			}
		}
		fitted := must.Get(stringkernel.Fit(t.Context(), tr.Kernel, d.Corpus.Subset(train)))(t)
		all := must.Get(fitted.Gram(t.Context(), d.Corpus))(t)
		sol := mustSolve(t, solver, solve.PartOf(all, train), y, tr.C, 1e-10)
		row := make([]float64, d.Len())
		for i := range fold {
			if fold[i] != f {
				continue
			}
			all.Row(row, i)
			decisions[i] = -sol.Rho
			for j, record := range train {
				decisions[i] += sol.Coef[j] * row[record]
			}
		}
	}
	want := must.Get(threshold.FitSigmoid(decisions, signs))(t)
	got := *m.Machines[0].Sigmoid
	if math.Abs(got.A/want.A-1) > within || math.Abs(got.B-want.B) > within || got.A > -1.5 {
		t.Errorf("sigmoid %+v, want %+v", got, want)
	}
}
