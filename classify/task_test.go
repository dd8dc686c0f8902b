package classify_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// trainTask trains and returns the predictions of the training data, after comparing them with the solution's terms.
func trainTask(t *testing.T, trainer classify.Trainer, d *dataset.Dataset) (*decide.Model, []decide.Prediction) {
	t.Helper()
	m := must.Get(trainer.Train(context.Background(), d))(t)
	if gap := m.Machines[0].Gap; gap > trainer.Tol {
		t.Errorf("gap %v", gap)
	}
	c := must.Get(m.Classifier(context.Background()))(t)
	p := must.Get(c.Predict(context.Background(), d.Corpus))(t)
	return m, p
}

func mustGrades(t *testing.T) *dataset.Dataset {
	t.Helper()
	corpus, labels := classify.TaskData(t)
	return must.Get(dataset.NewGrades(corpus, labels, nil))(t)
}

// TestLevels: classes have the order that is given, or that of numbers, and no other.
func TestLevels(t *testing.T) {
	corpus, _ := classify.TaskData(t)
	corpus = corpus.Subset([]int{0, 1, 2, 3})
	d, err := dataset.NewLevels(corpus, []string{"high", "low", "medium", "low"}, []string{"low", "medium", "high"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"low", "medium", "high"}; !slices.Equal(d.Classes, want) || d.Positive != 2 ||
		!slices.Equal(d.Y, []int{2, 0, 1, 0}) || !slices.Equal(d.Corpus.Classes(), d.Y) {
		t.Errorf("classes %v, positive %d, y %v, of the corpus %v", d.Classes, d.Positive, d.Y, d.Corpus.Classes())
	}
	d, err = dataset.NewLevels(corpus, []string{"10", "-1", "9", "1e3"}, nil, nil)
	if want := []string{"-1", "9", "10", "1e3"}; err != nil || !slices.Equal(d.Classes, want) {
		t.Errorf("%v, want %v: %v", d.Classes, want, err)
	}
	for _, labels := range [][]string{
		{"high", "low", "medium", "low"}, {"T1", "T10", "T2", "T2"}, {"1-2", "3-5", "10+", "1-2"}, {"1", "2", "NaN", "2"},
		{"1", "1.0", "2", "2"}, {"1-low", "2-medium", "3-high", "3-high"},
	} {
		if _, err := dataset.NewLevels(corpus, labels, nil, nil); !errors.Is(err, dataset.ErrNoOrder) {
			t.Errorf("%v without an order: %v, want ErrNoOrder", labels, err)
		}
	}
	var option *svm.OptionError
	for _, order := range [][]string{{"a", "b", "c"}, {"a", "b", "b"}} {
		if _, err := dataset.NewLevels(corpus, []string{"a", "b", "a", "b"}, order, nil); !errors.As(err, &option) {
			t.Errorf("order %v of a and b: %v, want an error about Order", order, err)
		}
	}
	_, err = dataset.NewFor("ordinary", corpus, []string{"a", "b", "a", "b"}, dataset.LabelNames{}, nil)
	if !errors.As(err, &option) {
		t.Errorf("an unknown task: %v, want an error about Task", err)
	}
}

func mustClasses(t *testing.T, task dataset.Task, known ...string) *dataset.Dataset {
	t.Helper()
	corpus, labels := classify.TaskData(t)
	d, err := dataset.NewLevels(corpus, labels, nil, nil)
	if task == dataset.Novelty {
		d, err = dataset.NewNovelty(corpus, labels, known, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRegression: the share of a quantile lies below the predictions, and a tube of width ε holds what costs nothing.
func TestRegression(t *testing.T) {
	d := classify.MustTargets(t)
	for _, q := range []float64{0.1, 0.5, 0.9} {
		trainer := classify.TaskTrainer()
		trainer.C, trainer.Quantile = 0.1, q
		_, predictions := trainTask(t, trainer, d)
		below, at := 0, 0
		for i, p := range predictions {
			switch e := d.Targets[i] - p.Scores[0]; {
			case math.Abs(e) < 1e-2:
				at++
			case e < 0:
				below++
			}
		}
		if n := q * float64(d.Len()); float64(below) > n || float64(below+at) < n {
			t.Errorf("quantile %v: %d records below and %d at their predictions, want %v", q, below, at, n)
		}
	}
	m, predictions := trainTask(t, classify.TaskTrainer(), d)
	for i, p := range predictions {
		j := slices.Index(m.Index, i)
		if outside := math.Abs(d.Targets[i]-p.Scores[0]) > 0.1+1e-3; outside && (j < 0 || m.Coef.Dense()[0][j] == 0) {
			t.Errorf("record %d is %v outside the tube and no support vector", i, d.Targets[i]-p.Scores[0])
		}
	}
	report, err := measure.Predictions(d, []int{0, 1, 2, 3, 4, 5}, predictions)
	if err != nil || report.Value("rmse") > 0.7 {
		t.Errorf("report %v, error %v", report.Scalars, err)
	}
}

// TestNovelty: at most νn known records are outside, and at least νn are support vectors; novel ones do not train.
func TestNovelty(t *testing.T) {
	d := mustClasses(t, dataset.Novelty, "0", "1")
	known := d.Counts()[0]
	for _, nu := range []float64{0.1, 0.3, 0.8} {
		trainer := classify.TaskTrainer()
		trainer.Nu = nu
		m, predictions := trainTask(t, trainer, d)
		outside := 0
		for i, p := range predictions {
			if d.Y[i] == 0 && p.Scores[0] > 1e-5 {
				outside++
			}
			if (p.Class == 1) != (p.Scores[0] > 0) {
				t.Errorf("class %d at %v", p.Class, p.Scores[0])
			}
		}
		for _, i := range m.Index {
			if d.Y[i] == 1 {
				t.Errorf("record %d is novel and a support vector", i)
			}
		}
		if most := nu * float64(known); float64(outside) > most || float64(m.Support.Len()) < most {
			t.Errorf("ν = %v: %d outside, %d support vectors of %d", nu, outside, m.Support.Len(), known)
		}
		if !slices.Equal(m.Known, []string{"0", "1"}) {
			t.Errorf("known labels %q", m.Known)
		}
	}
}

// TestOrdinal: classes follow the thresholds, and records with more copies of the motif get higher ones.
func TestOrdinal(t *testing.T) {
	d := mustClasses(t, dataset.Ordinal)
	m, predictions := trainTask(t, classify.TaskTrainer(), d)
	if len(m.Thresholds) != 3 || !slices.IsSorted(m.Thresholds) {
		t.Fatalf("thresholds %v", m.Thresholds)
	}
	report, err := measure.Predictions(d, classify.Indices(d.Len()), predictions)
	if err != nil || !(report.Value("kappa") > 0.8) {
		t.Errorf("report %v, error %v", report.Scalars, err)
	}
}

// TestRanking: within groups alone.
func TestRanking(t *testing.T) {
	d := mustGrades(t)
	for i := range d.Len() {
		d.Groups = append(d.Groups, fmt.Sprint(i/20))
	}
	_, predictions := trainTask(t, classify.TaskTrainer(), d)
	report, err := measure.Predictions(d, classify.Indices(d.Len()), predictions)
	if err != nil || !(report.Value("pair_accuracy") > 0.95) {
		t.Errorf("report %v, error %v", report.Scalars, err)
	}
}

// TestTasksCrossValidate: every task on folds.
func TestTasksCrossValidate(t *testing.T) {
	for metric, d := range map[string]*dataset.Dataset{
		"spearman": classify.MustTargets(t), "ndcg": mustGrades(t), "auroc": mustClasses(t, dataset.Novelty, "0"), "kappa": mustClasses(t, dataset.Ordinal),
	} {
		fold, err := d.Folds(5, 1)
		if err != nil {
			t.Fatalf("%s: %v", metric, err)
		}
		o, err := classify.CrossValidate(context.Background(), classify.TaskTrainer(), d, fold)
		if err != nil {
			t.Fatalf("%s: %v", metric, err)
		}
		report, err := measure.Predictions(d, classify.Indices(d.Len()), o.Predictions)
		if err != nil || d.DefaultMetric() != metric || !(report.Value(metric) > 0.3) {
			t.Errorf("%s: %v, error %v", metric, report.Scalars, err)
		}
	}
}

// TestWeightsOfRecords: a record of weight 2 is a record twice, whatever is learned.
func TestWeightsOfRecords(t *testing.T) {
	corpus, labels := classify.TaskData(t)
	for i := range labels {
		labels[i] = fmt.Sprint(i / 3 % 2)
	}
	two := must.Get(dataset.New(corpus, labels, nil))(t)
	for name, once := range map[string]*dataset.Dataset{"numbers": classify.MustTargets(t), "two classes": two} {
		index, weights := []int{}, []float64{}
		for i := range once.Len() {
			weights = append(weights, float64(1+i%3))
			for range 1 + i%3 {
				index = append(index, i)
			}
		}
		often := once.Subset(index)
		once.Weights = weights
		a, _ := trainTask(t, classify.TaskTrainer(), once)
		b, _ := trainTask(t, classify.TaskTrainer(), often)
		if p, q := a.Machines[0].Primal, b.Machines[0].Primal; math.Abs(p-q) > 1e-5*q {
			t.Errorf("%s: primal %v, of repeated records %v", name, p, q)
		}
	}
}

// TestNuOfTwoClasses: at least νn records are support vectors.
func TestNuOfTwoClasses(t *testing.T) {
	d := classify.ToyData(60, 2)
	for _, nu := range []float64{0.2, 0.6} {
		tr := classify.Trainer{Kernel: classify.ToyKernel{}, TaskOptions: classify.TaskOptions{Nu: nu}}
		if m, _ := classify.MustTrain(t, tr, d); float64(m.Support.Len()) < nu*60 {
			t.Errorf("ν = %v: %d support vectors of 60 records", nu, m.Support.Len())
		}
	}
}

// Where a bias is part of what is learned there is none without one.
func TestNoBiasIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		trainer   classify.Trainer
		labelling dataset.Labelling
		refused   bool
	}{
		"two classes": {classify.Trainer{NoBias: true}, dataset.TwoClasses, false},
		"paths":       {classify.Trainer{NoBias: true}, dataset.LabelPaths, false},
		"numbers":     {classify.Trainer{NoBias: true}, dataset.Numbers, false},
		"a process":   {classify.Trainer{NoBias: true, TaskOptions: classify.TaskOptions{Rank: 10}}, dataset.Numbers, true},
		"ν, numbers":  {classify.Trainer{NoBias: true, TaskOptions: classify.TaskOptions{Nu: 0.2}}, dataset.Numbers, true},
		"an order":    {classify.Trainer{NoBias: true}, dataset.OrderedClasses, true},
		"novelty":     {classify.Trainer{NoBias: true}, dataset.KnownOrNovel, true},
		"ν":           {classify.Trainer{NoBias: true, TaskOptions: classify.TaskOptions{Nu: 0.2}}, dataset.TwoClasses, true},
		"softmax":     {classify.Trainer{NoBias: true, Loss: classify.LossLogistic, Multiclass: decide.Multinomial}, dataset.ManyClasses, true},
	} {
		err := c.trainer.CheckLabels(c.labelling)
		if option := (*svm.OptionError)(nil); errors.As(err, &option) != c.refused || c.refused && option.Option != "NoBias" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
