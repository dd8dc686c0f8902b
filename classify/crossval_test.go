package classify_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestCrossValidateAgainstTrainingByHand(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := classify.ToyData(40, classes)
		fold := must.Get(d.Folds(4, 5))(t)
		for name, tr := range classify.Variants() {
			tr.Tol = 1e-8
			kernels := []stringkernel.Kernel{classify.ToyKernel{}}
			if tr.Solver == (auto.Solver{}) {
				kernels = append(kernels, classify.FittedToy{})
			}
			for _, kernel := range kernels {
				tr.Kernel = kernel
				got := must.Get(classify.CrossValidate(context.Background(), tr, d, fold))(t)
				for i, want := range classify.CrossValidateByHand(t, tr, d, fold) {
					p := got.Predictions[i]
					for s := range want.Scores {
						if math.Abs(p.Scores[s]-want.Scores[s]) > 1e-5 {
							t.Fatalf("%s, %T, record %d: %v, want %v", name, kernel, i, p, want)
						}
					}
					for c := range want.Probabilities {
						if math.Abs(p.Probabilities[c]-want.Probabilities[c]) > 1e-4 {
							t.Fatalf("%s, %T, record %d: %v, want %v", name, kernel, i, p, want)
						}
					}
				}
				if got.Folds != 4 || len(got.Rules) != 4 {
					t.Errorf("%s: %d folds, %d decisions", name, got.Folds, len(got.Rules))
				}
				for _, decision := range got.Rules {
					if err := decision.Check(); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
		}
	}
}

// TestCrossValidateSchemes: the classes and labels of other schemes are those of training by hand, twice the same. A
// label or class that a training part lacks is never predicted.
func TestCrossValidateSchemes(t *testing.T) {
	for _, c := range []struct {
		d  *dataset.Dataset
		tr classify.Trainer
	}{
		{classify.MultilabelToy(t, 60), classify.Trainer{Kernel: classify.ToyKernel{}}}, {classify.MultilabelToy(t, 60), classify.Trainer{Kernel: classify.FittedToy{}}},
		{classify.HierarchyToy(t, 120), classify.Trainer{Kernel: classify.ToyKernel{}}}, {classify.HierarchyToy(t, 120), classify.Trainer{Kernel: classify.FittedToy{}}},
		{classify.HierarchyToy(t, 120), classify.Trainer{Kernel: classify.RowsToy{}, Multiclass: decide.CrammerSinger}},
		{classify.ToyData(90, 3), classify.Trainer{Kernel: classify.RowsToy{}, Multiclass: decide.CrammerSinger, C: 0.5}},
	} {
		c.tr.Tol = 1e-8
		fold := must.Get(c.d.Folds(4, 5))(t)
		got := must.Get(classify.CrossValidate(t.Context(), c.tr, c.d, fold))(t)
		for i, want := range classify.CrossValidateByHand(t, c.tr, c.d, fold) {
			p := got.Predictions[i]
			if p.Class != want.Class || !slices.Equal(p.Labels, want.Labels) {
				t.Errorf("%T, record %d: %+v, by hand %+v", c.tr.Kernel, i, p, want)
			}
			if c.d.LabelSets != nil && fold[i] == fold[0] && slices.Contains(p.Labels, 4) {
				t.Errorf("record %d has a label that no record of its training part has", i)
			}
		}
		if again, err := classify.CrossValidate(t.Context(), c.tr, c.d, fold); err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("two runs differ (%v)", err)
		}
	}
}

// TestLabelsOfTheTestPartHaveNoInfluence changes the labels of a fold: its own predictions stay the same to the bit.
func TestLabelsOfTheTestPartHaveNoInfluence(t *testing.T) {
	d := classify.ToyData(60, 3)
	fold := must.Get(d.Folds(4, 5))(t)
	relabelled := &dataset.Dataset{Corpus: d.Corpus, Classes: d.Classes, Positive: d.Positive, Y: slices.Clone(d.Y)}
	for i, f := range fold {
		if f == 0 {
			relabelled.Y[i] = (d.Y[i] + 1) % 3
		}
	}
	for name, tr := range classify.Variants() {
		for _, kernel := range []stringkernel.Kernel{classify.ToyKernel{}, classify.FittedToy{}} {
			tr.Kernel = kernel
			a, errA := classify.CrossValidate(context.Background(), tr, d, fold)
			b, errB := classify.CrossValidate(context.Background(), tr, relabelled, fold)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			for i, f := range fold {
				if f == 0 && !reflect.DeepEqual(a.Predictions[i], b.Predictions[i]) {
					t.Fatalf("%s, %T, record %d: %v, and %v with other labels in its fold", name, kernel, i,
						a.Predictions[i], b.Predictions[i])
				}
			}
		}
	}
}

func TestCrossValidateErrors(t *testing.T) {
	d := classify.ToyData(30, 2)
	for _, c := range []struct {
		want string
		tr   classify.Trainer
		fold []int
	}{
		{"no kernel", classify.Trainer{}, nil},
		{"0 fold numbers for 30 records", classify.Trainer{Kernel: classify.ToyKernel{}}, nil},
		{"all records are in one fold", classify.Trainer{Kernel: classify.ToyKernel{}}, make([]int, 30)},
	} {
		if o, err := classify.CrossValidate(context.Background(), c.tr, d, c.fold); err == nil || o != nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
