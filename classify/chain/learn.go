package chain

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Options are those of learning.
type Options struct {
	Tol           float64 // relative gap of the certificate to stop at; zero: 1e-3
	MaxIterations int     // passes or evaluations; zero: 10,000
	Progress      func(svm.Progress)
}

// LBFGS minimises a smooth risk of the data, that of Likelihood, by the limited-memory method of Broyden, Fletcher,
// Goldfarb and Shanno. It stops where ½‖g‖² ≤ Tol times the objective, g its gradient: the objective less ½‖w‖² being
// convex, that bounds how far it is above the optimum, as the relative gap of a dual does. It keeps 20 tables.
// The last bits are those of a processor, as gonum's sums are.
func LBFGS(ctx context.Context, d *Data, r risk.Risk, o Options) (*Machine, error) {
	at := &objective{of: records{d.Rows, d.Links}, risk: r}
	at.f, at.a = make([]float64, at.of.Len()), make([]float64, at.of.Len())
	at.gradient = make([]float64, at.of.Size())
	stop := &stopper{ctx: ctx, tol: cmp.Or(o.Tol, 1e-3), progress: o.Progress}
	result, err := optimize.Minimize(
		optimize.Problem{Func: at.value, Grad: at.grad},
		make([]float64, at.of.Size()),
		&optimize.Settings{
			Converger: stop, GradientThreshold: math.SmallestNonzeroFloat64,
			MajorIterations: cmp.Or(o.MaxIterations, 10_000),
		},
		&optimize.LBFGS{Store: 8},
	)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if result == nil {
		return nil, err
	}
	// A line search that finds no lower point has met the limits of rounding: the certificate says how far that is.
	at.compute(result.X)
	m := &Machine{Links: d.Links, Table: result.X, Solver: "l-bfgs", Iterations: result.Stats.MajorIterations}
	m.Certificate = certify(at.sum, at.gradient)
	return m, nil
}

// objective is ½‖w‖² + R(f) and its gradient, at the last table asked for.
type objective struct {
	of       records
	risk     risk.Risk
	at       []float64
	f, a     []float64
	sum      float64
	gradient []float64
}

func (o *objective) compute(x []float64) {
	if slices.Equal(o.at, x) {
		return
	}
	o.at = append(o.at[:0], x...)
	o.of.score(o.f, x)
	loss, _ := o.risk.Plane(o.a, o.f)
	o.sum = loss + float64(vectors.Dot(x, x)/2)
	clear(o.gradient)
	o.of.add(o.gradient, o.a)
	for i, w := range x {
		o.gradient[i] = w - o.gradient[i]
	}
}

func (o *objective) value(x []float64) float64 {
	o.compute(x)
	return o.sum
}

func (o *objective) grad(dst, x []float64) {
	o.compute(x)
	copy(dst, o.gradient)
}

// certify bounds the optimum: the dual point of the plane at w has the objective less ½‖g‖².
func certify(value float64, gradient []float64) svm.Certificate {
	return svm.Between(value, value-float64(vectors.Dot(gradient, gradient)/2))
}

// stopper ends a minimisation: by its certificate, or by a context.
type stopper struct {
	ctx      context.Context
	tol      float64
	progress func(svm.Progress)
	done     int
}

// Init implements [optimize.Converger].
func (s *stopper) Init(int) {}

// Converged implements [optimize.Converger].
func (s *stopper) Converged(at *optimize.Location) optimize.Status {
	if s.ctx.Err() != nil {
		return optimize.RuntimeLimit
	}
	s.done++
	c := certify(at.F, at.Gradient)
	svm.Report(s.progress, "l-bfgs", s.done, c, c.Gap <= s.tol)
	if c.Gap <= s.tol {
		return optimize.FunctionConvergence
	}
	return optimize.NotTerminated
}
