package svm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// instance is a checked problem on a Gram matrix. Its fields have their defaults filled in.
type instance struct {
	Problem
	g        stringkernel.Gram
	hinges   *risk.Hinges // of Linear, Weights, Costs, Sum and Loss; nil for another Risk
	ridges   Costs        // 1/(2C) for the squared hinge, else 0
	products int
}

var errNoGram = errors.New("svm: no Gram matrix")

// newInstance checks a problem for a solver and puts in its defaults.
func newInstance(g stringkernel.Gram, p Problem, s Planner) (*instance, error) {
	if g == nil {
		return nil, errNoGram
	}
	in, err := newInstanceOf(g.Len(), p, s)
	if err == nil {
		in.g = g
	}
	return in, err
}

// newInstanceOf is newInstance of n records without a matrix.
func newInstanceOf(n int, p Problem, s Planner) (*instance, error) {
	if err := s.Check(p); err != nil {
		return nil, err
	}
	p.Costs = Costs{cmp.Or(p.Costs.Positive, 1), cmp.Or(p.Costs.Negative, 1)}
	p.Tol, p.CacheBytes = cmp.Or(p.Tol, defaultTol), cmp.Or(p.CacheBytes, DefaultCacheBytes)
	if err := p.check(n); err != nil {
		return nil, err
	}
	in := &instance{Problem: p}
	if p.Risk != nil {
		return in, nil
	}
	in.hinges = p.lossesOf()
	in.Risk = in.hinges
	if p.squared() {
		in.ridges = Costs{1 / (2 * p.Costs.Positive), 1 / (2 * p.Costs.Negative)}
	}
	return in, nil
}

// Hinges returns the losses of the data of p, of n records, which has no Risk, and the relative gap at which it is to
// stop. The error says what is wrong with p.
func (p Problem) Hinges(n int) (h *risk.Hinges, tol float64, err error) {
	if err := cmp.Or(CheckOption(p.Risk == nil, "Risk", p.Risk, "none"), p.CheckOptions()); err != nil {
		return nil, 0, err
	}
	p.Costs = Costs{cmp.Or(p.Costs.Positive, 1), cmp.Or(p.Costs.Negative, 1)}
	if err := p.check(n); err != nil {
		return nil, 0, err
	}
	return p.lossesOf(), cmp.Or(p.Tol, defaultTol), nil
}

// lossesOf returns the losses of the data that stand in place of a Risk.
func (p *Problem) lossesOf() *risk.Hinges {
	h := &risk.Hinges{Points: p.Linear, Weights: p.Weights, Costs: risk.Costs(p.Costs), Squared: p.squared(),
		NoBias: p.NoBias}
	if p.Sum != 0 {
		h.Sums = []float64{p.Sum}
	}
	return h
}

// origin returns the feasible coefficients to start from: zeros, or Sum in proportion to the bounds of its sign.
func (p *instance) origin() []float64 {
	beta := make([]float64, len(p.Weights))
	if p.Sum == 0 {
		return beta
	}
	total := 0.0
	for i := range beta {
		if lo, hi := p.box(i); p.Sum > 0 {
			beta[i] = hi
		} else {
			beta[i] = lo
		}
		total += beta[i]
	}
	for i := range beta {
		beta[i] = float64(beta[i] * (p.Sum / total))
	}
	return beta
}

// multiply writes K·v into dst and checks it. After an error neither vector must be used again.
func (p *instance) multiply(ctx context.Context, dst, v []float64) error {
	p.products++
	if err := cancel.Run(ctx, func() { p.g.MulVecTo(dst, v) }); err != nil {
		return err
	}
	if i := firstNonFinite(dst); i >= 0 {
		return fmt.Errorf("svm: entry %d of a product with the Gram matrix is %v, want finite kernel values", i, dst[i])
	}
	return nil
}

// diagonal writes the diagonal of g into dst and checks it.
func diagonal(g stringkernel.Gram, dst []float64) error {
	g.Diag(dst)
	return checkDiagonal(dst)
}

// checkDiagonal returns an error for entries that no kernel has.
func checkDiagonal(dst []float64) error {
	if i := firstBeyond(dst); i >= 0 {
		return fmt.Errorf("svm: entry (%d, %d) of the Gram matrix is %v, want a kernel value of at most %g",
			i, i, dst[i], float64(mostValue))
	}
	return nil
}

// certify fills in the bias, objectives and gap of a dual feasible point beta with f = K·beta.
//
// The gap is summed from its terms ([risk.Hinges.GapOf]), which equals primal − dual because Σ beta = Sum and loses no
// digits to cancellation.
func (p *instance) certify(beta, f []float64) (sol Solution) {
	b := p.hinges.Bias(f)
	var norm, loss, linear, ridge, gap float64
	for i, v := range p.Linear {
		norm += float64(beta[i] * f[i])
		linear += float64(v * beta[i])
		ridge += float64(float64(beta[i]*p.ridge(i)) * beta[i])
		recordLoss, recordGap := p.hinges.GapOf(i, v-(f[i]+b), beta[i])
		loss += recordLoss
		gap += recordGap
	}
	sol.Coef, sol.Rho = beta, 0-b // not -0 without a bias
	sol.Primal, sol.Dual = float64(norm/2)+loss+float64(p.Sum*b), linear-float64(norm/2)-float64(ridge/2)
	sol.Gap = gap / max(math.Abs(sol.Primal), bundle.TinyPrimal)
	return sol
}
