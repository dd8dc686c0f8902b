package process

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/vectors"
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
	loss, err := l.loss(g.Len(), p)
	if err != nil {
		return svm.Solution{}, err
	}
	run := &newton{
		likelihood: loss, g: g, tol: cmp.Or(p.Tol, 1e-3), limit: cmp.Or(l.MaxIterations, 100),
		progress: p.Progress, solver: nameNewton,
	}
	certificate, _, err := run.run(ctx)
	if err != nil {
		return svm.Solution{}, err
	}
	return svm.Solution{
		Coef: run.coef[0], Rho: -loss.bias, Certificate: certificate,
		Iterations: run.iterations, Products: run.products, Solver: nameNewton,
	}, nil
}

// loss returns the likelihood of a problem of n records.
func (l Logistic) loss(n int, p svm.Problem) (*logistic, error) {
	if len(p.Weights) != n || n == 0 {
		return nil, fmt.Errorf("process: %d weights for %d records, want one each and at least one record",
			len(p.Weights), n)
	}
	loss := &logistic{noBias: l.NoBias, y: make([]float64, n), cost: make([]float64, n), curve: make([]float64, n)}
	var positive, negative float64
	for i, w := range p.Weights {
		c := math.Abs(w)
		loss.y[i] = math.Copysign(1, w)
		if w > 0 {
			c *= cmp.Or(p.Costs.Positive, 1)
			positive += c
		} else {
			c *= cmp.Or(p.Costs.Negative, 1)
			negative += c
		}
		if !(c > 0 && c <= math.MaxFloat64) {
			return nil, fmt.Errorf("process: weight of record %d is %v, want a number other than 0", i, w)
		}
		loss.cost[i] = c
	}
	if !l.NoBias && (positive == 0 || negative == 0) {
		return nil, fmt.Errorf("process: all labels have the same sign, want at least one of each for a bias")
	}
	loss.total = positive + negative
	return loss, nil
}

// logistic is Σ C_i log(1 + exp(−y_i(f_i + b))) with the best b.
type logistic struct {
	y, cost []float64
	total   float64 // Σ C
	noBias  bool
	bias    float64
	curve   []float64 // C p (1 − p) at the scores last looked at
	curves  float64   // their sum
}

func (l *logistic) outputs() int { return 1 }

func (l *logistic) look(minus, f [][]float64) (value float64) {
	if !l.noBias {
		l.findBias(f[0])
	}
	l.curves = 0
	residue := 0.0
	for i, y := range l.y {
		margin := y * (f[0][i] + l.bias)
		wrong, right := odds(margin)
		value += float64(l.cost[i] * softplus(-margin))
		minus[0][i] = float64(y * l.cost[i] * wrong)
		l.curve[i] = float64(l.cost[i] * wrong * right)
		l.curves += l.curve[i]
		residue += minus[0][i]
	}
	if !l.noBias && l.curves > 0 { // what rounding leaves of Σ = 0, by the Newton step of b
		vectors.AddScaled(minus[0], -residue/l.curves, l.curve)
	}
	return value
}

// findBias moves the bias from where it was to where the derivative of the loss is 0, by Newton's method within the
// interval that the signs of the derivatives have left.
func (l *logistic) findBias(f []float64) {
	lo, hi, reach := math.Inf(-1), math.Inf(1), 1.0
	for range 200 {
		slope, curve := 0.0, 0.0
		for i, y := range l.y {
			wrong, right := odds(y * (f[i] + l.bias))
			slope -= float64(y * l.cost[i] * wrong)
			curve += float64(l.cost[i] * wrong * right)
		}
		if math.Abs(slope) <= 1e-15*l.total {
			return
		}
		if slope > 0 {
			hi = l.bias
		} else {
			lo = l.bias
		}
		next := l.bias - max(-reach, min(reach, slope/curve))
		if next <= lo || next >= hi {
			next = (lo + hi) / 2
		}
		if next == l.bias {
			return
		}
		l.bias, reach = next, 2*reach
	}
}

func (l *logistic) hessian(dst, v [][]float64) {
	mean := 0.0
	if !l.noBias && l.curves > 0 {
		mean = vectors.Dot(l.curve, v[0]) / l.curves
	}
	for i, c := range l.curve {
		dst[0][i] = c * (v[0][i] - mean)
	}
}

// odds returns the probabilities 1/(1 + eᵐ) and 1/(1 + e⁻ᵐ) of the wrong and the right class at a margin.
func odds(margin float64) (wrong, right float64) {
	e := elementary.Exp(-math.Abs(margin))
	small, large := e/(1+e), 1/(1+e)
	if margin >= 0 {
		return small, large
	}
	return large, small
}

// softplus returns log(1 + eˣ).
func softplus(x float64) float64 {
	return max(x, 0) + elementary.Log1p(elementary.Exp(-math.Abs(x)))
}
