package solve

import (
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// PlanSolvers reports whether jobs are to share block products, where they may and there is memory for all that then
// run at the same time. It refuses those whose solvers would not fit into memory beside a matrix in either way.
func (r Runner) PlanSolvers(g stringkernel.Gram, jobs []Job) (blocks bool, err error) {
	if all, is := g.(*Listed); is {
		return false, all.check(InFlight(len(jobs), false))
	}
	if r.sharesProducts(g, jobs) && memory.Check(r.SolverBytes(g, jobs, InFlight(len(jobs), true))) == nil {
		return true, nil
	}
	running := InFlight(len(jobs), false)
	if err := memory.Check(r.SolverBytes(g, jobs, running)); err != nil {
		return false, fmt.Errorf("classify: solvers of %d problems at a time, on up to %d records each, need %w; take "+
			"fewer records or threads", running, g.Len(), err)
	}
	return false, nil
}

// SolverBytes estimates the memory of the solvers of the largest jobs, as many as are running.
func (r Runner) SolverBytes(g stringkernel.Gram, jobs []Job, running int) float64 {
	mean, each := meanDiagonal(g), make([]float64, 0, len(jobs))
	for i, j := range jobs {
		switch {
		case j.OneSided || j.Joint != nil && i > 0 && jobs[i-1].Joint == j.Joint:
			continue
		case j.Joint != nil:
			each = append(each, j.Joint.Bytes(PartOf(g, j.Index).Len()))
			continue
		}
		p := r.Problem
		if p.Costs = j.Costs; j.Risk != nil {
			p.Risk = unstated{}
			p.Costs = svm.Costs{Positive: max(r.Cost, j.Costs.Positive), Negative: max(r.Cost, j.Costs.Negative)}
		}
		each = append(each, svm.BytesOf(r.Solver, PartOf(g, j.Index), p, mean))
	}
	slices.Sort(each)
	return vectors.Sum(each[max(0, len(each)-running):])
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
