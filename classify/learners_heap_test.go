//go:build heap

package classify

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// The memory of each task and method on many short records stays within the estimate made beforehand, which is not far
// above it.
func TestHeapOfLearners(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 60_000
	var b stringkernel.CorpusBuilder
	two, five, numbers := make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		x := drawn.Text(rng, "ACGT", 12)
		value := rng.NormFloat64()
		if i%2 == 0 {
			copy(x[rng.IntN(8):], "ACGT")
			value++
		}
		b.Add(fmt.Sprint(i), x)
		two[i], five[i], numbers[i] = fmt.Sprint(i%2), fmt.Sprint(i%5), fmt.Sprint(value)
	}
	c := b.Corpus()
	of := func(task dataset.Task, labels []string) *dataset.Dataset {
		return must.Get(dataset.NewFor(task, c, labels, dataset.LabelNames{}, nil))(t)
	}
	classes, many := of(dataset.Classes, two), of(dataset.Classes, five)
	targets, grades, known, levels := of(dataset.Regression, numbers), of(dataset.Ranking, numbers), of(dataset.Novelty, two), of(dataset.Ordinal, five)
	g := gramOf(t, compose.Normalized(spectrum.Kernel{K: 4, Alphabet: stringkernel.DNA}), classes)
	must.Succeed(t, stringkernel.Prepare(t.Context(), g))
	for _, test := range []struct {
		name    string
		trainer Trainer
		d       *dataset.Dataset
	}{
		{"logistic", Trainer{Loss: LossLogistic}, classes},
		{"cutting planes", Trainer{Solver: bundle.Solver{}}, classes},
		{"cutting planes, small C", Trainer{Solver: bundle.Solver{}, C: 0.1}, classes},
		{"cutting planes, great C", Trainer{Solver: bundle.Solver{}, C: 10}, classes},
		{"smo", Trainer{Solver: smo.Solver{MaxIterations: 2000}, CacheBytes: 64 << 20}, classes},
		{"dual coordinate descent", Trainer{Solver: descent.Solver{}}, classes},
		{"landmarks", Trainer{Loss: LossLogistic, TaskOptions: TaskOptions{Landmarks: 60}}, classes},
		{"relevance", Trainer{Loss: LossLogistic, TaskOptions: TaskOptions{Relevance: 60}}, classes},
		{"multinomial", Trainer{Loss: LossLogistic, Multiclass: decide.Multinomial}, many},
		{"crammer-singer", Trainer{Multiclass: decide.CrammerSinger}, many},
		{"one-vs-rest", Trainer{Multiclass: decide.OneVsRest}, many},
		{"nu", Trainer{TaskOptions: TaskOptions{Nu: 0.3}}, classes},
		{"unlabelled", Trainer{TaskOptions: TaskOptions{Prior: 0.3}}, classes},
		{"regression", Trainer{C: 0.1}, targets},
		{"quantile", Trainer{C: 0.1, TaskOptions: TaskOptions{Quantile: 0.9}}, targets},
		{"ridge", Trainer{TaskOptions: TaskOptions{Lambda: 0.1}}, targets},
		{"relevance of numbers", Trainer{TaskOptions: TaskOptions{Relevance: 60}}, targets},
		{"process", Trainer{TaskOptions: TaskOptions{Rank: 30, Lambda: 0.1}}, targets},
		{"process of most evidence", Trainer{TaskOptions: TaskOptions{Rank: 3}}, targets},
		{"ranking", Trainer{C: 0.1}, grades},
		{"novelty", Trainer{}, known},
		{"ordinal", Trainer{C: 0.1}, levels},
	} {
		test.trainer.Tol = 0.05
		plan, err := test.trainer.plan(test.d, nil)
		if err != nil {
			t.Fatal(test.name, err)
		}
		running := solve.InFlight(len(plan.jobs))
		counted := test.trainer.machineBytes(test.d) + test.trainer.runner().Beside(running).SolverBytes(g, plan.jobs, running)
		peak := heaptest.Peak(func() {
			if _, _, err := test.trainer.TrainOn(t.Context(), g, test.d); err != nil {
				t.Error(test.name, err)
			}
		})
		wantCounted(t, test.name, n, counted, peak)
	}
	pca := components.PCA{Count: 3}
	wantCounted(t, "components", n, pca.Bytes(n), heaptest.Peak(func() {
		if _, err := pca.Fit(t.Context(), g); err != nil {
			t.Error(err)
		}
	}))
	problem, lambdas := process.Regression{Targets: targets.Targets, Tol: 0.01}, []float64{0.1, 1, 10}
	likelihood := process.Likelihood{Determinant: krylov.LogDet{Steps: 10}}
	wantCounted(t, "evidence", n, likelihood.Bytes(n, len(lambdas)), heaptest.Peak(func() {
		if _, _, err := likelihood.Evidences(t.Context(), g, problem, lambdas); err != nil {
			t.Error(err)
		}
	}))
	left := process.LeaveOneOut{Probes: 8}
	wantCounted(t, "left out", n, left.Bytes(n, len(lambdas)), heaptest.Peak(func() {
		if _, err := left.Predict(t.Context(), g, problem, lambdas); err != nil {
			t.Error(err)
		}
	}))
}

// wantCounted compares what a learner takes for n records with what was counted beforehand. Cutting planes are counted
// for the data that keep the most, and their scores in double precision, as a strict --tol has them.
func wantCounted(t *testing.T, name string, n, counted, peak float64) {
	t.Helper()
	const rest, above = 24 << 20, 5 // what a collection has not seen yet
	t.Logf("%s: %.0f bytes per record counted, %.0f taken", name, counted/n, peak/n)
	if peak > counted+rest || counted > above*peak {
		t.Errorf("%s: %.0f bytes per record counted, %.0f taken", name, counted/n, peak/n)
	}
}
