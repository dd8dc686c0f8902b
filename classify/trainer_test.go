package classify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func mustTrain(t testing.TB, tr Trainer, d *Dataset) (*Model, *Classifier) {
	t.Helper()
	m, err := tr.Train(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.Classifier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m, c
}

// slowKernel indexes a corpus until its context is done.
type slowKernel struct {
	toyKernel
	started, ended chan bool
}

func (k slowKernel) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	k.started <- true
	<-ctx.Done()
	defer close(k.ended)
	return nil, ctx.Err()
}

// TestIndexingStopsWhenCancelled: the index is told, and nobody returns before it has stopped.
func TestIndexingStopsWhenCancelled(t *testing.T) {
	d := toyData(12, 2)
	fold := []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	for what, run := range map[string]func(context.Context, Trainer) error{
		"training": func(ctx context.Context, tr Trainer) error { _, err := tr.Train(ctx, d); return err },
		"cross-validation": func(ctx context.Context, tr Trainer) error {
			_, err := CrossValidate(ctx, tr, d, fold)
			return err
		},
		"costs": func(ctx context.Context, tr Trainer) error {
			_, err := CrossValidateCosts(ctx, tr, d, fold, []float64{1, 2}, nil)
			return err
		},
		"matrices": func(ctx context.Context, tr Trainer) error {
			_, err := CrossValidateCosts(ctx, tr, d, fold, []float64{1, 2},
				func(ctx context.Context, _ []int) (stringkernel.Gram, error) {
					return tr.Kernel.Gram(ctx, d.Corpus)
				})
			return err
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		k := slowKernel{started: make(chan bool), ended: make(chan bool)}
		go func() {
			<-k.started
			cancel()
		}()
		if err := run(ctx, Trainer{Kernel: k}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want %v", what, err, context.Canceled)
		}
		select {
		case <-k.ended:
		default:
			t.Errorf("%s: the index is still being built", what)
		}
	}
}

// variants crosses schemes, solvers and calibration.
func variants() map[string]Trainer {
	out := map[string]Trainer{}
	for _, scheme := range []string{OneVsRest, OneVsOne} {
		for _, solver := range []svm.Solver{svm.Auto{}, svm.SMO{}, svm.CuttingPlane{}} {
			for _, probability := range []bool{false, true} {
				out[fmt.Sprintf("%s, %T, %v", scheme, solver, probability)] = Trainer{
					Kernel: toyKernel{}, Multiclass: scheme, Solver: solver, Probability: probability,
					ClassWeight: WeightBalanced, Seed: 3,
				}
			}
		}
	}
	return out
}

// TestTrainMatchesSolver rebuilds every machine's problem by hand.
func TestTrainMatchesSolver(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := toyData(60, classes)
		g, _ := toyKernel{}.Gram(t.Context(), d.Corpus)
		whole := g.(*svm.Precomputed)
		for _, scheme := range []string{OneVsRest, OneVsOne} {
			m, _ := mustTrain(t, Trainer{Kernel: toyKernel{}, Multiclass: scheme, C: 2, Tol: 1e-8}, d)
			for k, machine := range m.Machines {
				var index, y []int
				for i, c := range d.Y {
					if machine.Negative == Rest || c == machine.Positive || c == machine.Negative {
						index, y = append(index, i), append(y, c)
					}
				}
				sol := mustSolve(t, svm.SMO{}, partOf(whole, index), signs(y, machine.Positive), 2, 1e-8)
				if math.Abs(sol.Primal-machine.Primal) > 1e-7*sol.Primal || machine.Gap > 1e-8 {
					t.Errorf("%d classes, %s, machine %d: primal %v, gap %v, want %v", classes, scheme, k,
						machine.Primal, machine.Gap, sol.Primal)
				}
			}
		}
	}
}

func TestTrainedScoresAreThoseOfTheModel(t *testing.T) {
	d := toyData(50, 3)
	for name, tr := range variants() {
		m, c := mustTrain(t, tr, d)
		for i := range d.Len() {
			p := c.Decide(d.Corpus.Seq(i))
			f := make([]float64, len(m.Machines))
			for k, coef := range m.Coef.Dense() {
				for j, a := range coef {
					f[k] += a * toyKernel{}.Eval(m.Support.Seq(j), d.Corpus.Seq(i))
				}
			}
			want := m.Combine(f)
			for s := range want.Scores {
				if math.Abs(p.Scores[s]-want.Scores[s]) > 1e-9 {
					t.Fatalf("%s, record %d: scores %v, want %v", name, i, p.Scores, want.Scores)
				}
			}
			if (p.Probabilities != nil) != tr.Probability {
				t.Fatalf("%s: probabilities %v", name, p.Probabilities)
			}
		}
		for j, i := range m.Index {
			if string(m.Support.Seq(j)) != string(d.Corpus.Seq(i)) {
				t.Fatalf("%s: support vector %d is not record %d", name, j, i)
			}
		}
	}
}

func TestPositiveClassSpeaks(t *testing.T) {
	d := toyData(60, 2)
	_, b := mustTrain(t, Trainer{Kernel: toyKernel{}, Tol: 1e-9, Probability: true}, d)
	if err := d.SetPositive("a"); err != nil {
		t.Fatal(err)
	}
	_, a := mustTrain(t, Trainer{Kernel: toyKernel{}, Tol: 1e-9, Probability: true}, d)
	for i := range d.Len() {
		p, q := a.Decide(d.Corpus.Seq(i)), b.Decide(d.Corpus.Seq(i))
		if math.Abs(p.Scores[0]+q.Scores[0]) > 1e-4 || p.Class != q.Class {
			t.Fatalf("record %d: %v for a, %v for b", i, p, q)
		}
		if (p.Probabilities[0] > 0.5) != (q.Probabilities[0] > 0.5) && math.Abs(p.Probabilities[0]-0.5) > 0.1 {
			t.Errorf("record %d: probabilities %v and %v", i, p.Probabilities, q.Probabilities)
		}
	}
}

func TestBalancedCosts(t *testing.T) {
	tr := Trainer{C: 2, ClassWeight: WeightBalanced}
	counts := []int{10, 30, 60}
	if got, want := tr.costs(Binary{Positive: 0, Negative: Rest}, counts),
		(svm.Costs{Positive: 2 * 100 / (2 * 10.0), Negative: 2 * 100 / (2 * 90.0)}); got != want {
		t.Errorf("one-vs-rest: %v, want %v", got, want)
	}
	if got, want := tr.costs(Binary{Positive: 1, Negative: 2}, counts),
		(svm.Costs{Positive: 2 * (100 / (3 * 30.0)), Negative: 2 * (100 / (3 * 60.0))}); got != want {
		t.Errorf("one-vs-one: %v, want %v", got, want)
	}
	if got := (Trainer{}).costs(Binary{}, counts); got != (svm.Costs{Positive: 1, Negative: 1}) {
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
		for _, scheme := range []string{OneVsOne, CrammerSinger} {
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
	for m, want := range map[Binary]svm.Costs{
		{Positive: 2, Negative: Rest}: {Positive: 20, Negative: 2},
		{Positive: 0, Negative: 1}:    {Positive: 1, Negative: 2},
	} {
		if got := tr.costs(m, d.Counts()); got != want {
			t.Errorf("machine %+v: costs %v, want %v", m, got, want)
		}
	}
	sets, err := NewMultilabelDataset(d.Corpus, slices.Repeat([][]string{{"a"}, {"a", "b"}, {}}, 10), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range []TaskOptions{{Nu: 0.3}, {Prior: 0.3}} {
		tr := Trainer{Kernel: toyKernel{}, ClassWeight: WeightBalanced, TaskOptions: options}
		if _, err := tr.Train(t.Context(), toyData(30, 2)); err == nil || !strings.Contains(err.Error(), "want none with") {
			t.Errorf("%+v: error %v, want one about the weights of classes", options, err)
		}
	}
	for _, c := range []struct {
		text, want string
		d          *Dataset
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

// TestSameBitsForAnyNumberOfProcessors trains, predicts and cross-validates with 1, 2 and 5.
func TestSameBitsForAnyNumberOfProcessors(t *testing.T) {
	d := toyData(45, 3)
	type outcome struct {
		Model       Rule
		Coef        *stringkernel.Coefficients
		Predictions []Prediction
		Cross       *CVResult
	}
	for name, tr := range variants() {
		var first *outcome
		for _, procs := range []int{1, 2, 5} {
			func() {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				m, c := mustTrain(t, tr, d)
				p, err := c.Predict(context.Background(), d.Corpus)
				if err != nil {
					t.Fatal(err)
				}
				fold, err := d.Folds(3, 7)
				if err != nil {
					t.Fatal(err)
				}
				cross, err := CrossValidate(context.Background(), tr, d, fold)
				if err != nil {
					t.Fatal(err)
				}
				got := &outcome{m.Rule, m.Coef, p, cross}
				if first == nil {
					first = got
				} else if !reflect.DeepEqual(first, got) {
					t.Errorf("%s: %d processors change the outcome", name, procs)
				}
			}()
		}
	}
}

func TestClassifierIsSafeForConcurrentUse(t *testing.T) {
	d := toyData(30, 3)
	_, c := mustTrain(t, Trainer{Kernel: toyKernel{}, Multiclass: OneVsOne}, d)
	want := make([]Prediction, d.Len())
	for i := range want {
		want[i] = c.Decide(d.Corpus.Seq(i))
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			got, err := c.Predict(context.Background(), d.Corpus)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Error("concurrent predictions differ")
			}
		}()
	}
	wait.Wait()
}

func TestTrainErrors(t *testing.T) {
	d := toyData(20, 2)
	oneClass := d.Subset([]int{0, 2, 3})
	lonely := toyData(6, 2)
	for i := range lonely.Y {
		lonely.Y[i] = min(i, 1)
	}
	grouped := toyData(20, 2)
	grouped.Groups = make([]string, 20)
	for i := range grouped.Groups {
		grouped.Groups[i] = fmt.Sprint(grouped.Y[i])
	}
	for _, c := range []struct {
		want string
		tr   Trainer
		d    *Dataset
	}{
		{"no kernel", Trainer{}, d},
		{"toy: scale = -1", Trainer{Kernel: toyKernel{Scale: -1}}, d},
		{"MaxIterations = -1", Trainer{Kernel: toyKernel{}, Solver: svm.DualCoordinate{MaxIterations: -1}}, d},
		{`ClassWeight = "heavy", want none, balanced or LABEL=NUMBER,…`,
			Trainer{Kernel: toyKernel{}, ClassWeight: "heavy"}, d},
		{`Multiclass = two-class, want one of`, Trainer{Kernel: toyKernel{}, Multiclass: TwoClass}, d},
		{"C = -1", Trainer{Kernel: toyKernel{}, C: -1}, d},
		{"C = NaN", Trainer{Kernel: toyKernel{}, C: math.NaN()}, d},
		{"Tol = 2", Trainer{Kernel: toyKernel{}, Tol: 2}, d},
		{"CacheBytes = -1", Trainer{Kernel: toyKernel{}, CacheBytes: -1}, d},
		{"Loss = cubed, want one of", Trainer{Kernel: toyKernel{}, Loss: "cubed"}, d},
		{"Solver = cutting-plane, want dual-coordinate or smo for the loss squared-hinge",
			Trainer{Kernel: toyKernel{}, Loss: svm.SquaredHinge, Solver: svm.CuttingPlane{}}, d},
		{"no data set", Trainer{Kernel: toyKernel{}}, nil},
		{"no data set", Trainer{Kernel: toyKernel{}}, &Dataset{}},
		{`class "b" has no records`, Trainer{Kernel: toyKernel{}}, oneClass},
		{`class "a" has 1 training record`, Trainer{Kernel: toyKernel{}, Probability: true}, lonely},
		{"probabilities and thresholds need several groups", Trainer{Kernel: toyKernel{}, Probability: true}, grouped},
	} {
		if _, err := c.tr.Train(context.Background(), c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Trainer{Kernel: toyKernel{}}).Train(ctx, d); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	_, c := mustTrain(t, Trainer{Kernel: toyKernel{}}, d)
	if _, err := c.Predict(ctx, d.Corpus); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTrainReportsProgressOfEveryMachine(t *testing.T) {
	d := toyData(60, 3)
	done := map[int]int{}
	tr := Trainer{Kernel: toyKernel{}, Probability: true, Progress: func(p svm.Progress) {
		if p.Machines != 3+3*5 {
			t.Errorf("%d problems, want 18", p.Machines)
		}
		if p.Done {
			done[p.Machine]++
		}
	}}
	mustTrain(t, tr, d)
	if len(done) != 18 {
		t.Errorf("%d problems reported their end, want 18", len(done))
	}
}

// Records without any feature are nothing to learn from, whichever way a trainer comes to their matrix.
func TestNoFeatures(t *testing.T) {
	var b stringkernel.CorpusBuilder
	for range 4 {
		b.Add("", []byte("A")) // no pair of letters
	}
	d, err := NewDataset(b.Corpus(), []string{"x", "y", "x", "y"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fold := []int{0, 0, 1, 1}
	for _, k := range []stringkernel.Kernel{toyKernel{}, fittedToy{}} {
		tr := Trainer{Kernel: k}
		_, trained := tr.Train(t.Context(), d)
		_, validated := CrossValidate(t.Context(), tr, d, fold)
		_, costed := CrossValidateCosts(t.Context(), tr, d, fold, []float64{1, 2}, nil)
		for what, err := range map[string]error{"training": trained, "cross-validation": validated, "costs": costed} {
			if !errors.Is(err, stringkernel.ErrNoFeatures) {
				t.Errorf("%T, %s: %v, want %v", k, what, err, stringkernel.ErrNoFeatures)
			}
		}
	}
}
