package process

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// LeaveOneOut predicts every target from all other records, without fitting n machines: with G the inverse of the
// system that gives the coefficients (with a bias, its part for them), the prediction of record i by the others is y_i
// − α_i/G_ii (Cawley & Talbot 2004, doi:10.1016/j.neunet.2004.07.002, for the bias).
type LeaveOneOut struct {
	// Probes is the number of random vectors z of the estimate Σ z∘G⁻¹z/probes of the diagonal of G (Bekas, Kokiopoulou
	// & Saad 2007, doi:10.1016/j.apnum.2007.01.003), each a linear system. Zero: 64, but for at most 4,000 records it
	// is computed by a Cholesky factor, in O(n³) and 4n² bytes.
	Probes int
	Seed   uint64
}

// mostExact is the greatest number of records for which dense algebra takes the place of estimates.
const mostExact = 4000

// LeftOut has the predictions of records that were left out.
type LeftOut struct {
	Predictions []float64 // NaN for a record of weight 0
	Inverse     []float64 // G_ii: of a Gaussian process, τ²/G_ii is the variance of the prediction, noise included
	StdErr      []float64 // of Inverse, nil where it is exact
	Scale       float64   // of a Gaussian process, the τ² most likely
	Products    int
}

// Predict returns the predictions for every λ of a list instead of p.Lambda. p.Tol should be small: an error of a
// coefficient moves its prediction by that over G_ii. The error is that of ctx, about the data, or about a product that
// is not finite.
func (l LeaveOneOut) Predict(
	ctx context.Context, g stringkernel.Gram, p Regression, lambdas []float64,
) (all []LeftOut, err error) {
	if err := memory.Check(l.Bytes(g.Len(), len(lambdas))); err != nil {
		return nil, fmt.Errorf("process: leaving out each of %d records for %d λ needs %w", g.Len(), len(lambdas), err)
	}
	machines, err := Ridge{}.SolveAll(ctx, g, p, lambdas)
	if err != nil {
		return nil, err
	}
	for k, machine := range machines {
		p.Lambda = lambdas[k]
		s, err := newSystem(g, p)
		if err != nil {
			return nil, err
		}
		out := LeftOut{Predictions: make([]float64, g.Len()), Scale: likelyScale(machine, g.Len())}
		if l.Probes == 0 && g.Len() <= mostExact {
			out.Inverse, err = s.inverseDiagonal(ctx)
		} else {
			err = l.estimate(ctx, s, &out)
		}
		if err != nil {
			return nil, err
		}
		for i, y := range p.Targets {
			out.Predictions[i] = y - machine.Coef[i]/out.Inverse[i]
		}
		all = append(all, out)
	}
	return all, nil
}

// leftBlock is the number of systems of an estimate that are held at a time.
const leftBlock = 8

// Bytes estimates the memory of Predict for n records, besides the matrix: five vectors for each λ, seven for each
// system, or the exact factor.
func (l LeaveOneOut) Bytes(n, lambdas int) float64 {
	bytes := Ridge{}.Bytes(n) + float64(8*n*5*lambdas)
	if l.Probes == 0 && n <= mostExact {
		return bytes + float64(4*n*n)
	}
	return bytes + float64(8*n*7*leftBlock)
}

// factor returns the Cholesky factor of SKS + λI.
func (s *system) factor(ctx context.Context) (*cholesky.Factor, error) {
	n := len(s.Targets)
	if err := memory.Check(4 * float64(n) * float64(n)); err != nil {
		return nil, fmt.Errorf("process: the inverse of %d records needs %w", n, err)
	}
	factor := new(cholesky.Factor)
	row := make([]float64, n)
	for i := range n {
		if err := cancel.Run(ctx, func() { s.g.Row(row, i) }); err != nil {
			return nil, err
		}
		column := make([]float64, i, i+1)
		for j := range column {
			column[j] = s.scaleOf(i) * s.scaleOf(j) * row[j]
		}
		factor.Add(column, s.Lambda+float64(s.scaleOf(i)*s.scaleOf(i)*row[i]))
	}
	return factor, nil
}

// inverseDiagonal returns G_ii. The bias takes out the direction of S1.
func (s *system) inverseDiagonal(ctx context.Context) ([]float64, error) {
	factor, err := s.factor(ctx)
	if err != nil {
		return nil, err
	}
	n := len(s.Targets)
	inverse := make([]float64, n)
	err = parallel.Do(ctx, n, func(i int) error {
		unit := make([]float64, n)
		unit[i] = 1
		factor.ForwardFrom(unit, i)
		inverse[i] = vectors.Dot(unit, unit)
		return nil
	})
	if s.along != nil {
		ones := append([]float64(nil), s.along...)
		factor.Solve(ones)
		total := vectors.Dot(ones, s.along)
		for i, v := range ones {
			inverse[i] -= float64(v * v / total)
		}
	}
	for i := range inverse {
		inverse[i] *= s.scaleOf(i) * s.scaleOf(i)
	}
	return inverse, err
}

// estimate fills in the diagonal by random signs. In the complement of U the inverse of the projected system is what is
// wanted; along U it is 1/λ, which is subtracted.
func (l LeaveOneOut) estimate(ctx context.Context, s *system, out *LeftOut) error {
	n, probes := len(s.Targets), cmp.Or(l.Probes, 64)
	rng := rand.New(rand.NewPCG(l.Seed, 0x646961676f6e))
	sums, squares := make([]float64, n), make([]float64, n)
	for done := 0; done < probes; done += leftBlock {
		count := min(leftBlock, probes-done)
		signs, x := scratch.Vectors(count, n), scratch.Vectors(count, n)
		for _, z := range signs {
			for i := range z {
				z[i] = float64(1 - 2*rng.IntN(2))
			}
		}
		found, err := krylov.CG{Tol: 1e-6}.Solve(ctx, krylov.Shifted{A: s.operator, Lambda: s.Lambda}, x, signs)
		if err != nil {
			return err
		}
		out.Products += found.Products
		for m, z := range signs {
			for i := range z {
				v := float64(z[i] * x[m][i])
				sums[i] += v
				squares[i] += float64(v * v)
			}
		}
	}
	out.Inverse, out.StdErr = make([]float64, n), make([]float64, n)
	for i := range n {
		mean := sums[i] / float64(probes)
		variance := max(0, squares[i]/float64(probes)-float64(mean*mean))
		if s.along != nil {
			mean -= float64(s.along[i]*s.along[i]) / s.Lambda
		}
		weight := s.scaleOf(i) * s.scaleOf(i)
		out.Inverse[i] = max(mean, 0) * weight
		out.StdErr[i] = math.Sqrt(variance/float64(max(1, probes-1))) * weight
	}
	return nil
}
