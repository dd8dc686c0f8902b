package classify

import (
	"cmp"
	"context"

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
	byFeatures := svm.UsesOf(t.solver(), nil, svm.Problem{})&svm.Features != 0
	return cmp.Or(
		svm.CheckOption(!t.Probability, "Multiclass", CrammerSinger, "%s or %s for probabilities", OneVsRest, OneVsOne),
		svm.CheckOption(t.Loss != svm.SquaredHinge, "Loss", t.Loss, "%s for the scheme %s", svm.Hinge, CrammerSinger),
		svm.CheckOption(byFeatures, "Solver", t.Solver, "dual-coordinate for the scheme %s", CrammerSinger))
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
