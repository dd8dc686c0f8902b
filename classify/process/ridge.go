package process

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Regression is the problem of kernel ridge regression,
//
//	min over w, b of  ½‖w‖² + 1/(2λ) Σ_i w_i (y_i − ⟨w, φ(x_i)⟩ − b)²,
//
// whose solution is w = Σ α_i φ(x_i) with (K + λW⁻¹)α = y − b·1 and Σ α_i = 0. Times λ/2n it is the mean squared error
// plus a penalty, as other programs have it; scikit-learn's KernelRidge has no bias and calls λ alpha.
type Regression struct {
	Targets  []float64          // y, a number per row of the Gram matrix
	Weights  []float64          // w ≥ 0, nil: all 1
	Lambda   float64            // λ > 0
	NoBias   bool               // b = 0, and no condition on Σ α
	Tol      float64            // relative gap to stop at; zero: 1e-6
	Progress func(svm.Progress) // called after each product; may be nil
}

// Ridge solves a [Regression] by conjugate gradients. In the variables S⁻¹α with S = √W the matrix is SKS + λI, and the
// bias is a projection onto the complement of S1. The zero value is ready to use.
//
// Its objective is quadratic, so the gap is exactly ‖r‖²/2λ with the residual r of that system, and the search stops
// when it is at most Tol times the primal. It takes O(√(1 + ‖K‖/λ)) products.
type Ridge struct{}

// Bytes estimates the memory of Solve for n records, besides the matrix: some 25 vectors.
func (Ridge) Bytes(n int) float64 { return float64(200 * n) }

const nameRidge = "conjugate-gradients"

// Solve returns the machine. The error is that of ctx, about the data of the problem, or about a product that is not
// finite.
func (r Ridge) Solve(ctx context.Context, g stringkernel.Gram, p Regression) (svm.Solution, error) {
	s, err := newSystem(g, p)
	if err != nil {
		return svm.Solution{}, err
	}
	return s.solve(ctx)
}

// SolveAll returns the machine for every λ of a list instead of p.Lambda.
func (r Ridge) SolveAll(
	ctx context.Context, g stringkernel.Gram, p Regression, lambdas []float64,
) (all []svm.Solution, err error) {
	for _, p.Lambda = range lambdas {
		machine, err := r.Solve(ctx, g, p)
		if err != nil {
			return nil, err
		}
		all = append(all, machine)
	}
	return all, nil
}

// system is a checked problem as the linear system (PSKSP + λI)x = PSy in the complement of S1, or without P.
type system struct {
	Regression
	g        stringkernel.Gram
	scale    []float64 // √w, nil: all 1
	operator krylov.Operator
	along    []float64 // the direction of S1, nil without bias
	right    []float64
	x        []float64
}

func newSystem(g stringkernel.Gram, p Regression) (*system, error) {
	if err := p.check(g.Len()); err != nil {
		return nil, err
	}
	p.Tol = cmp.Or(p.Tol, 1e-6)
	s := &system{Regression: p, g: g, operator: krylov.Of(g), x: make([]float64, g.Len())}
	if p.Weights != nil {
		s.scale = make([]float64, len(p.Weights))
		for i, w := range p.Weights {
			s.scale[i] = math.Sqrt(w)
		}
		s.operator = krylov.Scaled{A: s.operator, S: s.scale}
	}
	s.right = s.scaled(p.Targets)
	if !p.NoBias {
		unit := make([]float64, g.Len())
		for i := range unit {
			unit[i] = s.scaleOf(i)
		}
		vectors.Scale(unit, 1/vectors.Norm(unit))
		projected := krylov.Projected{A: s.operator, U: unit}
		s.operator, s.along = projected, unit
		projected.Project(s.right)
	}
	return s, nil
}

func (p Regression) check(n int) error {
	if len(p.Targets) != n || p.Weights != nil && len(p.Weights) != n {
		return fmt.Errorf("process: %d targets and %d weights for %d records, want one each per record",
			len(p.Targets), len(p.Weights), n)
	}
	if i := vectors.FirstNonFinite(p.Targets); i >= 0 {
		return fmt.Errorf("process: target of record %d is %v, want a number", i, p.Targets[i])
	}
	total := 0.0
	for i, w := range p.Weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return fmt.Errorf("process: weight of record %d is %v, want a number ≥ 0", i, w)
		}
		total += w
	}
	if n == 0 || p.Weights != nil && total == 0 {
		return fmt.Errorf("process: no record has a weight, want at least one")
	}
	if err := svm.CheckOption(p.Lambda > 0 && p.Lambda <= math.MaxFloat64, "Lambda", p.Lambda, "> 0"); err != nil {
		return err
	}
	return svm.CheckTol(p.Tol)
}

func (s *system) scaleOf(i int) float64 {
	if s.scale == nil {
		return 1
	}
	return s.scale[i]
}

// scaled returns S·v.
func (s *system) scaled(v []float64) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] * s.scaleOf(i)
	}
	return out
}

// solve runs the conjugate gradients.
func (s *system) solve(ctx context.Context) (svm.Solution, error) {
	now := svm.Between(math.Inf(1), math.Inf(-1))
	cg := krylov.CG{
		Met: func(_ int, x, residual []float64) bool {
			now = s.bounds(x, residual)
			return now.Gap <= s.Tol
		},
		Progress: func(iterations int, _ float64) { svm.Report(s.Progress, nameRidge, iterations, now, false) },
	}
	found, err := cg.Solve(ctx, krylov.Shifted{A: s.operator, Lambda: s.Lambda}, [][]float64{s.x}, [][]float64{s.right})
	if err != nil {
		return svm.Solution{}, err
	}
	solution, err := s.certify(ctx, s.scaled(s.x))
	if err != nil {
		return svm.Solution{}, err
	}
	solution.Iterations, solution.Products = found.Iterations, found.Products+1
	svm.Report(s.Progress, nameRidge, solution.Iterations, solution.Certificate, true)
	return solution, nil
}

// bounds returns the objectives at x, whose residual is r: the dual rᵀx/2 + bᵀx/2 and the primal ‖r‖²/2λ above it.
func (s *system) bounds(x, r []float64) (c svm.Certificate) {
	c.Dual = float64((vectors.Dot(s.right, x) + vectors.Dot(r, x)) / 2)
	excess := vectors.Dot(r, r) / (2 * s.Lambda)
	c.Primal = c.Dual + excess
	c.Gap = svm.Relative(excess, c.Primal)
	return c
}

// certify fills in the bias and objectives of coefficients, from a fresh product.
func (s *system) certify(ctx context.Context, coef []float64) (svm.Solution, error) {
	f := make([]float64, len(coef))
	if err := krylov.Multiply(ctx, krylov.Of(s.g), [][]float64{f}, [][]float64{coef}); err != nil {
		return svm.Solution{}, err
	}
	b := 0.0
	if !s.NoBias {
		b = s.mean(func(i int) float64 { return s.Targets[i] - f[i] })
	}
	var loss, norm, linear, ridge, residual float64
	for i, a := range coef {
		scale := s.scaleOf(i)
		if scale == 0 {
			continue
		}
		e, own := float64((s.Targets[i]-f[i]-b)*scale), s.Lambda*a/scale
		loss += float64(e * e)
		norm += float64(a * f[i])
		linear += float64(a * s.Targets[i])
		ridge += float64(a / scale * own)
		residual += float64((e - own) * (e - own))
	}
	out := svm.Solution{Coef: coef, Rho: -b, Solver: nameRidge}
	half := float64(norm / 2)
	out.Primal, out.Dual = half+loss/(2*s.Lambda), linear-half-float64(ridge/2)
	out.Gap = svm.Relative(residual/(2*s.Lambda), out.Primal)
	return out, nil
}

// mean returns the weighted mean of a number per record.
func (s *system) mean(of func(i int) float64) float64 {
	var sum, weights float64
	for i := range s.Targets {
		w := 1.0
		if s.Weights != nil {
			w = s.Weights[i]
		}
		sum += float64(w * of(i))
		weights += w
	}
	return sum / weights
}
