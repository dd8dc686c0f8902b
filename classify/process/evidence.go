package process

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Evidence is the logarithm of the probability density of the targets under a Gaussian process (Rasmussen & Williams
// 2006, eq. 2.30),
//
//	−½ yᵀC⁻¹y − ½ log det C − ½ n log 2π,   C = τ²(K + λW⁻¹),
//
// of targets less their mean: what hyperparameters are chosen by, without any held-out record.
type Evidence struct {
	Value  float64
	StdErr float64 // of the estimated log determinant, half of it
	Scale  float64 // τ²
	Lambda float64
}

// Likelihood computes the [Evidence] of a [Regression] for several λ, with the most likely τ² of each. The determinant
// is estimated by [krylov.LogDet]; the same random vectors serve every λ, so that differences between them are surer
// than StdErr says.
type Likelihood struct {
	Determinant krylov.LogDet // zero: that, but for at most 4,000 records the exact one, in O(n³) and 4n² bytes
}

// Evidences returns the evidence for every λ of a list, and the number of products made. All records need a weight
// above 0. The error is that of ctx, about the data, or about a product that is not finite.
func (l Likelihood) Evidences(
	ctx context.Context, g stringkernel.Gram, p Regression, lambdas []float64,
) (all []Evidence, products int, err error) {
	if err := memory.Check(l.Bytes(g.Len(), len(lambdas))); err != nil {
		return nil, 0, fmt.Errorf("process: the evidence of %d records for %d λ needs %w", g.Len(), len(lambdas), err)
	}
	p.Lambda = cmp.Or(p.Lambda, 1)
	p, _, err = p.Centred(g.Len())
	if err != nil {
		return nil, 0, err
	}
	machines, err := Ridge{}.SolveAll(ctx, g, p, lambdas)
	if err != nil {
		return nil, 0, err
	}
	s, err := newSystem(g, p)
	if err != nil {
		return nil, 0, err
	}
	determinants, products, err := l.determinants(ctx, s, lambdas)
	if err != nil {
		return nil, 0, err
	}
	n := float64(g.Len())
	for k, lambda := range lambdas {
		products += machines[k].Products
		squares := n * likelyScale(machines[k], g.Len()) // yᵀ(K + λW⁻¹)⁻¹y
		scale := squares / n
		determinant := determinants[k].Value - s.logWeights() + float64(n*elementary.Log(scale))
		all = append(all, Evidence{
			Value:  -(n + determinant + float64(n*elementary.Log(2*math.Pi))) / 2,
			StdErr: (determinants[k].StdErr + float64(determinants[k].Width/2)) / 2,
			Scale:  scale, Lambda: lambda,
		})
	}
	return all, products, nil
}

// Bytes estimates the memory of Evidences for n records and some λ, besides the matrix: two vectors for each λ and
// three for each probe of the determinant, or the exact factor.
func (l Likelihood) Bytes(n, lambdas int) float64 {
	probes := cmp.Or(l.Determinant.Probes, 16)
	bytes := Ridge{}.Bytes(n) + float64(8*n*(2*lambdas+4*probes))
	if l.Determinant == (krylov.LogDet{}) && n <= mostExact {
		bytes += float64(4 * n * n)
	}
	return bytes
}

// determinants returns log det(SKS + λI) for every λ.
func (l Likelihood) determinants(ctx context.Context, s *system, lambdas []float64) ([]krylov.Estimate, int, error) {
	if l.Determinant != (krylov.LogDet{}) || len(s.Targets) > mostExact {
		return l.Determinant.Estimates(ctx, s.operator, lambdas)
	}
	exact := make([]krylov.Estimate, len(lambdas))
	for k := range exact {
		s.Lambda = lambdas[k]
		factor, err := s.factor(ctx)
		if err != nil {
			return nil, 0, err
		}
		for i := range factor.Len() {
			exact[k].Value += 2 * elementary.Log(factor.Row(i)[i])
		}
	}
	return exact, 0, nil
}

// logWeights returns Σ log w_i, by which log det(SKS + λI) exceeds that of K + λW⁻¹.
func (s *system) logWeights() (sum float64) {
	for _, w := range s.Weights {
		sum += elementary.Log(w)
	}
	return sum
}
