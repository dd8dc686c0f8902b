package krylov

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Rows is a positive semidefinite matrix of which the diagonal and single rows are known, such as a stringkernel.Gram.
type Rows interface {
	Len() int
	Diag(dst []float64)
	Row(dst []float64, i int)
}

// LowRank is the pivoted Cholesky approximation K ≈ BBᵀ of rank r: exact in the rows of the pivots, and K − BBᵀ is
// positive semidefinite, so that Trace bounds its norm. It is K seen from the span of the features of the pivots, and
// an [Operator].
type LowRank struct {
	Pivots []int       // r rows of K, in the order taken
	B      [][]float64 // r columns of n entries; row i of B at the pivots is the Cholesky factor of their part of K
	Left   []float64   // diagonal of K − BBᵀ: the squared distances of features from the span, 0 of pivots
	Trace  float64     // tr(K − BBᵀ) ≥ ‖K − BBᵀ‖
	total  float64     // tr K
}

// NewLowRank returns the approximation of rank 0.
func NewLowRank(k Rows) *LowRank {
	l := &LowRank{Left: make([]float64, k.Len())}
	k.Diag(l.Left)
	l.Trace = vectors.Sum(l.Left)
	l.total = l.Trace
	return l
}

// PivotedCholesky takes the row with the greatest diagonal entry of what is left, until there are rank of them or the
// trace left is at most tol times that of K: O(nr²) operations, r rows of K and 8nr bytes. The error is that of ctx or
// about a row that is not finite.
func PivotedCholesky(ctx context.Context, k Rows, rank int, tol float64) (*LowRank, error) {
	l := NewLowRank(k)
	for len(l.B) < min(rank, k.Len()) && l.Trace > tol*l.total {
		pivot := l.Next(func(i int) float64 { return l.Left[i] })
		if pivot < 0 {
			break
		}
		if err := l.Take(ctx, k, pivot); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Next returns the row of the greatest merit, the first of several, among those that are not in the span within
// rounding; −1 if none is left.
func (l *LowRank) Next(merit func(i int) float64) int {
	best, most := -1, math.Inf(-1)
	for i, d := range l.Left {
		if d > negligiblePivot*l.total {
			if m := merit(i); m > most {
				best, most = i, m
			}
		}
	}
	return best
}

// Take makes a row a pivot: a row of K and O(nr) operations. The error is that of ctx or about a row that is not
// finite.
func (l *LowRank) Take(ctx context.Context, k Rows, pivot int) error {
	column := make([]float64, len(l.Left))
	if err := cancel.Run(ctx, func() { k.Row(column, pivot) }); err != nil {
		return err
	}
	if i := vectors.FirstNonFinite(column); i >= 0 {
		return fmt.Errorf("krylov: entry %d of row %d is %v, want finite values", i, pivot, column[i])
	}
	for _, b := range l.B {
		vectors.AddScaled(column, -b[pivot], b)
	}
	for _, p := range l.Pivots {
		column[p] = 0 // but for rounding
	}
	vectors.Scale(column, 1/math.Sqrt(l.Left[pivot]))
	for i, c := range column {
		l.Left[i] = max(0, l.Left[i]-float64(c*c))
	}
	l.Left[pivot] = 0
	l.Pivots, l.B = append(l.Pivots, pivot), append(l.B, column)
	l.Trace = vectors.Sum(l.Left)
	return nil
}

// Len returns n.
func (l *LowRank) Len() int { return len(l.Left) }

// MulTo writes B·Bᵀ·v[m].
func (l *LowRank) MulTo(dst, v [][]float64) {
	for m := range v {
		clear(dst[m])
		for _, b := range l.B {
			vectors.AddScaled(dst[m], vectors.Dot(b, v[m]), b)
		}
	}
}

// Restrict replaces v by the vector that has no entry but at the pivots and the same product with B·Bᵀ.
func (l *LowRank) Restrict(v []float64) {
	along := make([]float64, len(l.B))
	for j, b := range l.B {
		along[j] = vectors.Dot(b, v)
	}
	clear(v)
	for i := len(l.Pivots) - 1; i >= 0; i-- {
		p := l.Pivots[i]
		v[p] = along[i] / l.B[i][p]
		for j, b := range l.B[:i] {
			along[j] -= float64(v[p] * b[p])
		}
	}
}

// negligiblePivot is the part of the trace below which a diagonal entry left is rounding.
const negligiblePivot = 1e-15
