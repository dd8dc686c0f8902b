// Package components finds the principal components of a kernel and clusters records by them.
//
// With features φ(x_i), their mean μ and n records, the centred Gram matrix is K̃ = J K J, J = I − 11ᵀ/n. An eigenpair
// K̃α = λα, ‖α‖ = 1, is a direction v = Σ_i α_i (φ(x_i) − μ)/√λ of the feature space along which the records have the
// variance λ/n, and the sum of all λ is the trace of K̃. The projection of a sequence x is
//
//	⟨v, φ(x) − μ⟩ = Σ_i (α_i/√λ) k(x_i, x) − ρ,   ρ = αᵀK1/(n√λ),
//
// since Σ_i α_i = 0: a merged scorer with one output per component and one constant each. That of record i is √λ α_i.
// So components are machines like others: coefficients over the training records and a rho.
//
// [PCA] needs products K·v alone, about 10 per component, and no matrix: package krylov's block Lanczos, with the
// residual ‖K̃α − λα‖ of each component as its certificate. [KMeans] clusters points,
// such as projections, which is kernel k-means in the space of the first components.
//
// Kernel PCA: B. Schölkopf, A. Smola, K.-R. Müller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
// Computation 10 (1998), doi:10.1162/089976698300017467. Clusters: C. Ding, X. He, K-means clustering via principal
// component analysis, ICML 2004, doi:10.1145/1015330.1015408.
package components

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// PCA finds the first principal components of a kernel on a corpus. All fields but Count may be zero.
type PCA struct {
	Count int     // components wanted, at least 1 and fewer than records
	Tol   float64 // on ‖K̃α − λα‖ over the greatest λ; zero: 1e-8
	Seed  uint64  // of the random start: other seeds change digits within the residuals
}

// Components are principal components, that of the greatest variance first.
type Components struct {
	Values    []float64   // λ, positive
	Vectors   [][]float64 // α, unit vectors of n entries; the first of the greatest magnitude is positive
	Rho       []float64   // what a projection takes off the score: see the package comment
	Residuals []float64   // ‖K̃α − λα‖ from a fresh product: an eigenvalue of K̃ is that close to λ
	Trace     float64     // of K̃: n times the variance of all features
	Products  int         // products K·v made
}

// ErrAlike is what [PCA.Fit] returns for records that all have the same features.
var ErrAlike = errors.New("all records are alike to the kernel: they have no components")

// rounding is the part of the greatest eigenvalue that an eigenvalue exceeds unless it is rounding error.
const rounding = 1e-12

// Fit returns the components of a matrix of n records: fewer than Count where the features span fewer dimensions. It
// makes about 10 products per component and holds about 3 + 40/Count vectors of n numbers for each. Components with
// equal eigenvalues are an orthonormal basis of their space, one of many. The error is that of ctx, [ErrAlike], or
// about Count, memory or a product that is not finite.
func (p PCA) Fit(ctx context.Context, g stringkernel.Gram) (*Components, error) {
	n := g.Len()
	if p.Count < 1 || p.Count >= n {
		return nil, fmt.Errorf("components: %d components of %d records, want 1 to %d", p.Count, n, n-1)
	}
	if err := memory.Check(p.Bytes(n)); err != nil {
		return nil, fmt.Errorf("components: %d components of %d records need %w", p.Count, n, err)
	}
	if err := stringkernel.Prepare(ctx, g); err != nil {
		return nil, err
	}
	mean, spread, err := means(ctx, g)
	if err != nil {
		return nil, err
	}
	if !(spread > 0) {
		return nil, ErrAlike
	}
	pairs, err := p.pairs(ctx, g)
	if err != nil {
		return nil, err
	}
	c := &Components{Trace: spread, Products: pairs.Products + 1}
	for j, value := range pairs.Values {
		if value <= rounding*max(spread, pairs.Values[0]) {
			break
		}
		alpha := pairs.Vectors[j]
		point(alpha)
		c.Values, c.Vectors = append(c.Values, value), append(c.Vectors, alpha)
		c.Rho = append(c.Rho, vectors.Dot(alpha, mean)/math.Sqrt(value))
		c.Residuals = append(c.Residuals, pairs.Residuals[j])
	}
	if len(c.Values) == 0 {
		return nil, ErrAlike
	}
	return c, nil
}

// Bytes estimates the memory of Fit for n records, besides the matrix.
func (p PCA) Bytes(n int) float64 {
	const held, besides = 5, 80 // vectors per component, with those that restarts make, and whatever their number
	return 8 * float64(n) * float64(held*p.Count+besides)
}

// means returns K1/n, and the trace of the centred matrix: 0 if that is rounding.
func means(ctx context.Context, g stringkernel.Gram) (mean []float64, spread float64, err error) {
	n := g.Len()
	ones, mean, diagonal := slices.Repeat([]float64{1}, n), make([]float64, n), make([]float64, n)
	if err := cancel.Run(ctx, func() { g.MulVecTo(mean, ones) }); err != nil {
		return nil, 0, err
	}
	vectors.Scale(mean, 1/float64(n))
	g.Diag(diagonal)
	trace := vectors.Dot(diagonal, ones)
	spread = trace - vectors.Dot(mean, ones)
	if spread <= rounding*trace {
		return mean, 0, nil
	}
	return mean, spread, nil
}

// pairs returns the greatest eigenpairs of K̃. A block of Lanczos finds as many copies of an equal eigenvalue as it has
// vectors; whether there are more, the greatest eigenvalue beside those found tells, and then a larger block finds
// them.
func (p PCA) pairs(ctx context.Context, g stringkernel.Gram) (*krylov.Eigenpairs, error) {
	centred := krylov.Centred(krylov.Of(g))
	products := 0
	for block := 1; ; block = min(4*block, p.Count) {
		pairs, err := krylov.Eigen{Count: p.Count, Block: block, Tol: p.Tol, Seed: p.Seed}.Solve(ctx, centred)
		if err != nil {
			return nil, err
		}
		products += pairs.Products
		least := pairs.Values[p.Count-1]
		beside, err := krylov.Eigen{Count: 1, Tol: 0.01, Seed: p.Seed + 1}.Solve(ctx, without{centred, pairs})
		if err != nil {
			return nil, err
		}
		pairs.Products, products = products+beside.Products, products+beside.Products
		if missed := beside.Values[0] > least+float64(1e-9*pairs.Values[0]); !missed || block >= p.Count {
			return pairs, nil
		}
	}
}

// without is K̃ − Σ λ α αᵀ: eigenpairs taken out.
type without struct {
	krylov.Operator
	pairs *krylov.Eigenpairs
}

// MulTo writes the products.
func (w without) MulTo(dst, v [][]float64) {
	w.Operator.MulTo(dst, v)
	for j, alpha := range w.pairs.Vectors {
		for m := range v {
			vectors.AddScaled(dst[m], -w.pairs.Values[j]*vectors.Dot(alpha, v[m]), alpha)
		}
	}
}

// point turns a vector so that its entry of the greatest magnitude is positive: the first of those that rounding may
// have made the greatest.
func point(v []float64) {
	const near = 1 - 1e-6
	greatest := vectors.Greatest(v)
	if first := slices.IndexFunc(v, func(x float64) bool { return math.Abs(x) >= near*greatest }); v[first] < 0 {
		vectors.Scale(v, -1)
	}
}

// Share returns the part of the variance of all features that is along component j, λ over the trace.
func (c *Components) Share(j int) float64 { return c.Values[j] / c.Trace }

// Coef returns the coefficients of a merged scorer, α/√λ: one list of n numbers per component.
func (c *Components) Coef() [][]float64 {
	coef := make([][]float64, len(c.Values))
	for j, alpha := range c.Vectors {
		coef[j] = append([]float64(nil), alpha...)
		vectors.Scale(coef[j], 1/math.Sqrt(c.Values[j]))
	}
	return coef
}

// Points returns the projections √λ α of the training records: a row per record, a number per component.
func (c *Components) Points() [][]float64 {
	points := scratch.Vectors(len(c.Vectors[0]), len(c.Values))
	for j, alpha := range c.Vectors {
		scale := math.Sqrt(c.Values[j])
		for i := range points {
			points[i][j] = float64(scale * alpha[i])
		}
	}
	return points
}
