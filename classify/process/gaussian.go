package process

import (
	"cmp"
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Gaussian fits a Gaussian process to the targets of a [Regression]: y_i = m + f(x_i) + noise, where f has mean 0 and
// covariance τ²k, the noise variance τ²λ/w_i, and m is the weighted mean of the targets. The mean of f given the
// targets is the ridge machine without a bias on y − m, and the variance of a new value at x
//
//	τ²(k(x, x) + λ − k(x)ᵀ(K + λW⁻¹)⁻¹k(x)),   k(x)_i = k(x_i, x).
//
// The inverse is that on a Krylov space, SQT⁻¹QᵀS from r steps of Lanczos (Pleiss et al. 2018, arXiv:1803.06058): then
// the last term is Σ_j (R_jᵀk(x))², r outputs of a merged scorer. It is never more than the true one, so that the
// variance is never too small, and it is exact for r = n or r the rank of K. With less it is good as far as few
// directions of the feature space explain most of k(x, x); Slack says how far it is off.
type Gaussian struct {
	Rank int // r; zero: 100
	// Checks is the number of records of training, evenly spaced, on which Slack is measured: each takes as many
	// products as the mean. Zero: none.
	Checks int
}

// Process is a fitted Gaussian process. With the coefficients Coef and the columns of Roots, [Process.Predict] has the
// outputs of one merged scorer.
type Process struct {
	svm.Solution             // of the mean: f(x) − Rho, where −Rho is m
	Scale        float64     // τ², the most likely: yᵀ(K + λW⁻¹)⁻¹y/n
	Lambda       float64     // λ: the noise has variance τ²λ
	Roots        [][]float64 // R: r vectors of n coefficients
	// Slack is the greatest excess of a variance over the true one among the records checked, as a part of it.
	Slack float64
}

// Fit returns the process of the targets, weights and λ of p, whose NoBias is ignored. The error is that of ctx, about
// the data, or about a product that is not finite.
func (g Gaussian) Fit(ctx context.Context, k stringkernel.Gram, p Regression) (*Process, error) {
	p, mean, err := p.Centred(k.Len())
	if err != nil {
		return nil, err
	}
	machine, err := Ridge{}.Solve(ctx, k, p)
	if err != nil {
		return nil, err
	}
	machine.Rho = -mean
	out := &Process{Solution: machine, Lambda: p.Lambda, Scale: likelyScale(machine, k.Len())}
	s, err := newSystem(k, p)
	if err != nil {
		return nil, err
	}
	lanczos, err := krylov.Tridiagonalise(ctx, s.operator, min(cmp.Or(g.Rank, 100), k.Len()), 1)
	if err != nil {
		return nil, err
	}
	out.Products += len(lanczos.Q)
	out.Roots = s.roots(lanczos)
	return out, out.check(ctx, s, g.Checks)
}

// Bytes estimates the memory of Fit for n records, besides the matrix: the vectors of Lanczos and Roots, and some for
// each record checked.
func (g Gaussian) Bytes(n int) float64 {
	rank := min(cmp.Or(g.Rank, 100), n)
	return Ridge{}.Bytes(n) + float64(8*n*(2*rank+6*min(g.Checks, n)))
}

// Centred returns the problem without a bias of the targets less their weighted mean, and that mean: the problem of a
// Gaussian process. The error is about the data.
func (p Regression) Centred(n int) (Regression, float64, error) {
	if err := p.check(n); err != nil {
		return p, 0, err
	}
	s := system{Regression: p}
	mean := s.mean(func(i int) float64 { return p.Targets[i] })
	targets := make([]float64, n)
	for i, y := range p.Targets {
		targets[i] = y - mean
	}
	p.Targets, p.NoBias = targets, true
	return p, mean, nil
}

// likelyScale returns yᵀ(K + λW⁻¹)⁻¹y/n, which is twice the objective over n.
func likelyScale(machine svm.Solution, n int) float64 {
	return (machine.Primal + machine.Dual) / float64(n)
}

// roots returns R = S·Q·L⁻ᵀ with the Cholesky factor L, which has two diagonals, of T + λI = QᵀSKSQ + λI.
func (s *system) roots(l *krylov.Tridiagonal) [][]float64 {
	roots := make([][]float64, len(l.Q))
	diagonal := 0.0 // of L
	for j, q := range l.Q {
		pivot := l.Diag[j] + s.Lambda
		roots[j] = s.scaled(q)
		if j > 0 {
			below := l.Off[j-1] / diagonal
			pivot -= float64(below * below)
			vectors.AddScaled(roots[j], -below, roots[j-1])
		}
		diagonal = math.Sqrt(max(pivot, s.Lambda))
		vectors.Scale(roots[j], 1/diagonal)
	}
	return roots
}

// Predict returns the mean and the standard deviation of a new value at x, noise included, given k(x, x) and the
// outputs of a scorer merged from Coef and Roots, in this order.
func (p *Process) Predict(self float64, scores []float64) (mean, deviation float64) {
	return scores[0] - p.Rho, math.Sqrt(p.Scale * p.variance(self, scores[1:]))
}

// variance returns that of a new value in units of τ², given the outputs of Roots.
func (p *Process) variance(self float64, scores []float64) float64 {
	for _, s := range scores {
		self -= float64(s * s)
	}
	return max(0, self) + p.Lambda
}

// check measures Slack.
func (p *Process) check(ctx context.Context, s *system, count int) error {
	n := len(s.Targets)
	count = min(count, n)
	if count == 0 {
		return nil
	}
	columns, self := scratch.Vectors(count, n), make([]float64, n)
	s.g.Diag(self)
	selves := make([]float64, count)
	for c := range columns {
		i := c * n / count
		if err := cancel.Run(ctx, func() { s.g.Row(columns[c], i) }); err != nil {
			return err
		}
		selves[c] = self[i]
	}
	lower, products, err := s.variances(ctx, columns, selves, 1e-2)
	p.Products += products
	for c, column := range columns {
		scores := make([]float64, len(p.Roots))
		for j, r := range p.Roots {
			scores[j] = vectors.Dot(r, column)
		}
		p.Slack = max(p.Slack, p.variance(selves[c], scores)/lower[c]-1)
	}
	return err
}

// variances returns lower bounds of the variances of sequences x in units of τ², given k(x)_i = k(x_i, x) and k(x, x):
// by conjugate gradients until the upper bounds are at most tol times the noise variance above. With a residual r of
// (K + λW⁻¹)u = k(x) in the scaled variables, the term that is subtracted lies from uᵀ(k(x) + r) to ‖r‖²/λ above that.
func (s *system) variances(
	ctx context.Context, columns [][]float64, self []float64, tol float64,
) (lower []float64, products int, err error) {
	right, u := make([][]float64, len(columns)), scratch.Vectors(len(columns), len(s.Targets))
	for c, column := range columns {
		right[c] = s.scaled(column)
	}
	lower = make([]float64, len(columns))
	cg := krylov.CG{Met: func(c int, x, r []float64) bool {
		least := vectors.Dot(x, right[c]) + vectors.Dot(x, r)
		above := vectors.Dot(r, r) / s.Lambda
		lower[c] = max(0, self[c]-least-above) + s.Lambda
		return above <= tol*s.Lambda
	}}
	result, err := cg.Solve(ctx, krylov.Shifted{A: s.operator, Lambda: s.Lambda}, u, right)
	return lower, result.Products, err
}
