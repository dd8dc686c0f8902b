package classify

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// jointProblem is one problem for the machines of all classes, which the jobs of all of them share.
type jointProblem struct {
	y     []int     // class per record of the job's index
	costs []float64 // per class
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
	p := &jointProblem{y, make([]float64, len(counts))}
	jobs := make([]job, len(counts))
	for c := range jobs {
		p.costs[c] = t.classCost(c, counts)
		jobs[c] = job{index: index, joint: p}
	}
	return jobs
}

// solveJoint solves the problem that begins at the first of some jobs, for all of its machines, each of which gets its
// coefficients and the certificate of the whole.
func (t Trainer) solveJoint(
	ctx context.Context, g stringkernel.Gram, p svm.Problem, jobs []job, results []result,
) error {
	joint := jobs[0].joint
	problem := svm.MulticlassProblem{
		Y: joint.y, Classes: len(joint.costs), Costs: joint.costs, Tol: p.Tol, Progress: p.Progress,
	}
	whole, err := svm.CrammerSinger{Seed: t.Seed}.Solve(ctx, partOf(g, jobs[0].index), problem)
	for m, alpha := range whole.Coef {
		results[m] = resultOf(g, jobs[m], svm.Solution{
			Coef: alpha, Certificate: whole.Certificate, Iterations: whole.Iterations, Products: whole.Products,
			Solver: whole.Solver,
		})
	}
	return err
}
