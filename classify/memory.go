package classify

import (
	"fmt"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// Bytes that grow with the product of machines and records, as tests hold them to what runs take. Kernels check the tables of Merge themselves.
const (
	labelBytes       = 8   // of a record of a machine: its sign, while the machine waits
	memberBytes      = 16  // under OneVsOne besides: its number
	calibrationBytes = 160 // numbers and signs in the folds of the machine's cross-validation
	alphaBytes       = 8   // its coefficient
	decisionBytes    = 12  // of any record and machine: its decision value, left out in training
	jointBytes       = 24  // CrammerSinger: its coefficients in the descent, in a certificate and in the best of them
	coefBytes        = 20  // of any record and machine: its place in Coef, and a copy of that which a kernel makes in Merge
	machineBytes     = 2 << 10
	confusionBytes   = 8  // of a pair of classes in a fold, whose measures are made from it
	scoreBytes       = 24 // of a record and class: the score of an Outcome, and a copy by class for its measures
)

// demand is what a training takes that depends on the number of classes.
type demand struct {
	scheme                  string
	calibrated              bool
	classes, records        int
	machines, members, coef float64 // members are the records of machines, coef all pairs of a machine and a record
}

// demand counts the machines of a data set that passes check, and their records.
func (t Trainer) demand(d *Dataset) (demand, error) {
	x := demand{scheme: t.scheme(d), calibrated: t.Probability || d.Sets != nil, classes: len(d.Classes), records: d.Len()}
	n, k := float64(x.records), float64(x.classes)
	switch x.scheme {
	case TwoClass:
		x.machines, x.members = 1, n
	case OneVsOne:
		x.machines, x.members = k*(k-1)/2, n*(k-1)
	case Hierarchy:
		nodes, err := innerNodes(d.Classes, d.Hierarchy)
		if err != nil {
			return x, err
		}
		before := make([]int, len(d.Classes)+1) // records of classes below
		for c, count := range d.Counts() {
			before[c+1] = before[c] + count
		}
		for _, node := range nodes {
			x.machines += float64(node.machines())
			x.members += float64(node.machines() * (before[node.end] - before[node.starts[0]]))
		}
	default:
		x.machines, x.members = k, k*n
	}
	x.coef = x.machines * n
	return x, nil
}

// plan returns the bytes of a plan.
func (x demand) plan() float64 {
	each := float64(labelBytes)
	switch {
	case x.scheme == CrammerSinger:
		each = 0
	case x.scheme == OneVsOne:
		each += memberBytes
	}
	if x.calibrated {
		each += calibrationBytes
	}
	return float64(x.members*each) + float64(x.machines*machineBytes)
}

// training returns the bytes of a training with its plan and its model.
func (x demand) training() float64 {
	alpha := float64(alphaBytes)
	if x.scheme == CrammerSinger {
		alpha = jointBytes
	}
	return x.plan() + float64(x.members*alpha) + float64(x.coef*coefBytes)
}

// validation returns the bytes of a cross-validation at some costs. Folds of a kernel that depends on its corpus are planned and trained as there are processors, others are
// planned at once and trained on one matrix.
func (x demand) validation(folds, costs int, refitted bool) float64 {
	measures := float64(float64(confusionBytes*folds) * float64(x.classes) * float64(x.classes))
	scores := float64(float64(scoreBytes*x.records) * float64(x.classes))
	atOnce := float64(min(folds, runtime.GOMAXPROCS(0)))
	if refitted && costs == 1 {
		return float64(atOnce*x.training()) + scores + measures
	}
	plans := float64(folds)
	if refitted {
		plans = atOnce
	}
	working := 0.0
	if x.scheme == CrammerSinger {
		working = float64(atOnce*x.members) * jointBytes
	}
	return float64(float64(costs)*(float64(plans*x.plan())+float64(x.coef*decisionBytes)+scores)) + working + measures
}

// elimination returns the bytes of a cross-validated elimination: trainings as there are processors, and the scores of each number of features.
func (x demand) elimination(folds, sizes int) float64 {
	return x.validation(folds, 1, true) + float64(float64(8*sizes)*float64(x.records)*float64(x.classes))
}

// check refuses a number of bytes beyond the limit.
func (x demand) check(bytes float64) error {
	if err := memory.Check(bytes); err != nil {
		return fmt.Errorf("classify: %d classes of %d records: %.0f machines (%s) need %w", x.classes, x.records, x.machines, x.scheme, err)
	}
	return nil
}

// checkTraining refuses a training that takes too much memory.
func (t Trainer) checkTraining(d *Dataset) error {
	x, err := t.demand(d)
	if err != nil {
		return err
	}
	return x.check(x.training())
}

// checkValidation refuses a cross-validation at some costs that takes too much memory.
func (t Trainer) checkValidation(d *Dataset, folds, costs int, refitted bool) error {
	x, err := t.demand(d)
	if err != nil {
		return err
	}
	return x.check(x.validation(folds, costs, refitted))
}

// checkScoreMemory refuses the scores of too many records for all classes.
func checkScoreMemory(records, classes int) error {
	if err := memory.Check(float64(scoreBytes*records) * float64(classes)); err != nil {
		return fmt.Errorf("classify: scores of %d records for %d classes need %w", records, classes, err)
	}
	return nil
}
