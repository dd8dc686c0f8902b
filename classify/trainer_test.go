package classify_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// slowKernel indexes a corpus until its context is done.
type slowKernel struct {
	classify.ToyKernel
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
	d := classify.ToyData(12, 2)
	fold := []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	for what, run := range map[string]func(context.Context, classify.Trainer) error{
		"training": func(ctx context.Context, tr classify.Trainer) error { _, err := tr.Train(ctx, d); return err },
		"cross-validation": func(ctx context.Context, tr classify.Trainer) error {
			_, err := classify.CrossValidate(ctx, tr, d, fold)
			return err
		},
		"costs": func(ctx context.Context, tr classify.Trainer) error {
			_, err := classify.CrossValidateCosts(ctx, tr, d, fold, []float64{1, 2}, nil)
			return err
		},
		"matrices": func(ctx context.Context, tr classify.Trainer) error {
			_, err := classify.CrossValidateCosts(ctx, tr, d, fold, []float64{1, 2},
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
		if err := run(ctx, classify.Trainer{Kernel: k}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want %v", what, err, context.Canceled)
		}
		select {
		case <-k.ended:
		default:
			t.Errorf("%s: the index is still being built", what)
		}
	}
}

func TestTrainedScoresAreThoseOfTheModel(t *testing.T) {
	d := classify.ToyData(50, 3)
	for name, tr := range classify.Variants() {
		m, c := classify.MustTrain(t, tr, d)
		for i := range d.Len() {
			p := c.Decide(d.Corpus.Seq(i))
			f := make([]float64, len(m.Machines))
			for k, coef := range m.Coef.Dense() {
				for j, a := range coef {
					f[k] += a * classify.ToyKernel{}.Eval(m.Support.Seq(j), d.Corpus.Seq(i))
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
	d := classify.ToyData(60, 2)
	_, b := classify.MustTrain(t, classify.Trainer{Kernel: classify.ToyKernel{}, Tol: 1e-9, Probability: true}, d)
	must.Succeed(t, d.SetPositive("a"))
	_, a := classify.MustTrain(t, classify.Trainer{Kernel: classify.ToyKernel{}, Tol: 1e-9, Probability: true}, d)
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

// TestSameBitsForAnyNumberOfProcessors trains, predicts and cross-validates with 1, 2 and 5.
func TestSameBitsForAnyNumberOfProcessors(t *testing.T) {
	d := classify.ToyData(45, 3)
	type outcome struct {
		Model       decide.Rule
		Coef        *stringkernel.Coefficients
		Predictions []decide.Prediction
		Cross       *classify.CVResult
	}
	for name, tr := range classify.Variants() {
		var first *outcome
		for _, procs := range []int{1, 2, 5} {
			func() {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				m, c := classify.MustTrain(t, tr, d)
				p := must.Get(c.Predict(context.Background(), d.Corpus))(t)
				fold := must.Get(d.Folds(3, 7))(t)
				cross := must.Get(classify.CrossValidate(context.Background(), tr, d, fold))(t)
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

func TestTrainErrors(t *testing.T) {
	d := classify.ToyData(20, 2)
	oneClass := d.Subset([]int{0, 2, 3})
	lonely := classify.ToyData(6, 2)
	for i := range lonely.Y {
		lonely.Y[i] = min(i, 1)
	}
	grouped := classify.ToyData(20, 2)
	grouped.Groups = make([]string, 20)
	for i := range grouped.Groups {
		grouped.Groups[i] = fmt.Sprint(grouped.Y[i])
	}
	for _, c := range []struct {
		want string
		tr   classify.Trainer
		d    *dataset.Dataset
	}{
		{"no kernel", classify.Trainer{}, d},
		{"toy: scale = -1", classify.Trainer{Kernel: classify.ToyKernel{Scale: -1}}, d},
		{"MaxIterations = -1", classify.Trainer{Kernel: classify.ToyKernel{}, Solver: descent.Solver{MaxIterations: -1}}, d},
		{`ClassWeight = "heavy", want none, balanced or LABEL=NUMBER,…`,
			classify.Trainer{Kernel: classify.ToyKernel{}, ClassWeight: "heavy"}, d},
		{`Multiclass = two-class, want one of`, classify.Trainer{Kernel: classify.ToyKernel{}, Multiclass: decide.TwoClass}, d},
		{"C = -1", classify.Trainer{Kernel: classify.ToyKernel{}, C: -1}, d},
		{"C = NaN", classify.Trainer{Kernel: classify.ToyKernel{}, C: math.NaN()}, d},
		{"Tol = 2", classify.Trainer{Kernel: classify.ToyKernel{}, Tol: 2}, d},
		{"CacheBytes = -1", classify.Trainer{Kernel: classify.ToyKernel{}, CacheBytes: -1}, d},
		{"Loss = cubed, want one of", classify.Trainer{Kernel: classify.ToyKernel{}, Loss: "cubed"}, d},
		{"Solver = cutting-plane, want dual-coordinate or smo for the loss squared-hinge",
			classify.Trainer{Kernel: classify.ToyKernel{}, Loss: svm.SquaredHinge, Solver: bundle.Solver{}}, d},
		{descent.ErrNoRows.Error(), classify.Trainer{Kernel: classify.ToyKernel{}, Solver: descent.Solver{}}, d},
		{"no data set", classify.Trainer{Kernel: classify.ToyKernel{}}, nil},
		{"no data set", classify.Trainer{Kernel: classify.ToyKernel{}}, &dataset.Dataset{}},
		{`class "b" has no records`, classify.Trainer{Kernel: classify.ToyKernel{}}, oneClass},
		{`class "a" has 1 training record`, classify.Trainer{Kernel: classify.ToyKernel{}, Probability: true}, lonely},
		{"probabilities and thresholds need several groups", classify.Trainer{Kernel: classify.ToyKernel{}, Probability: true}, grouped},
	} {
		if _, err := c.tr.Train(context.Background(), c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (classify.Trainer{Kernel: classify.ToyKernel{}}).Train(ctx, d); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	_, c := classify.MustTrain(t, classify.Trainer{Kernel: classify.ToyKernel{}}, d)
	if _, err := c.Predict(ctx, d.Corpus); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTrainReportsProgressOfEveryMachine(t *testing.T) {
	d := classify.ToyData(60, 3)
	done := map[int]int{}
	tr := classify.Trainer{Kernel: classify.ToyKernel{}, Probability: true, Progress: func(p svm.Progress) {
		if p.Machines != 3+3*5 {
			t.Errorf("%d problems, want 18", p.Machines)
		}
		if p.Done {
			done[p.Machine]++
		}
	}}
	classify.MustTrain(t, tr, d)
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
	d := must.Get(dataset.New(b.Corpus(), []string{"x", "y", "x", "y"}, nil))(t)
	fold := []int{0, 0, 1, 1}
	for _, k := range []stringkernel.Kernel{classify.ToyKernel{}, classify.FittedToy{}} {
		tr := classify.Trainer{Kernel: k}
		_, trained := tr.Train(t.Context(), d)
		_, validated := classify.CrossValidate(t.Context(), tr, d, fold)
		_, costed := classify.CrossValidateCosts(t.Context(), tr, d, fold, []float64{1, 2}, nil)
		for what, err := range map[string]error{"training": trained, "cross-validation": validated, "costs": costed} {
			if !errors.Is(err, stringkernel.ErrNoFeatures) {
				t.Errorf("%T, %s: %v, want %v", k, what, err, stringkernel.ErrNoFeatures)
			}
		}
	}
}
