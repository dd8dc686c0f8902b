// Package cholesky factors symmetric positive definite matrices that grow and shrink.
package cholesky

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Factor is the Cholesky factor L of a matrix LLᵀ that grows and shrinks by a row and column at a time: O(m²) for each
// change of an m × m matrix. The zero value has no rows.
type Factor struct {
	rows [][]float64 // row i of L has i + 1 entries
}

// Len returns the number of rows.
func (l *Factor) Len() int { return len(l.rows) }

// Row returns row i of L, its i + 1 entries up to the diagonal, not to be changed.
func (l *Factor) Row(i int) []float64 { return l.rows[i] }

// Append appends a row of L itself, which is kept.
func (l *Factor) Append(row []float64) { l.rows = append(l.rows, row) }

// Reset removes all rows.
func (l *Factor) Reset() { l.rows = l.rows[:0] }

// smallestPivot is the part of a diagonal entry that a pivot keeps at least: where rounding has left less, the row
// depends linearly on those before it, and the factor is that of a matrix with so much added to this diagonal entry (a
// ridge).
const smallestPivot = 1e-13

// Add appends a row of the matrix: its entries with the rows so far, and the diagonal entry. column is overwritten and
// kept.
func (l *Factor) Add(column []float64, diagonal float64) {
	l.Forward(column)
	pivot := diagonal
	for _, v := range column {
		pivot -= float64(v * v)
	}
	pivot = max(pivot, smallestPivot*diagonal)
	l.rows = append(l.rows, append(column, math.Sqrt(pivot)))
}

// Remove deletes row and column k of the matrix. The rows below become a Hessenberg matrix, which rotations of
// neighbouring columns make triangular again.
func (l *Factor) Remove(k int) {
	l.rows = append(l.rows[:k], l.rows[k+1:]...)
	for j := k; j < len(l.rows); j++ {
		a, b := l.rows[j][j], l.rows[j][j+1]
		r := vectors.Hypotenuse(a, b)
		c, s := a/r, b/r
		for _, row := range l.rows[j:] {
			x, y := row[j], row[j+1]
			row[j] = float64(c*x) + float64(s*y)
			row[j+1] = float64(c*y) - float64(s*x)
		}
		l.rows[j] = l.rows[j][:j+1]
	}
}

// Forward solves L z = v in place.
func (l *Factor) Forward(v []float64) { l.ForwardFrom(v, 0) }

// ForwardFrom is [Factor.Forward] for a vector whose first entries are 0.
func (l *Factor) ForwardFrom(v []float64, first int) {
	for i := first; i < len(l.rows); i++ {
		row := l.rows[i]
		v[i] = (v[i] - vectors.Dot(row[first:i], v[first:i])) / row[i]
	}
}

// Solve solves L Lᵀ x = v in place.
func (l *Factor) Solve(v []float64) {
	l.Forward(v)
	l.Backward(v)
}

// Backward solves Lᵀ x = v in place.
func (l *Factor) Backward(v []float64) {
	for i := len(l.rows) - 1; i >= 0; i-- {
		row := l.rows[i]
		v[i] /= row[i]
		for j, r := range row[:i] {
			v[j] -= float64(r * v[i])
		}
	}
}
