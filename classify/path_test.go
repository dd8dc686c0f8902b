package classify_test

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// pathCosts are out of order and hold one twice.
var pathCosts = []float64{1, 0.1, 10, 1}

// TestPathAgainstSingleCosts: a label that a training part lacks has no problem to solve at any cost.
func TestPathAgainstSingleCosts(t *testing.T) {
	for _, data := range []struct {
		*dataset.Dataset
		kernel stringkernel.Kernel
	}{
		{classify.ToyData(30, 2), classify.FittedToy{}}, {classify.ToyData(30, 3), classify.ToyKernel{}},
		{classify.MultilabelToy(t, 30), classify.FittedToy{}}, {classify.MultilabelToy(t, 30), classify.ToyKernel{}},
	} {
		fold := must.Get(data.Folds(4, 5))(t)
		all := classify.Variants()
		if data.LabelSets != nil {
			all = map[string]classify.Trainer{"labels": {}}
		}
		for name, tr := range all {
			tr.Tol, tr.Kernel = 1e-8, data.kernel
			path, err := classify.CrossValidateCosts(context.Background(), tr, data.Dataset, fold, pathCosts, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, c := range pathCosts {
				tr.C = c
				want := must.Get(classify.CrossValidate(context.Background(), tr, data.Dataset, fold))(t)
				sameOutcome(t, name, path[i], want)
			}
		}
	}
}

// sameOutcome compares objectives to the gap and scores to what that leaves open.
func sameOutcome(t *testing.T, name string, got, want *classify.CVResult) {
	t.Helper()
	if got.Folds != want.Folds || !reflect.DeepEqual(got.Fold, want.Fold) ||
		!reflect.DeepEqual(got.Classes, want.Classes) || got.Positive != want.Positive {
		t.Fatalf("%s: folds or classes differ", name)
	}
	for f := range want.Rules {
		for m, w := range want.Rules[f].Machines {
			g := got.Rules[f].Machines[m]
			if g.Gap > 1e-8 || math.Abs(g.Primal-w.Primal) > 1e-7*w.Primal {
				t.Fatalf("%s, fold %d, machine %d: objective %v with gap %v, want %v", name, f, m, g.Primal,
					g.Gap, w.Primal)
			}
		}
	}
	for i, w := range want.Predictions {
		g := got.Predictions[i]
		for s := range w.Scores {
			if math.Abs(g.Scores[s]-w.Scores[s]) > 1e-4 {
				t.Fatalf("%s, record %d: scores %v, want %v", name, i, g.Scores, w.Scores)
			}
		}
	}
}

// TestPathStartsAtTheLeastCost holds the first problems of a path to those of a cross-validation to the bit: they start
// from zeros, on the same matrix.
func TestPathStartsAtTheLeastCost(t *testing.T) {
	d := classify.ToyData(60, 3)
	fold := must.Get(d.Folds(4, 5))(t)
	for name, tr := range classify.Variants() {
		tr.Kernel, tr.C = classify.ToyKernel{}, 0.1
		path := must.Get(classify.CrossValidateCosts(context.Background(), tr, d, fold, pathCosts, nil))(t)
		want := must.Get(classify.CrossValidate(context.Background(), tr, d, fold))(t)
		if !reflect.DeepEqual(path[1], want) {
			t.Errorf("%s: the outcome at the least cost is not that of CrossValidate", name)
		}
	}
}

// TestPathAsksForMatrices counts the matrices asked for: one for all folds, or one per fold of the records that are not
// tested in it.
func TestPathAsksForMatrices(t *testing.T) {
	d := classify.ToyData(40, 2)
	fold := must.Get(d.Folds(4, 5))(t)
	for _, kernel := range []stringkernel.Kernel{classify.ToyKernel{}, classify.FittedToy{}} {
		asked := make(chan []int, 100)
		matrix := func(ctx context.Context, train []int) (stringkernel.Gram, error) {
			asked <- train
			return classify.ToyKernel{}.Gram(t.Context(), d.Corpus)
		}
		must.Get(classify.CrossValidateCosts(context.Background(), classify.Trainer{Kernel: kernel}, d, fold, pathCosts,
			matrix))(t)
		close(asked)
		if !stringkernel.DependsOnCorpus(kernel) {
			if train := <-asked; train != nil || len(asked) > 0 {
				t.Errorf("a kernel of parameters alone was fitted to %v, and %d times more", train, len(asked))
			}
			continue
		}
		met := map[int]bool{}
		for train := range asked {
			inside := map[int]bool{}
			for _, i := range train {
				inside[i] = true
			}
			for f := range 4 {
				fits := true
				for i, g := range fold {
					fits = fits && inside[i] == (g != f)
				}
				met[f] = met[f] || fits
			}
		}
		if len(met) != 4 || !met[0] || !met[1] || !met[2] || !met[3] {
			t.Errorf("training parts met: %v, want those of all four folds", met)
		}
	}
}

func TestPathNamesWhatIsWrong(t *testing.T) {
	d := classify.ToyData(20, 2)
	fold := must.Get(d.Folds(2, 1))(t)
	for _, c := range []struct {
		costs []float64
		fold  []int
		want  string
	}{
		{nil, fold, "no costs"},
		{[]float64{1, 0}, fold, "C = 0"},
		{[]float64{1, -1}, fold, "C = -1"},
		{[]float64{1}, fold[1:], "19 fold numbers"},
	} {
		_, err := classify.CrossValidateCosts(context.Background(), classify.Trainer{Kernel: classify.ToyKernel{}}, d, c.fold, c.costs, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("costs %v: %v, want %q", c.costs, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := classify.CrossValidateCosts(ctx, classify.Trainer{Kernel: classify.ToyKernel{}}, d, fold, []float64{1}, nil); err == nil {
		t.Error("a cancelled context ends nothing")
	}
}
