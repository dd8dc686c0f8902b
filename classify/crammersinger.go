package classify

import (
	"cmp"
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/stringkernel"
)

type crammerSinger struct{ perClass }

func (crammerSinger) check(t Trainer) error {
	byFeatures := svm.UsesOf(t.solver(), nil, svm.Problem{})&svm.Features != 0
	return cmp.Or(
		t.checkSquares("for the scheme "+decide.CrammerSinger),
		svm.CheckOption(!t.Probability, "Multiclass", decide.CrammerSinger, "%s or %s for probabilities",
			decide.OneVsRest, decide.OneVsOne),
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
	p := svm.MulticlassProblem{Y: y, Classes: len(counts), Costs: make([]float64, len(counts))}
	for c := range counts {
		p.Costs[c] = t.classCost(c, counts)
	}
	solver, bytes := descent.CrammerSinger{Seed: t.Seed}.Solve, func(int) float64 { return 0 } // it checks its tables
	if t.Loss == LossLogistic {
		solver = process.Multinomial{}.Solve
		bytes = func(n int) float64 { return process.Multinomial{}.Bytes(n, len(counts)) }
	}
	joint := &solve.Joint{Bytes: bytes, Solve: func(
		ctx context.Context, g stringkernel.Gram, settings svm.Problem, _ solve.Job,
	) (solutions []svm.Solution, err error) {
		problem := p
		problem.Tol, problem.Progress = settings.Tol, settings.Progress
		whole, err := solver(ctx, g, problem)
		for m, alpha := range whole.Coef { // each machine gets the certificate of the whole
			solution := svm.Solution{
				Coef: alpha, Certificate: whole.Certificate, Iterations: whole.Iterations, Products: whole.Products,
				Solver: whole.Solver,
			}
			if whole.Rho != nil {
				solution.Rho = whole.Rho[m]
			}
			solutions = append(solutions, solution)
		}
		return solutions, err
	}}
	return slices.Repeat([]solve.Job{{Index: index, Joint: joint, ByFeatures: true}}, len(counts))
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
	crammerSinger{}.plan(t, p, d, rows)
}
