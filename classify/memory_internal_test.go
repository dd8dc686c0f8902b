package classify

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// granted sets the limit of memory.Check until the end of the test.
func granted(t *testing.T, bytes int64) {
	t.Helper()
	heaptest.Limit(t, bytes)
}

// manyClasses returns n records of k classes, which are leaves of a hierarchy of two levels as well.
func manyClasses(t *testing.T, n, k int) *dataset.Dataset {
	t.Helper()
	labels := make([]string, n)
	for i := range labels {
		labels[i] = fmt.Sprintf("g%d/c%d", i%k%5, i%k)
	}
	return must.Get(dataset.New(svmtest.Corpus(n), labels, nil))(t)
}

func multilabelClasses(t *testing.T, n, k int) *dataset.Dataset {
	t.Helper()
	labels := make([][]string, n)
	for i := range labels {
		labels[i] = []string{fmt.Sprintf("c%d", i%k), fmt.Sprintf("d%d", i%3)}
	}
	return must.Get(dataset.NewMultilabel(svmtest.Corpus(n), labels, nil))(t)
}

func inHierarchy(t *testing.T, d *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	must.Succeed(t, d.SetHierarchy("/"))
	return d
}

// Trainings whose machines would take more memory than is granted are refused.
func TestTooManyClasses(t *testing.T) {
	granted(t, 1<<19)
	ctx, n, k := context.Background(), 200, 100
	d := manyClasses(t, n, k)
	fold := make([]int, n)
	for i := range fold {
		fold[i] = i / k
	}
	words := spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	train := func(x Trainer, d *dataset.Dataset) error { _, err := x.Train(ctx, d); return err }
	for name, run := range map[string]func() error{
		"one-vs-rest":    func() error { return train(Trainer{Kernel: words}, d) },
		"one-vs-one":     func() error { return train(Trainer{Kernel: words, Multiclass: decide.OneVsOne}, d) },
		"crammer-singer": func() error { return train(Trainer{Kernel: words, Multiclass: decide.CrammerSinger}, d) },
		"several labels": func() error { return train(Trainer{Kernel: words}, multilabelClasses(t, n, k)) },
		"hierarchy": func() error {
			return train(Trainer{Kernel: words}, inHierarchy(t, manyClasses(t, 4*n, 4*k)))
		},
		"cross-validation": func() error { _, err := CrossValidate(ctx, Trainer{Kernel: words}, d, fold); return err },
		"cross-validation of a kernel that is fitted": func() error {
			_, err := CrossValidate(ctx,
				Trainer{Kernel: fittedToy{}}, d, fold)
			return err
		},
		"several costs": func() error {
			_, err := CrossValidateCosts(ctx, Trainer{Kernel: words}, d, fold, []float64{1, 2, 3, 4}, nil)
			return err
		},
	} {
		err := run()
		var large *memory.Error
		if !errors.As(err, &large) {
			t.Errorf("%s: error %v, want that it takes too much memory", name, err)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: an error of several lines: %v", name, err)
		}
	}
}

// Scores of more records than there is room for are refused too.
func TestTooManyScores(t *testing.T) {
	d := manyClasses(t, 60, 12)
	m, err := Trainer{Kernel: toyKernel{}}.Train(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	c := must.Get(m.Classifier(t.Context()))(t)
	granted(t, 24*12*60-1)
	_, err = c.Predict(context.Background(), d.Corpus)
	if want := "classify: scores of 60 records for 12 classes need "; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s …", err, want)
	}
}

// Solvers that would take more memory than is granted are refused, and solve to the same bits with as much as they need.
func TestTooManyPlanes(t *testing.T) {
	d := manyClasses(t, 400, 10)
	tr := Trainer{Kernel: toyKernel{}, Solver: bundle.Solver{}, Multiclass: decide.OneVsRest}
	train := func() (*decide.Model, error) { return tr.Train(context.Background(), d) }
	want := must.Get(train())(t)
	plan := must.Get(tr.plan(d, nil))(t)
	g := gramOf(t, tr.Kernel, d)
	separate := 1 + int64(tr.runner().SolverBytes(g, plan.jobs, solve.InFlight(len(plan.jobs))))
	granted(t, separate)
	got := must.Get(train())(t)
	if !reflect.DeepEqual(got.Rule, want.Rule) {
		t.Error("another rule with less memory")
	}
	granted(t, separate-2)
	var large *memory.Error
	if _, err := train(); !errors.As(err, &large) || !strings.Contains(err.Error(), "on up to 400 records each") {
		t.Errorf("error %v, want that the solvers take too much memory", err)
	}
}

func gramOf(t *testing.T, k stringkernel.Kernel, d *dataset.Dataset) stringkernel.Gram {
	t.Helper()
	return must.Get(k.Gram(t.Context(), d.Corpus))(t)
}

// Learners by linear systems and by columns are refused before they begin, several at a time by their sum.
func TestSystemsAreCounted(t *testing.T) {
	const n = 1000
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprint(i % 7)
	}
	c := svmtest.Corpus(n)
	numbers := must.Get(dataset.NewTargets(c, values, nil))(t)
	for i := range values {
		values[i] = fmt.Sprint(i % 2)
	}
	classes := must.Get(dataset.New(c, values, nil))(t)
	g := gramOf(t, toyKernel{}, numbers)
	for name, test := range map[string]struct {
		trainer Trainer
		d       *dataset.Dataset
		bytes   float64 // of a record, besides its machine
	}{
		"ridge":     {Trainer{TaskOptions: TaskOptions{Lambda: 1}}, numbers, 200},
		"process":   {Trainer{TaskOptions: TaskOptions{Lambda: 1, Rank: 20}}, numbers, 200 + 16*20},
		"relevance": {Trainer{TaskOptions: TaskOptions{Relevance: 100}}, numbers, 24 * 100},
		"landmarks": {Trainer{Loss: LossLogistic, TaskOptions: TaskOptions{Landmarks: 100}}, classes, 400 + 8*100},
		"logistic":  {Trainer{Loss: LossLogistic}, classes, 400},
	} {
		test.trainer.Kernel, test.trainer.Tol = toyKernel{}, 0.1
		granted(t, int64(0.9*test.bytes*n))
		plan := must.Get(test.trainer.plan(test.d, nil))(t)
		var large *memory.Error
		if err := test.trainer.runner().CheckSolvers(g, plan.jobs); !errors.As(err, &large) {
			t.Errorf("%s: %v, want too much memory", name, err)
		}
	}
}
