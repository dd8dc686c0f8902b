package svm

import "math"

// factor is the Cholesky factor L of a symmetric positive definite matrix that grows and shrinks by a row and column at
// a time: O(m²) for each change of an m × m matrix. Row i of L is rows[i][:i+1].
type factor struct {
	rows [][]float64
}

// smallestPivot is the part of a diagonal entry that a pivot keeps at least: where rounding has left less, the row
// depends linearly on those before it, and the factor is that of a matrix with so much added to this diagonal entry (a
// ridge).
const smallestPivot = 1e-13

// add appends a row of the matrix: its entries with the rows so far, and the diagonal entry. column is overwritten and
// kept.
func (l *factor) add(column []float64, diagonal float64) {
	l.forward(column)
	pivot := diagonal
	for _, v := range column {
		pivot -= float64(v * v)
	}
	pivot = max(pivot, smallestPivot*diagonal)
	l.rows = append(l.rows, append(column, math.Sqrt(pivot)))
}

// remove deletes row and column k of the matrix. The rows below become a Hessenberg matrix, which rotations of
// neighbouring columns make triangular again.
func (l *factor) remove(k int) {
	l.rows = append(l.rows[:k], l.rows[k+1:]...)
	for j := k; j < len(l.rows); j++ {
		a, b := l.rows[j][j], l.rows[j][j+1]
		r := hypotenuse(a, b)
		c, s := a/r, b/r
		for _, row := range l.rows[j:] {
			x, y := row[j], row[j+1]
			row[j] = float64(c*x) + float64(s*y)
			row[j+1] = float64(c*y) - float64(s*x)
		}
		l.rows[j] = l.rows[j][:j+1]
	}
}

// hypotenuse returns √(a² + b²) with nothing squared that may leave float64. [math.Hypot] has other last bits on other
// processors.
func hypotenuse(a, b float64) float64 {
	a, b = math.Abs(a), math.Abs(b)
	greater, ratio := max(a, b), min(a, b)/max(a, b)
	if greater == 0 {
		return 0
	}
	return greater * math.Sqrt(1+float64(ratio*ratio))
}

// forward solves L z = v in place.
func (l *factor) forward(v []float64) {
	for i, row := range l.rows {
		v[i] = (v[i] - dot(row[:i], v[:i])) / row[i]
	}
}

// solve solves L Lᵀ x = v in place.
func (l *factor) solve(v []float64) {
	l.forward(v)
	for i := len(l.rows) - 1; i >= 0; i-- {
		row := l.rows[i]
		v[i] /= row[i]
		for j, r := range row[:i] {
			v[j] -= float64(r * v[i])
		}
	}
}
