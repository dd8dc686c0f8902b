package classify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
)

func mustTrain(t testing.TB, tr Trainer, d *dataset.Dataset) (*decide.Model, *decide.Classifier) {
	t.Helper()
	m := must.Get(tr.Train(context.Background(), d))(t)
	c := must.Get(m.Classifier(t.Context()))(t)
	return m, c
}

// variants crosses solvers with calibration, under the one or the other scheme.
func variants() map[string]Trainer {
	out := map[string]Trainer{}
	schemes := []string{decide.OneVsRest, decide.OneVsOne}
	for i, solver := range []svm.Solver{auto.Solver{}, smo.Solver{}, bundle.Solver{}} {
		for j, probability := range []bool{false, true} {
			scheme := schemes[(i+j)%2]
			out[fmt.Sprintf("%s, %T, %v", scheme, solver, probability)] = Trainer{
				Kernel: toyKernel{}, Multiclass: scheme, Solver: solver, Probability: probability,
				ClassWeight: WeightBalanced, Seed: 3,
			}
		}
	}
	return out
}

// TestTrainMatchesSolver rebuilds every machine's problem by hand, which SMO solves; the trainer does it by rows of the
// matrix or by explicit ones.
func TestTrainMatchesSolver(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := toyData(60, classes)
		g, _ := toyKernel{}.Gram(t.Context(), d.Corpus)
		whole := g.(*svm.Precomputed)
		for _, tr := range []Trainer{{Kernel: toyKernel{}}, {Kernel: toyKernel{}, Multiclass: decide.OneVsOne},
			{Kernel: rowsToy{}, Solver: descent.Solver{}, Multiclass: decide.OneVsOne, Probability: true}} {
			tr.C, tr.Tol = 2, 1e-8
			m, _ := mustTrain(t, tr, d)
			for k, machine := range m.Machines {
				var index, y []int
				for i, c := range d.Y {
					if machine.Negative == decide.Rest || c == machine.Positive || c == machine.Negative {
						index, y = append(index, i), append(y, c)
					}
				}
				sol := mustSolve(t, smo.Solver{}, solve.PartOf(whole, index), signs(y, machine.Positive), 2, 1e-8)
				if math.Abs(sol.Primal-machine.Primal) > 1e-7*sol.Primal || machine.Gap > 1e-8 ||
					(machine.Solver == "dual-coordinate") != (tr.Solver != nil) {
					t.Errorf("%d classes, %+v, machine %d: %+v, want primal %v", classes, tr, k, machine, sol.Primal)
				}
			}
		}
	}
}

func TestBalancedCosts(t *testing.T) {
	tr := Trainer{C: 2, ClassWeight: WeightBalanced}
	counts := []int{10, 30, 60}
	if got, want := tr.costs(decide.Binary{Positive: 0, Negative: decide.Rest}, counts),
		(svm.Costs{Positive: 2 * 100 / (2 * 10.0), Negative: 2 * 100 / (2 * 90.0)}); got != want {
		t.Errorf("one-vs-rest: %v, want %v", got, want)
	}
	if got, want := tr.costs(decide.Binary{Positive: 1, Negative: 2}, counts),
		(svm.Costs{Positive: 2 * (100 / (3 * 30.0)), Negative: 2 * (100 / (3 * 60.0))}); got != want {
		t.Errorf("one-vs-one: %v, want %v", got, want)
	}
	if got := (Trainer{}).costs(decide.Binary{}, counts); got != (svm.Costs{Positive: 1, Negative: 1}) {
		t.Errorf("default: %v", got)
	}
}

// TestClassWeights: a class of weight 2 is one whose records all occur twice.
func TestClassWeights(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := toyData(30, classes)
		index := indices(30)
		for i, y := range d.Y {
			if y == 1 {
				index = append(index, i)
			}
		}
		twice := d.Subset(index)
		for _, scheme := range []string{decide.OneVsOne, decide.CrammerSinger} {
			tr := Trainer{Kernel: rowsToy{}, C: 0.3, Multiclass: scheme, Tol: 1e-9}
			_, want := mustTrain(t, tr, twice)
			tr.ClassWeight = "b=2"
			_, got := mustTrain(t, tr, d)
			for i := range d.Len() {
				p, q := got.Decide(d.Corpus.Seq(i)), want.Decide(d.Corpus.Seq(i))
				for k := range p.Scores {
					if math.Abs(p.Scores[k]-q.Scores[k]) > 1e-3 {
						t.Fatalf("%d classes, %s, record %d: scores %v, with copies %v", classes, scheme, i, p.Scores,
							q.Scores)
					}
				}
			}
		}
	}
	d := toyData(30, 3)
	tr := Trainer{C: 2, ClassWeight: "c=10,a=.5"}
	var err error
	if tr.weights, err = tr.classWeights(d); err != nil {
		t.Fatal(err)
	}
	for m, want := range map[decide.Binary]svm.Costs{
		{Positive: 2, Negative: decide.Rest}: {Positive: 20, Negative: 2},
		{Positive: 0, Negative: 1}:           {Positive: 1, Negative: 2},
	} {
		if got := tr.costs(m, d.Counts()); got != want {
			t.Errorf("machine %+v: costs %v, want %v", m, got, want)
		}
	}
	sets := must.Get(dataset.NewMultilabel(d.Corpus, slices.Repeat([][]string{{"a"}, {"a", "b"}, {}}, 10), nil))(t)
	for _, options := range []TaskOptions{{Nu: 0.3}, {Prior: 0.3}} {
		tr := Trainer{Kernel: toyKernel{}, ClassWeight: WeightBalanced, TaskOptions: options}
		if _, err := tr.Train(t.Context(), toyData(30, 2)); err == nil || !strings.Contains(err.Error(), "want none with") {
			t.Errorf("%+v: error %v, want one about the weights of classes", options, err)
		}
	}
	for _, c := range []struct {
		text, want string
		d          *dataset.Dataset
	}{
		{"a=1,d=2", `classes of the data, ["a" "b" "c"]: "d" is not one of them`, d},
		{"a=1,a=2", `one number for class "a"`, d},
		{"a=0", "numbers from 1e-09 to 1e+09", d},
		{"a=1,", "LABEL=NUMBER,…", d},
		{"a=1", "records have not one of several classes each", sets},
	} {
		_, err := (Trainer{Kernel: toyKernel{}, ClassWeight: c.text}).Train(t.Context(), c.d)
		var option *svm.OptionError
		if !errors.As(err, &option) || option.Option != "ClassWeight" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.text, err, c.want)
		}
	}
}
