// Package dual has a checked [svm.Problem] as the quadratic programme that solvers solve: bounds, points to start from,
// certificates.
package dual

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The names of solvers, as in [svm.Solution].
const (
	SMO            = "smo"
	CuttingPlane   = "cutting-plane"
	DualCoordinate = "dual-coordinate"
	Newton         = "newton"
)

// Program is a checked problem. Its fields have their defaults filled in.
type Program struct {
	svm.Problem
	Gram     stringkernel.Gram
	Hinges   *risk.Hinges // of Linear, Weights, Costs, Sum and Loss; nil for another Risk
	Products int

	ridges svm.Costs // 1/(2C) for the squared hinge, else 0
}

// ErrNoGram is the error for a matrix that is nil.
var ErrNoGram = errors.New("svm: no Gram matrix")

// OfGram checks a problem for a solver and puts in its defaults.
func OfGram(g stringkernel.Gram, p svm.Problem, s svm.Planner) (*Program, error) {
	if g == nil {
		return nil, ErrNoGram
	}
	of, err := Of(g.Len(), p, s.Check)
	if err == nil {
		of.Gram = g
	}
	return of, err
}

// Of is OfGram of n records without a matrix, for a solver that has options checked.
func Of(n int, p svm.Problem, checked func(svm.Problem) error) (*Program, error) {
	if err := checked(p); err != nil {
		return nil, err
	}
	p.Costs = defaults(p.Costs)
	p.Tol, p.CacheBytes = cmp.Or(p.Tol, svm.DefaultTol), cmp.Or(p.CacheBytes, svm.DefaultCacheBytes)
	of := &Program{Problem: p}
	if p.Risk != nil {
		if n != p.Risk.Len() {
			return nil, fmt.Errorf("svm: a risk of %d records for a Gram matrix of %d rows", p.Risk.Len(), n)
		}
		return of, nil
	}
	if err := of.check(n); err != nil {
		return nil, err
	}
	of.Hinges = &risk.Hinges{Points: p.Linear, Weights: p.Weights, Costs: p.Costs, Squared: p.Squared(),
		NoBias: p.NoBias}
	if p.Sum != 0 {
		of.Hinges.Sums = []float64{p.Sum}
	}
	of.Risk = of.Hinges
	if p.Squared() {
		of.ridges = svm.Costs{Positive: 1 / (2 * p.Costs.Positive), Negative: 1 / (2 * p.Costs.Negative)}
	}
	return of, nil
}

// defaults returns the costs with 1 for 0.
func defaults(c svm.Costs) svm.Costs {
	return svm.Costs{Positive: cmp.Or(c.Positive, 1), Negative: cmp.Or(c.Negative, 1)}
}

// check returns an error for data that are not a problem of n records.
func (p *Program) check(n int) error {
	if n != len(p.Linear) || n != len(p.Weights) {
		return fmt.Errorf("svm: %d linear terms and %d weights for a Gram matrix of %d rows, want one each per row",
			len(p.Linear), len(p.Weights), n)
	}
	if i := FirstBeyond(p.Linear); i >= 0 {
		return fmt.Errorf("svm: Linear[%d] = %v, want a number of at most %g", i, p.Linear[i], float64(svm.MostValue))
	}
	least, most := 0.0, 0.0 // of Σ β
	for i, w := range p.Weights {
		if c := p.Cost(i); w != 0 && !(c >= svm.LeastCost && c <= svm.MostCost) {
			return fmt.Errorf("svm: Weights[%d] = %v, want a cost of %g to %g", i, w, svm.LeastCost, svm.MostCost)
		} else if w > 0 {
			most += c
		} else {
			least -= c
		}
	}
	if p.NoBias {
		return nil
	}
	if p.Sum == 0 && (least == 0 || most == 0) || !(p.Sum >= least && p.Sum <= most) {
		return fmt.Errorf("svm: coefficients sum to %v to %v, want Sum = %v between them", least, most, p.Sum)
	}
	return nil
}

// CheckHinges returns an [svm.OptionError] if a solver of hinges alone has another Risk to minimise, or options out of
// range.
func CheckHinges(p svm.Problem, s svm.Solver, iterations int) error {
	return cmp.Or(svm.CheckOption(p.Risk == nil, "Solver", s, "auto or %s for this task", CuttingPlane),
		p.CheckOptions(), svm.CheckIterations(iterations))
}

// FirstBeyond returns the index of the first value that is NaN or beyond what kernel values are, −1 if there is none.
func FirstBeyond(v []float64) int {
	for i, x := range v {
		if !(math.Abs(x) <= svm.MostValue) {
			return i
		}
	}
	return -1
}

// Cost returns |c_i|.
func (p *Program) Cost(i int) float64 {
	if w := p.Weights[i]; w > 0 {
		return w * p.Costs.Positive
	}
	return -p.Weights[i] * p.Costs.Negative
}

// Box returns the bounds of coefficient i.
func (p *Program) Box(i int) (lo, hi float64) {
	most := p.Cost(i)
	if p.Squared() {
		most = math.Inf(1)
	}
	if p.Weights[i] > 0 {
		return 0, most
	}
	return -most, 0
}

// Ridge returns 1/(2|c_i|) for the squared loss, 0 for the other.
func (p *Program) Ridge(i int) float64 {
	if !p.Squared() || p.Weights[i] == 0 {
		return 0
	}
	if w := p.Weights[i]; w > 0 {
		return p.ridges.Positive / w
	}
	return p.ridges.Negative / -p.Weights[i]
}

// Multiply writes K·v into dst and checks it. After an error neither vector must be used again.
func (p *Program) Multiply(ctx context.Context, dst, v []float64) error {
	p.Products++
	if err := cancel.Run(ctx, func() { p.Gram.MulVecTo(dst, v) }); err != nil {
		return err
	}
	if i := vectors.FirstNonFinite(dst); i >= 0 {
		return fmt.Errorf("svm: entry %d of a product with the Gram matrix is %v, want finite kernel values", i, dst[i])
	}
	return nil
}

// Diagonal writes the diagonal of a matrix into dst and checks it.
func Diagonal(g stringkernel.Gram, dst []float64) error {
	g.Diag(dst)
	return CheckDiagonal(dst)
}

// CheckDiagonal returns an error for entries that no kernel has.
func CheckDiagonal(dst []float64) error {
	if i := FirstBeyond(dst); i >= 0 {
		return fmt.Errorf("svm: entry (%d, %d) of the Gram matrix is %v, want a kernel value of at most %g",
			i, i, dst[i], float64(svm.MostValue))
	}
	return nil
}

// Certify fills in the bias, objectives and gap of a dual feasible point beta with f = K·beta.
//
// The gap is summed from its terms ([risk.Hinges.GapOf]), which equals primal − dual because Σ beta = Sum and loses no
// digits to cancellation.
func (p *Program) Certify(beta, f []float64) (sol svm.Solution) {
	b := p.Hinges.Bias(f)
	var norm, loss, linear, ridge, gap float64
	for i, v := range p.Linear {
		norm += float64(beta[i] * f[i])
		linear += float64(v * beta[i])
		ridge += float64(float64(beta[i]*p.Ridge(i)) * beta[i])
		recordLoss, recordGap := p.Hinges.GapOf(i, v-(f[i]+b), beta[i])
		loss += recordLoss
		gap += recordGap
	}
	sol.Coef, sol.Rho = beta, 0-b // not -0 without a bias
	sol.Primal, sol.Dual = float64(norm/2)+loss+float64(p.Sum*b), linear-float64(norm/2)-float64(ridge/2)
	sol.Gap = svm.Relative(gap, sol.Primal)
	return sol
}
