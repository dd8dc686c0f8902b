package process

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Logistic is an [svm.Solver] of kernel logistic regression,
//
//	min over w, b of  ½‖w‖² + Σ_i C_i log(1 + exp(−y_i(⟨w, φ(x_i)⟩ + b))),
//
// by Newton's method with conjugate gradients. Labels y_i and costs C_i are the signs and sizes of the problem's
// Weights with its Costs, as for the hinge; the probability of the positive class at x is 1/(1 + exp(Rho − f(x))), as
// it stands. Without bias the objective is that of LIBLINEAR's -s 0 and -s 7 with -B -1; theirs with -B 1 has b² in the
// penalty. The bias is not penalised here.
//
// It takes 3 to 10 Newton steps with some products each. The zero value is ready to use.
//
// With Landmarks it is the import vector machine (Zhu & Hastie 2005): w is sought in the span of few φ(x_i). See
// sparse.go.
type Logistic struct {
	Landmarks int // greatest number of records with a coefficient; zero: all
}

// String returns the name of the method.
func (l Logistic) String() string { return dual.Newton }

// Uses says that the solver asks for products, and for the rows of landmarks.
func (l Logistic) Uses(stringkernel.Gram, svm.Problem) svm.Access {
	if l.Landmarks > 0 {
		return svm.Products | svm.Rows
	}
	return svm.Products
}

// Bytes implements [svm.Sizer].
func (l Logistic) Bytes(n int) float64 { return float64(newtonBytes*n) + l.landmarkBytes(n) }

// landmarkBytes is the memory of the columns of landmarks.
func (l Logistic) landmarkBytes(n int) float64 { return float64(8 * n * min(l.Landmarks, n)) }

// Check returns an [svm.OptionError] if the options of the solver or the problem are out of range.
func (l Logistic) Check(p svm.Problem) error {
	return cmp.Or(p.CheckOptions(),
		svm.CheckOption(p.Risk == nil, "Risk", p.Risk, "none: the solver has its own"),
		svm.CheckOption(l.Landmarks >= 0, "Landmarks", l.Landmarks, "≥ 0"))
}

// Solve returns the machine, whose dual value is that of the coefficients −∂R at its scores. Problem.Start is ignored.
// The error is that of ctx, about the data of the problem, or about a product that is not finite.
func (l Logistic) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	if err := l.Check(p); err != nil {
		return svm.Solution{}, err
	}
	loss, err := lossOf(g, p)
	if err != nil {
		return svm.Solution{}, err
	}
	run := &newton{
		likelihood: binary{loss}, g: krylov.Of(g), tol: cmp.Or(p.Tol, 1e-3), progress: p.Progress,
	}
	solution := svm.Solution{Solver: dual.Newton}
	if l.Landmarks > 0 {
		if err := memory.Check(l.landmarkBytes(g.Len())); err != nil {
			return svm.Solution{}, fmt.Errorf("process: %d landmarks of %d records need %w", l.Landmarks, g.Len(), err)
		}
		err = run.onLandmarks(ctx, g, l.Landmarks, &solution)
	} else {
		solution.Certificate, err = run.run(ctx)
	}
	if err != nil {
		return svm.Solution{}, err
	}
	solution.Coef, solution.Rho = run.coef[0], 0-loss.Bias(run.f[0])
	solution.Iterations, solution.Products = run.iterations, run.products
	return solution, nil
}

// lossOf returns the logistic loss of a problem.
func lossOf(g stringkernel.Gram, p svm.Problem) (*risk.Logistic, error) {
	if len(p.Weights) != g.Len() || g.Len() == 0 {
		return nil, fmt.Errorf("process: %d weights for %d records, want one each and at least one record",
			len(p.Weights), g.Len())
	}
	costs := risk.Costs{Positive: cmp.Or(p.Costs.Positive, 1), Negative: cmp.Or(p.Costs.Negative, 1)}
	return risk.NewLogistic(p.Weights, costs, p.NoBias)
}

// binary is the likelihood of two classes, of one output.
type binary struct{ *risk.Logistic }

func (binary) outputs() int { return 1 }

func (b binary) look(minus, f [][]float64) float64 {
	value, _ := b.Plane(minus[0], f[0])
	return value
}

func (b binary) hessian(dst, v [][]float64) { b.Curvature(dst[0], v[0]) }
