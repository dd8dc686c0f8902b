package classify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

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

// machineBytes estimates the memory of the machines of a data set. It is the product of two figures of the data, which
// a wrong column of labels makes larger than any computer.
func (t Trainer) machineBytes(d *dataset.Dataset) float64 {
	return t.learner(d).bytes(t, float64(d.Len()), float64(len(d.Classes)))
}

// checkSize refuses data whose machines would not fit into memory.
func (t Trainer) checkSize(d *dataset.Dataset) error {
	if err := memory.Check(t.machineBytes(d)); err != nil {
		return fmt.Errorf("classify: %d classes of %d records (%s) need %w", len(d.Classes), d.Len(),
			t.schemeFor(d.Labelling()), err)
	}
	return nil
}

// CheckMerge returns a [stringkernel.MergeError] if the kernel says that merging a model trained on the data set would
// take more memory than is allowed, were all records support vectors, or what Check returns. Train does not ask, since
// a model may keep its sequences.
func (t Trainer) CheckMerge(d *dataset.Dataset) error {
	if err := t.Check(d); err != nil {
		return err
	}
	r, err := t.rule(d, nil)
	if err != nil {
		return err
	}
	if err := stringkernel.CheckMerge(t.Kernel, d.Corpus, len(r.Machines)); err != nil {
		return fmt.Errorf("classify: %w", err)
	}
	return nil
}

// planSolvers reports whether jobs are to share block products, where they may and there is memory for all that then
// run at the same time. It refuses those whose solvers would not fit into memory beside a matrix in either way.
func (t Trainer) planSolvers(g stringkernel.Gram, jobs []job) (blocks bool, err error) {
	if all, is := g.(*listed); is {
		return false, all.check(inFlight(len(jobs), false))
	}
	if t.sharesProducts(g, jobs) && memory.Check(t.solverBytes(g, jobs, inFlight(len(jobs), true))) == nil {
		return true, nil
	}
	running := inFlight(len(jobs), false)
	if err := memory.Check(t.solverBytes(g, jobs, running)); err != nil {
		return false, fmt.Errorf("classify: solvers of %d problems at a time, on up to %d records each, need %w; take "+
			"fewer records or threads", running, g.Len(), err)
	}
	return false, nil
}

// solverBytes estimates the memory of the solvers of the largest jobs, as many as are running.
func (t Trainer) solverBytes(g stringkernel.Gram, jobs []job, running int) (total float64) {
	mean, each := meanDiagonal(g), make([]float64, 0, len(jobs))
	for i, j := range jobs {
		switch {
		case j.oneSided || j.joint != nil && i > 0 && jobs[i-1].joint == j.joint:
			continue
		case j.joint != nil:
			each = append(each, j.joint.bytes(partOf(g, j.index).Len()))
			continue
		}
		p := t.settings()
		if p.Costs = j.costs; j.risk != nil {
			c := cmp.Or(t.C, 1)
			p.Risk, p.Costs = unstated{}, svm.Costs{Positive: max(c, j.costs.Positive), Negative: max(c, j.costs.Negative)}
		}
		each = append(each, svm.BytesOf(t.solver(), partOf(g, j.index), p, mean))
	}
	slices.Sort(each)
	for _, bytes := range each[max(0, len(each)-running):] {
		total += bytes
	}
	return total
}

// unstated stands for a risk whose data are not made yet.
type unstated struct{ risk.Risk }

// meanDiagonal returns the mean of k(x, x).
func meanDiagonal(g stringkernel.Gram) (mean float64) {
	diag := make([]float64, g.Len())
	g.Diag(diag)
	for _, v := range diag {
		mean += v / float64(len(diag))
	}
	return mean
}
