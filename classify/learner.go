package classify

import (
	"cmp"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/threshold"
)

// learner is how the binary machines of a label scheme are trained. Most embed perClass and override what differs.
type learner interface {
	// check returns an error about the first option of the trainer that the scheme excludes.
	check(t Trainer) error
	// plan adds to p, which has the machines, a job per machine for the records rows (nil: all) of the data set.
	plan(t Trainer, p *plan, d *dataset.Dataset, rows []int)
	// bytes estimates the memory that the machines of n records of k classes need.
	bytes(t Trainer, n, k float64) float64
	// calibrate fits what turns the machines' decision values into an answer to those of records left out in training.
	calibrate(p *plan, machines []decide.Binary, left []threshold.LeftOut) error
}

// thresholded is a scheme that completes its rule with the solutions of its machines.
type thresholded interface {
	decide(r *decide.Rule, solved []solve.Result)
}

// nodeLearner is of a scheme with a machine per class that can also decide between the children of a node in a
// hierarchy. jobs lists the jobs for the records index (nil: all), whose classes y have the given counts.
type nodeLearner interface {
	jobs(t Trainer, index, y, counts []int) []solve.Job
}

// perClass is what schemes have in common that have a machine per class, on all records.
type perClass struct{}

func (perClass) check(Trainer) error { return nil }

func (perClass) bytes(t Trainer, n, k float64) float64 { return t.recordBytes() * (k * n) }

func (perClass) calibrate(p *plan, machines []decide.Binary, left []threshold.LeftOut) error {
	for i, l := range left {
		if !p.sigmoids || l.Y == nil { // log odds as they stand
			continue
		}
		s, err := threshold.FitSigmoid(l.Decisions, l.Y)
		if err != nil {
			return err
		}
		machines[i].Sigmoid = &s
	}
	return nil
}

// single is what schemes have in common that have one machine, trained by products alone.
type single struct{ perClass }

func (single) bytes(t Trainer, n, _ float64) float64 { return t.recordBytes() * n }

func (single) check(t Trainer) error {
	if planner, ok := t.solver().(svm.Planner); ok {
		if err := planner.Check(svm.Problem{Risk: &risk.Hinges{}}); err != nil {
			return err
		}
	}
	return cmp.Or(
		t.checkSquares("for this task"),
		svm.CheckOption(t.Loss == "" || t.Loss == svm.Hinge, "Loss", t.Loss, "that of classes only for classes"),
		svm.CheckOption(t.ClassWeight == "" || t.ClassWeight == WeightNone, "ClassWeight", t.ClassWeight,
			"%s for this task", WeightNone),
		svm.CheckOption(!t.Probability, "Probability", t.Probability, "false for this task"),
		svm.CheckOption(t.Multiclass == "", "Multiclass", t.Multiclass, "none for this task"))
}

// The memory that a record costs per binary machine: its sign, coefficient and decision value, and copies of them in a
// model and in its merged scorer; with a calibration, its place and sign in each fold too.
const (
	machineRecordBytes    = 64
	calibratedRecordBytes = 224
)

// recordBytes returns the memory of a record of a machine.
func (t Trainer) recordBytes() float64 {
	if t.Probability || t.Threshold != "" || t.Loss == LossLogistic {
		return calibratedRecordBytes
	}
	return machineRecordBytes
}
