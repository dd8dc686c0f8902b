package classify

import (
	"cmp"
	"context"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// crammerSingerProblem is one problem for the machines of all classes.
type crammerSingerProblem struct {
	y        []int     // class per record of the job's index
	costs    []float64 // per class
	logistic bool      // of the scheme Multinomial
	seed     uint64
}

type crammerSinger struct{ perClass }

func (crammerSinger) check(t Trainer) error {
	byFeatures := svm.UsesOf(t.solver(), nil, svm.Problem{})&svm.Features != 0
	return cmp.Or(
		t.checkSquares("for the scheme "+decide.CrammerSinger),
		svm.CheckOption(!t.Probability, "Multiclass", decide.CrammerSinger, "%s or %s for probabilities", decide.OneVsRest, decide.OneVsOne),
		svm.CheckOption(t.Nu == 0 && t.Prior == 0, "Multiclass", decide.CrammerSinger, "%s or %s with Nu or Prior",
			decide.OneVsRest, decide.OneVsOne),
		svm.CheckOption(t.Loss == "" || t.Loss == svm.Hinge, "Loss", t.Loss, "%s for the scheme %s",
			svm.Hinge, decide.CrammerSinger),
		svm.CheckOption(byFeatures, "Solver", t.Solver, "dual-coordinate for the scheme %s", decide.CrammerSinger))
}

func (s crammerSinger) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	y, counts := d.ClassesOf(rows)
	p.jobs = s.jobs(t, rows, y, counts)
}

func (crammerSinger) jobs(t Trainer, index, y, counts []int) []solve.Job {
	p := &crammerSingerProblem{y: y, costs: make([]float64, len(counts)), seed: t.Seed}
	jobs := make([]solve.Job, len(counts))
	for c := range jobs {
		p.costs[c] = t.classCost(c, counts)
		jobs[c] = solve.Job{Index: index, Joint: p, ByFeatures: true}
	}
	return jobs
}

// Bytes is that of Newton's method: dual coordinate descent checks its own tables.
func (p *crammerSingerProblem) Bytes(n int) float64 {
	if p.logistic {
		return process.Multinomial{}.Bytes(n, len(p.costs))
	}
	return 0
}

// Solve solves the problem; each machine gets the certificate of the whole.
func (p *crammerSingerProblem) Solve(
	ctx context.Context, g stringkernel.Gram, settings svm.Problem, _ solve.Job,
) (solutions []svm.Solution, err error) {
	problem := svm.MulticlassProblem{
		Y: p.y, Classes: len(p.costs), Costs: p.costs, Tol: settings.Tol, Progress: settings.Progress,
	}
	var whole svm.MulticlassSolution
	if p.logistic {
		whole, err = process.Multinomial{}.Solve(ctx, g, problem)
	} else {
		whole, err = descent.CrammerSinger{Seed: p.seed}.Solve(ctx, g, problem)
	}
	for m, alpha := range whole.Coef {
		rho := 0.0
		if whole.Rho != nil {
			rho = whole.Rho[m]
		}
		solutions = append(solutions, svm.Solution{
			Coef: alpha, Rho: rho, Certificate: whole.Certificate, Iterations: whole.Iterations,
			Products: whole.Products, Solver: whole.Solver,
		})
	}
	return solutions, err
}

type multinomial struct{ perClass }

func (multinomial) check(t Trainer) error {
	return cmp.Or(
		t.checkSquares("for the scheme "+decide.Multinomial),
		svm.CheckOption(t.Loss == LossLogistic && t.Landmarks == 0 && t.Relevance == 0, "Multiclass", decide.Multinomial,
			"another scheme, or the loss %s without Landmarks and Relevance", LossLogistic))
}

// bytes counts the coefficients: no machine is calibrated.
func (multinomial) bytes(_ Trainer, n, k float64) float64 { return machineRecordBytes * n * k }

func (multinomial) plan(t Trainer, p *plan, d *dataset.Dataset, rows []int) {
	y, counts := d.ClassesOf(rows)
	p.jobs = crammerSinger{}.jobs(t, rows, y, counts)
	p.jobs[0].Joint.(*crammerSingerProblem).logistic = true // that of all jobs
}
