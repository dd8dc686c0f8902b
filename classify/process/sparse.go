package process

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/krylov"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// evidence is that of targets t with noise of variance noise/w under the linear model of some columns, and its
// maximisation. The columns in use come first.
type evidence struct {
	columns [][]float64 // Φ
	records []int       // whose rows of K they are; −1: that of the bias, all 1
	alpha   []float64   // precisions of the columns in use
	mean    []float64   // posterior means of their weights
	noise   float64

	gram   [][]float64     // ΦᵀWΦ
	right  []float64       // ΦᵀWt
	factor cholesky.Factor // of A + ΦᵀWΦ/noise, the inverse of the posterior covariance
}

// evidence returns that of no columns in use.
func (r Relevance) evidence(ctx context.Context, g stringkernel.Gram) (*evidence, error) {
	if err := memory.Check(r.columnBytes(g.Len())); err != nil {
		return nil, fmt.Errorf("process: %d columns of %d records need %w", r.Columns, g.Len(), err)
	}
	low, err := krylov.PivotedCholesky(ctx, g, r.Columns, 0)
	if err != nil {
		return nil, err
	}
	e := &evidence{records: append([]int{-1}, low.Pivots...), noise: 1}
	e.columns = scratch.Vectors(len(e.records), g.Len())
	for m, i := range e.records {
		if i >= 0 {
			if err := cancel.Run(ctx, func() { g.Row(e.columns[m], i) }); err != nil {
				return nil, err
			}
			continue
		}
		for j := range e.columns[m] {
			e.columns[m][j] = 1
		}
	}
	e.gram, e.right = scratch.Vectors(len(e.records), len(e.records)), make([]float64, len(e.records))
	return e, nil
}

// weigh takes weights and targets into the products of the first columns.
func (e *evidence) weigh(ctx context.Context, w, t []float64, columns int) error {
	return parallel.Do(ctx, columns, func(m int) error {
		weighted := make([]float64, len(w))
		for i, v := range e.columns[m] {
			weighted[i] = w[i] * v
		}
		e.right[m] = vectors.Dot(weighted, t)
		for k, column := range e.columns[:m+1] {
			e.gram[m][k] = vectors.Dot(weighted, column)
		}
		return nil
	})
}

// product returns an entry of ΦᵀWΦ.
func (e *evidence) product(m, k int) float64 { return e.gram[max(m, k)][min(m, k)] }

// posterior computes the factor and returns the means of the columns in use.
func (e *evidence) posterior() (mean []float64) {
	e.factor.Reset()
	mean = make([]float64, len(e.alpha))
	for m, a := range e.alpha {
		row := make([]float64, m, m+1)
		for k := range row {
			row[k] = e.gram[m][k] / e.noise
		}
		e.factor.Add(row, a+e.gram[m][m]/e.noise)
		mean[m] = e.right[m] / e.noise
	}
	e.factor.Solve(mean)
	return mean
}

// change makes the best change of one α, if it raises the logarithm of the evidence by leastGain, and returns by how
// much it does, and how many weights the data determine. The posterior is that before.
func (e *evidence) change() (gain, determined float64) {
	best, precision := -1, 0.0
	for m := range e.columns {
		s, q := e.quality(m)
		old := math.Inf(1)
		if m < len(e.alpha) {
			old = e.alpha[m]
			determined += s / old
		}
		if a, rise := better(s, q, old); rise > gain {
			best, precision, gain = m, a, rise
		}
	}
	if gain >= leastGain {
		e.set(best, precision)
	}
	return gain, determined
}

// quality returns S and Q of Tipping and Faul: φᵀC⁻¹φ and φᵀC⁻¹t of a column φ with the covariance C of the targets.
func (e *evidence) quality(m int) (s, q float64) {
	along := make([]float64, len(e.alpha))
	q = e.right[m] / e.noise
	for k := range along {
		along[k] = e.product(m, k) / e.noise
		q -= float64(along[k] * e.mean[k])
	}
	e.factor.Forward(along)
	own := e.gram[m][m] / e.noise
	if s = own - vectors.Dot(along, along); s <= 1e-10*own { // rounding
		return 0, 0
	}
	return s, q
}

// better returns the precision of a column that has the greatest evidence, and the gain over the old one; infinity is
// that of a column out of use.
func better(s, q, old float64) (precision, gain float64) {
	if s == 0 || s >= old {
		return old, 0
	}
	own, about := s, q // without the column itself
	if !math.IsInf(old, 1) {
		own, about = old*s/(old-s), old*q/(old-s)
	}
	excess := float64(about*about) - own
	switch square := float64(q * q); {
	case excess > 0 && math.IsInf(old, 1):
		return own * own / excess, (square/s - 1 - elementary.Log(square/s)) / 2
	case excess > 0:
		precision = own * own / excess
		wider := 1/precision - 1/old // by how much the prior variance grows
		return precision, (float64(square*wider)/(1+float64(s*wider)) - elementary.Log1p(s*wider)) / 2
	case !math.IsInf(old, 1):
		return math.Inf(1), (square/(s-old) - elementary.Log1p(-s/old)) / 2
	}
	return old, 0
}

// set gives a column a precision: those in use stay in front.
func (e *evidence) set(m int, precision float64) {
	last := len(e.alpha)
	switch {
	case m >= last:
		e.swap(m, last)
		e.alpha = append(e.alpha, precision)
	case math.IsInf(precision, 1):
		e.swap(m, last-1)
		e.alpha[m] = e.alpha[last-1]
		e.alpha = e.alpha[:last-1]
	default:
		e.alpha[m] = precision
	}
}

// swap exchanges two columns.
func (e *evidence) swap(m, k int) {
	for i := range e.columns {
		if i != m && i != k {
			a, b := &e.gram[max(m, i)][min(m, i)], &e.gram[max(k, i)][min(k, i)]
			*a, *b = *b, *a
		}
	}
	e.gram[m][m], e.gram[k][k] = e.gram[k][k], e.gram[m][m]
	e.right[m], e.right[k] = e.right[k], e.right[m]
	e.columns[m], e.columns[k] = e.columns[k], e.columns[m]
	e.records[m], e.records[k] = e.records[k], e.records[m]
}

// scores returns Φ·v of the columns in use.
func (e *evidence) scores(v []float64) []float64 {
	f := make([]float64, len(e.columns[0]))
	for m, a := range v {
		vectors.AddScaled(f, a, e.columns[m])
	}
	return f
}

// squares returns Σ w(t − f)².
func (e *evidence) squares(t, w []float64) (sum float64) {
	for i, f := range e.scores(e.mean) {
		sum += float64(w[i] * (t[i] - f) * (t[i] - f))
	}
	return sum
}

// penalty returns ½ Σ α v².
func (e *evidence) penalty(v []float64) (sum float64) {
	for m, a := range e.alpha {
		sum += float64(a * v[m] * v[m] / 2)
	}
	return sum
}

// gradient returns minus the derivatives of the objective by the weights, given those of the loss by the scores.
func (e *evidence) gradient(minus []float64) []float64 {
	g := make([]float64, len(e.alpha))
	for m, a := range e.alpha {
		g[m] = vectors.Dot(e.columns[m], minus) - float64(a*e.mean[m])
	}
	return g
}

// solution returns the machine of the means, given the loss of their scores and minus its derivatives. constant is what
// the evidence has besides the objective and the volume of the posterior. With the gradient g the objective, whose
// curvature is at least α, is at most ½ Σ g²/α above its least.
func (e *evidence) solution(minus []float64, loss, constant float64) svm.Solution {
	out := svm.Solution{Coef: make([]float64, len(minus)), Solver: nameRelevance, Rows: len(e.records) - 1}
	out.Primal = loss + e.penalty(e.mean)
	value, excess := constant-out.Primal, 0.0
	for m, g := range e.gradient(minus) {
		excess += float64(g * g / (2 * e.alpha[m]))
		value += float64(elementary.Log(e.alpha[m])/2) - elementary.Log(e.factor.Row(m)[m])
		if i := e.records[m]; i >= 0 {
			out.Coef[i] = e.mean[m]
		} else {
			out.Rho = -e.mean[m]
		}
	}
	out.Dual, out.Gap = out.Primal-excess, svm.Relative(excess, out.Primal)
	out.Reason = fmt.Sprintf("%d of %d columns, log evidence %.6g", len(e.alpha), len(e.columns), value)
	return out
}

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
