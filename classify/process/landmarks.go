package process

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// patience is the number of landmarks that have to lower the objective by more than its tolerance.
const patience = 10

// onLandmarks minimises over the span of at most a number of φ(x_i), the landmarks, which are taken one by one until
// the objective J ceases to fall. Next is the record along which J falls most steeply: with w' of β' = −∂R(f), the
// slope along φ(x_i) is s_i = ⟨φ(x_i), w' − w⟩, 0 within the span, and of a unit vector outside s_i over the distance
// of φ(x_i) from the span, half the square of which bounds how far J can fall along it. That takes a product with K and
// a row of it for each landmark; the Newton steps have B·Bᵀ in place of K.
//
// The certificate is that among w in the span. What the span costs is at most ½‖w' − w‖².
func (r *newton) onLandmarks(ctx context.Context, k stringkernel.Gram, most int, out *svm.Solution) error {
	low, whole := krylov.NewLowRank(k), krylov.Of(k)
	report := r.progress
	r.g, r.progress = low, nil
	product := make([]float64, k.Len())
	var values []float64 // J, by the number of landmarks
	for {
		var err error
		if out.Certificate, err = r.run(ctx); err != nil {
			return err
		}
		low.Restrict(r.coef[0])
		r.products++
		if err = krylov.Multiply(ctx, whole, [][]float64{product}, r.minus[:1]); err != nil {
			return err
		}
		values = append(values, out.Primal)
		taken := len(values) - 1
		pivot := low.Next(func(i int) float64 {
			slope := product[i] - r.f[0][i]
			return float64(slope*slope) / low.Left[i]
		})
		if taken >= most || pivot < 0 || taken >= patience && values[taken-patience]-out.Primal <= r.tol*out.Primal {
			break
		}
		svm.Report(report, dual.Newton, taken, svm.Certificate{Primal: out.Primal, Gap: 1}, false)
		if err := low.Take(ctx, k, pivot); err != nil {
			return err
		}
	}
	cost := vectors.Dot(r.minus[0], product) - 2*vectors.Dot(r.minus[0], r.f[0]) + vectors.Dot(r.coef[0], r.f[0])
	out.Rows = len(low.Pivots)
	out.Reason = fmt.Sprintf("%d landmarks; of all records, the objective is lower by at most %.2g of it", out.Rows,
		max(0, cost)/2/max(out.Primal, svm.TinyPrimal))
	r.progress = report
	r.report(out.Certificate, true)
	return nil
}
