package classify

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// jointProblem is one problem for the machines of all classes. It stands in the list of jobs once per machine; the
// first solves it for all.
type jointProblem struct {
	first   bool
	y       []int // class per record of the job's index
	classes int
	costs   []float64 // per class
}

// CrammerSinger is the scheme with a machine per class, all trained as one problem without biases: see
// [svm.CrammerSinger].
const CrammerSinger = "crammer-singer"

type crammerSinger struct{ perClass }

func (crammerSinger) check(t Trainer) error {
	switch {
	case t.Probability:
		want := fmt.Sprintf("%s or %s for probabilities", OneVsRest, OneVsOne)
		return &svm.OptionError{Option: "Multiclass", Value: CrammerSinger, Want: want}
	case t.Loss == svm.SquaredHinge:
		want := fmt.Sprintf("%s for the scheme %s", svm.Hinge, CrammerSinger)
		return &svm.OptionError{Option: "Loss", Value: t.Loss, Want: want}
	case svm.UsesOf(t.solver(), nil, svm.Problem{})&svm.Features == 0:
		want := "dual-coordinate for the scheme " + CrammerSinger
		return &svm.OptionError{Option: "Solver", Value: t.Solver, Want: want}
	}
	return nil
}

func (s crammerSinger) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	y, counts := d.classesOf(rows)
	p.jobs = s.jobs(t, rows, y, counts)
}

func (crammerSinger) jobs(t Trainer, index, y, counts []int) []job {
	p := jointProblem{classes: len(counts), y: y, costs: make([]float64, len(counts))}
	for c := range p.costs {
		p.costs[c] = t.classCost(c, counts)
	}
	jobs := make([]job, len(counts))
	for c := range jobs {
		mine := p
		mine.first = c == 0
		jobs[c] = job{index: index, joint: &mine}
	}
	return jobs
}

// solveJoint solves the problem that begins at jobs[first], for all of its machines, each of which gets its
// coefficients and the certificate of the whole. Other members of the list have nothing to do.
func (t Trainer) solveJoint(
	ctx context.Context, g stringkernel.Gram, jobs []job, first int, results []result, progress func(svm.Progress),
) error {
	p := jobs[first].joint
	if !p.first {
		return nil
	}
	problem := svm.MulticlassProblem{Y: p.y, Classes: p.classes, Costs: p.costs, Tol: t.Tol, Progress: progress}
	whole, err := svm.CrammerSinger{Seed: t.Seed}.Solve(ctx, partOf(g, jobs[first].index), problem)
	if err != nil {
		return err
	}
	for m, alpha := range whole.Coef {
		sol := svm.Solution{
			Coef: alpha, Certificate: whole.Certificate, Iterations: whole.Iterations, Products: whole.Products,
			Solver: whole.Solver,
		}
		j := jobs[first+m]
		results[first+m] = result{sol, sol.SupportVectors(), decisionsOf(g, j, sol)}
		if len(j.test) > 0 {
			results[first+m].Coef = nil
		}
	}
	return nil
}
