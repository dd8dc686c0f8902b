package process

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Logistic is an [svm.Solver] of kernel logistic regression,
//
//	min over w, b of  ½‖w‖² + Σ_i C_i log(1 + exp(−y_i(⟨w, φ(x_i)⟩ + b))),
//
// by Newton's method with conjugate gradients. Labels y_i and costs C_i are the signs and sizes of the problem's
// Weights with its Costs, as for the hinge; the probability of the positive class at x is 1/(1 + exp(Rho − f(x))), as it
// stands. Without bias the objective is that of LIBLINEAR's -s 0 and -s 7 with -B -1; theirs with -B 1 has b² in the
// penalty. The bias is not penalised here.
//
// It takes 3 to 10 Newton steps with some products each. The zero value is ready to use.
type Logistic struct {
	NoBias        bool
	MaxIterations int // Newton steps; zero: 100
}

const nameNewton = "newton"

// String returns the name of the method.
func (l Logistic) String() string { return nameNewton }

// Uses says that the solver asks for products.
func (l Logistic) Uses(stringkernel.Gram, svm.Problem) svm.Access { return svm.Products }

// Check returns an [svm.OptionError] if the options of the solver or the problem are out of range.
func (l Logistic) Check(p svm.Problem) error {
	return cmp.Or(p.CheckOptions(),
		svm.CheckOption(p.Risk == nil, "Risk", p.Risk, "none: the solver has its own"),
		svm.CheckOption(l.MaxIterations >= 0, "MaxIterations", l.MaxIterations, "≥ 0"))
}

// Solve returns the machine, whose dual value is that of the coefficients −∂R at its scores. Problem.Start is ignored.
// The error is that of ctx, about the data of the problem, or about a product that is not finite.
func (l Logistic) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	if err := l.Check(p); err != nil {
		return svm.Solution{}, err
	}
	if len(p.Weights) != g.Len() || g.Len() == 0 {
		return svm.Solution{}, fmt.Errorf("process: %d weights for %d records, want one each and at least one record",
			len(p.Weights), g.Len())
	}
	costs := risk.Costs{Positive: cmp.Or(p.Costs.Positive, 1), Negative: cmp.Or(p.Costs.Negative, 1)}
	loss, err := risk.NewLogistic(p.Weights, costs, l.NoBias)
	if err != nil {
		return svm.Solution{}, err
	}
	run := &newton{
		likelihood: binary{loss}, g: g, tol: cmp.Or(p.Tol, 1e-3), limit: cmp.Or(l.MaxIterations, 100),
		progress: p.Progress,
	}
	certificate, err := run.run(ctx)
	if err != nil {
		return svm.Solution{}, err
	}
	return svm.Solution{
		Coef: run.coef[0], Rho: -loss.Bias(run.f[0]), Certificate: certificate,
		Iterations: run.iterations, Products: run.products, Solver: nameNewton,
	}, nil
}

// binary is the likelihood of two classes, of one output.
type binary struct{ *risk.Logistic }

func (binary) outputs() int { return 1 }

func (b binary) look(minus, f [][]float64) float64 {
	value, _ := b.Plane(minus[0], f[0])
	return value
}

func (b binary) hessian(dst, v [][]float64) { b.Curvature(dst[0], v[0]) }
