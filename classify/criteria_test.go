package classify_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/internal/must"
)

// Sparse machines keep as many records as they may, go with several classes and folds, and exclude what has no meaning
// with them.
func TestSparseMachines(t *testing.T) {
	d, trainer := classify.MustTargets(t), classify.TaskTrainer()
	trainer.Relevance = 20
	m, predictions := trainTask(t, trainer, d)
	if n := m.Support.Len(); n > 20 || m.Machines[0].Gap > 1e-9 || !strings.Contains(m.Machines[0].Reason, "evidence") {
		t.Errorf("%d records, %+v", n, m.Machines[0])
	}
	all := make([]int, d.Len())
	for i := range all {
		all[i] = i
	}
	if r, err := measure.Predictions(d, all, predictions); err != nil || r.Value("pearson") < 0.7 {
		t.Errorf("measured %v, %v", r.Scalars, err)
	}
	corpus, labels := classify.TaskData(t)
	classes := must.Get(dataset.New(corpus, labels, nil))(t)
	for _, options := range []classify.TaskOptions{{Landmarks: 4}, {Relevance: 15}} {
		trainer := classify.TaskTrainer()
		trainer.Loss, trainer.TaskOptions, trainer.C = classify.LossLogistic, options, 1
		m, predictions := trainTask(t, trainer, classes)
		if len(m.Machines) != len(classes.Classes) || predictions[0].Probabilities == nil || m.Support.Len() > 45 {
			t.Errorf("%+v: %d machines, %d records", options, len(m.Machines), m.Support.Len())
		}
		for _, machine := range m.Machines {
			if options.Landmarks > 0 && machine.SupportVectors > 4 || machine.Gap > trainer.Tol {
				t.Errorf("%+v: %d records, gap %g", options, machine.SupportVectors, machine.Gap)
			}
		}
	}
	for want, change := range map[string]func(*classify.Trainer){
		"Landmarks":  func(t *classify.Trainer) { t.Loss, t.Landmarks = "", 3 },
		"Relevance":  func(t *classify.Trainer) { t.Landmarks, t.Relevance = 3, 3 },
		"C = 2":      func(t *classify.Trainer) { t.Relevance, t.C = 3, 2 },
		"Multiclass": func(t *classify.Trainer) { t.Landmarks, t.Multiclass = 3, decide.Multinomial },
	} {
		trainer := classify.TaskTrainer()
		trainer.Loss = classify.LossLogistic
		change(&trainer)
		if err := trainer.CheckOptions(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %s", err, want)
		}
	}
}
