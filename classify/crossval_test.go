package classify

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// crossValidateByHand trains on a copy of each training part and predicts each test part.
func crossValidateByHand(t *testing.T, tr Trainer, d *Dataset, fold []int) []Prediction {
	t.Helper()
	out := make([]Prediction, d.Len())
	for f := 0; ; f++ {
		var train, test []int
		for i, g := range fold {
			if g == f {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		if len(test) == 0 {
			return out
		}
		_, c := mustTrain(t, tr, d.Subset(train))
		for _, i := range test {
			out[i] = c.Decide(d.Corpus.Seq(i))
		}
	}
}

func TestCrossValidateAgainstTrainingByHand(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := toyData(60, classes)
		fold, err := d.Folds(4, 5)
		if err != nil {
			t.Fatal(err)
		}
		for name, tr := range variants() {
			tr.Tol = 1e-8
			kernels := []stringkernel.Kernel{toyKernel{}}
			if tr.Solver == (svm.Auto{}) {
				kernels = append(kernels, fittedToy{})
			}
			for _, kernel := range kernels {
				tr.Kernel = kernel
				got, err := CrossValidate(context.Background(), tr, d, fold)
				if err != nil {
					t.Fatal(err)
				}
				for i, want := range crossValidateByHand(t, tr, d, fold) {
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

func TestCrossValidateByGroups(t *testing.T) {
	d := toyData(90, 2)
	d.Groups = make([]string, 90)
	for i := range d.Groups {
		d.Groups[i] = strconv.Itoa(i / 3)
	}
	fold, err := d.Folds(3, 1)
	if err != nil {
		t.Fatal(err)
	}
	tr := Trainer{Kernel: toyKernel{}, Probability: true}
	if _, err := CrossValidate(context.Background(), tr, d, fold); err != nil {
		t.Fatal(err)
	}
	// Calibration keeps groups together too.
	p, err := tr.plan(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.folds[0] {
		tested := map[string]bool{}
		for _, i := range p.jobs[c.job].test {
			tested[d.Groups[i]] = true
		}
		for _, i := range p.jobs[c.job].index {
			if tested[d.Groups[i]] {
				t.Fatalf("group %s is trained on and tested", d.Groups[i])
			}
		}
	}
}

// TestCrossValidateSchemes: the classes and labels of other schemes are those of training by hand, twice the same. A
// label or class that a training part lacks is never predicted.
func TestCrossValidateSchemes(t *testing.T) {
	for _, c := range []struct {
		d  *Dataset
		tr Trainer
	}{
		{multilabelToy(t, 60), Trainer{Kernel: toyKernel{}}}, {multilabelToy(t, 60), Trainer{Kernel: fittedToy{}}},
		{hierarchyToy(t, 120), Trainer{Kernel: toyKernel{}}}, {hierarchyToy(t, 120), Trainer{Kernel: fittedToy{}}},
		{hierarchyToy(t, 120), Trainer{Kernel: rowsToy{}, Multiclass: CrammerSinger}},
		{toyData(90, 3), Trainer{Kernel: rowsToy{}, Multiclass: CrammerSinger, C: 0.5}},
	} {
		c.tr.Tol = 1e-8
		fold, err := c.d.Folds(4, 5)
		if err != nil {
			t.Fatal(err)
		}
		got, err := CrossValidate(t.Context(), c.tr, c.d, fold)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range crossValidateByHand(t, c.tr, c.d, fold) {
			p := got.Predictions[i]
			if p.Class != want.Class || !slices.Equal(p.Labels, want.Labels) {
				t.Errorf("%T, record %d: %+v, by hand %+v", c.tr.Kernel, i, p, want)
			}
			if c.d.LabelSets != nil && fold[i] == fold[0] && slices.Contains(p.Labels, 4) {
				t.Errorf("record %d has a label that no record of its training part has", i)
			}
		}
		if again, err := CrossValidate(t.Context(), c.tr, c.d, fold); err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("two runs differ (%v)", err)
		}
	}
}

// TestLabelsOfTheTestPartHaveNoInfluence changes the labels of a fold: its own predictions stay the same to the bit.
func TestLabelsOfTheTestPartHaveNoInfluence(t *testing.T) {
	d := toyData(60, 3)
	fold, err := d.Folds(4, 5)
	if err != nil {
		t.Fatal(err)
	}
	relabelled := &Dataset{Corpus: d.Corpus, Classes: d.Classes, Positive: d.Positive, Y: slices.Clone(d.Y)}
	for i, f := range fold {
		if f == 0 {
			relabelled.Y[i] = (d.Y[i] + 1) % 3
		}
	}
	for name, tr := range variants() {
		for _, kernel := range []stringkernel.Kernel{toyKernel{}, fittedToy{}} {
			tr.Kernel = kernel
			a, errA := CrossValidate(context.Background(), tr, d, fold)
			b, errB := CrossValidate(context.Background(), tr, relabelled, fold)
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
	d := toyData(30, 2)
	for _, c := range []struct {
		want string
		tr   Trainer
		fold []int
	}{
		{"no kernel", Trainer{}, nil},
		{"0 fold numbers for 30 records", Trainer{Kernel: toyKernel{}}, nil},
		{"all records are in one fold", Trainer{Kernel: toyKernel{}}, make([]int, 30)},
	} {
		if o, err := CrossValidate(context.Background(), c.tr, d, c.fold); err == nil || o != nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
