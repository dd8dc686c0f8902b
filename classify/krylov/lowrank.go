package krylov

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/cholesky"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Rows is a positive semidefinite matrix of which the diagonal and single rows are known, such as a stringkernel.Gram.
type Rows interface {
	Len() int
	Diag(dst []float64)
	Row(dst []float64, i int)
}

// LowRank is the pivoted Cholesky approximation K ≈ BBᵀ of rank r: exact in the rows of the pivots, and K − BBᵀ is
// positive semidefinite, so that Trace bounds its norm.
type LowRank struct {
	Pivots []int       // r rows of K, in the order taken
	B      [][]float64 // r columns of n entries
	Trace  float64     // tr(K − BBᵀ) ≥ ‖K − BBᵀ‖
}

// PivotedCholesky takes the row with the greatest diagonal entry of what is left, until there are rank of them or the
// trace left is at most tol times that of K: O(nr²) operations, r rows of K and 8nr bytes. The error is that of ctx or
// about a row that is not finite.
func PivotedCholesky(ctx context.Context, k Rows, rank int, tol float64) (*LowRank, error) {
	n := k.Len()
	left := make([]float64, n) // diagonal of K − BBᵀ
	k.Diag(left)
	trace := sum(left)
	l := &LowRank{Trace: trace}
	for len(l.B) < min(rank, n) && l.Trace > tol*trace {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pivot := 0
		for i, d := range left {
			if d > left[pivot] {
				pivot = i
			}
		}
		if left[pivot] <= negligiblePivot*trace {
			break
		}
		column := make([]float64, n)
		k.Row(column, pivot)
		if i := vectors.FirstNonFinite(column); i >= 0 {
			return nil, fmt.Errorf("krylov: entry %d of row %d is %v, want finite values", i, pivot, column[i])
		}
		for _, b := range l.B {
			vectors.AddScaled(column, -b[pivot], b)
		}
		vectors.Scale(column, 1/math.Sqrt(left[pivot]))
		for i, c := range column {
			left[i] = max(0, left[i]-float64(c*c))
		}
		left[pivot] = 0
		l.Pivots, l.B = append(l.Pivots, pivot), append(l.B, column)
		l.Trace = sum(left)
	}
	return l, nil
}

// negligiblePivot is the part of the trace below which a diagonal entry left is rounding.
const negligiblePivot = 1e-15

func sum(v []float64) (total float64) {
	for _, x := range v {
		total += x
	}
	return total
}

// Woodbury is the inverse of S·B·Bᵀ·S + λI, by that of a matrix of r rows: the [Preconditioner] of S·K·S + λI.
type Woodbury struct {
	columns [][]float64 // S·B
	lambda  float64
	inner   cholesky.Factor // of λI + BᵀS²B
}

// Preconditioner returns the inverse of S·B·Bᵀ·S + λI with the diagonal S = diag(s), nil: the identity. It takes
// O(nr²).
func (l *LowRank) Preconditioner(s []float64, lambda float64) *Woodbury {
	w := &Woodbury{columns: l.B, lambda: lambda}
	if s != nil && len(l.B) > 0 {
		w.columns = scratch.Vectors(len(l.B), len(s))
		for j, b := range l.B {
			times(w.columns[j], s, b)
		}
	}
	for j, b := range w.columns {
		row := make([]float64, j, j+1)
		for i, c := range w.columns[:j] {
			row[i] = vectors.Dot(b, c)
		}
		w.inner.Add(row, lambda+vectors.Dot(b, b))
	}
	return w
}

// SolveTo writes (S·B·Bᵀ·S + λI)⁻¹v into dst, in O(nr).
func (w *Woodbury) SolveTo(dst, v []float64) {
	along := make([]float64, len(w.columns))
	for j, b := range w.columns {
		along[j] = vectors.Dot(b, v)
	}
	w.inner.Solve(along)
	copy(dst, v)
	for j, b := range w.columns {
		vectors.AddScaled(dst, -along[j], b)
	}
	vectors.Scale(dst, 1/w.lambda)
}

// Within returns the preconditioner P·M·P of a [Projected] operator, for one of the operator that is projected.
func (p Projected) Within(m Preconditioner) Preconditioner { return within{p, m} }

type within struct {
	Projected
	Preconditioner
}

// SolveTo writes P·M·v for v in the complement.
func (w within) SolveTo(dst, v []float64) {
	w.Preconditioner.SolveTo(dst, v)
	w.Project(dst)
}
