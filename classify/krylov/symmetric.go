package krylov

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

const epsilon = 1.0 / (1 << 52)

var errNotConverged = errors.New("krylov: the QR iteration of a small symmetric matrix has not converged")

// symmetricEigen returns the eigenvalues of a dense symmetric m × m matrix, greatest first, and their orthonormal
// vectors, in O(m³). It overwrites h.
func symmetricEigen(h [][]float64) (values []float64, columns [][]float64, err error) {
	m := len(h)
	columns = scratch.Vectors(m, m)
	for i := range columns {
		columns[i][i] = 1
	}
	for k := range m - 2 {
		reflect(h, columns, k)
	}
	values, off := make([]float64, m), make([]float64, max(0, m-1))
	for i := range m {
		values[i] = h[i][i]
		if i > 0 {
			off[i-1] = h[i][i-1]
		}
	}
	if err := tridiagonalEigen(values, off, columns); err != nil {
		return nil, nil, err
	}
	sortPairs(values, columns)
	return values, columns, nil
}

// reflect zeroes column k of the symmetric h below its subdiagonal by a Householder reflection I − 2vvᵀ from both
// sides, which it also applies to the basis.
func reflect(h, columns [][]float64, k int) {
	m := len(h)
	v := make([]float64, m)
	for i := k + 1; i < m; i++ {
		v[i] = h[i][k]
	}
	norm := vectors.Norm(v)
	if vectors.Norm(v[k+2:]) == 0 {
		return
	}
	v[k+1] += math.Copysign(norm, v[k+1])
	vectors.Scale(v, 1/vectors.Norm(v))
	// (I − 2vvᵀ) h (I − 2vvᵀ) = h − vwᵀ − wvᵀ with w = 2(hv − v·vᵀhv).
	w := make([]float64, m)
	for i := range m {
		w[i] = 2 * vectors.Dot(h[i], v)
	}
	vectors.AddScaled(w, -vectors.Dot(v, w), v)
	for i := range m {
		vectors.AddScaled(h[i], -v[i], w)
		vectors.AddScaled(h[i], -w[i], v)
	}
	// The basis times the reflection: its columns take parts of each other.
	combined := make([]float64, len(columns[0]))
	for j := k + 1; j < m; j++ {
		vectors.AddScaled(combined, v[j], columns[j])
	}
	for j := k + 1; j < m; j++ {
		vectors.AddScaled(columns[j], -2*v[j], combined)
	}
}

// tridiagonalEigen replaces the diagonal d of a symmetric tridiagonal matrix by its eigenvalues, in no order, and
// applies the rotations that do so to the columns: the unit vectors become the eigenvectors, their first entries those
// of the eigenvectors. off, the m − 1 entries beside the diagonal, is overwritten. Implicit QR with Wilkinson's shift
// (Golub & Van Loan, Matrix Computations, 8.3).
func tridiagonalEigen(d, off []float64, columns [][]float64) error {
	steps := 60 * len(d)
	for hi := len(d) - 1; hi > 0; {
		if negligible(d, off, hi-1) {
			hi--
			continue
		}
		lo := hi - 1
		for lo > 0 && !negligible(d, off, lo-1) {
			lo--
		}
		if steps--; steps < 0 {
			return errNotConverged
		}
		chase(d, off, columns, lo, hi)
	}
	return nil
}

// negligible reports whether entry i beside the diagonal is rounding.
func negligible(d, off []float64, i int) bool {
	return math.Abs(off[i]) <= float64(epsilon*(math.Abs(d[i])+math.Abs(d[i+1])))+math.SmallestNonzeroFloat64
}

// chase makes one QR step on rows lo … hi: the first rotation is that of the shifted matrix, the others drive the
// entry that it put outside the band down and out.
func chase(d, off []float64, columns [][]float64, lo, hi int) {
	half, last := float64((d[hi-1]-d[hi])/2), off[hi-1]
	further := math.Copysign(vectors.Hypotenuse(half, last), half)
	shift := d[hi] - float64(last/(half+further)*last)
	x, z := d[lo]-shift, off[lo]
	for k := lo; k < hi; k++ {
		r := vectors.Hypotenuse(x, z)
		c, s := 1.0, 0.0
		if r > 0 {
			c, s = x/r, z/r
		}
		if k > lo {
			off[k-1] = r
		}
		a, b, e := d[k], off[k], d[k+1]
		cross := float64(2 * float64(c*s) * b)
		d[k] = float64(c*c*a) + cross + float64(s*s*e)
		d[k+1] = float64(s*s*a) - cross + float64(c*c*e)
		off[k] = float64(c*s*(e-a)) + float64((float64(c*c)-float64(s*s))*b)
		if k < hi-1 {
			x, z = off[k], float64(s*off[k+1])
			off[k+1] = float64(c * off[k+1])
		}
		rotate(columns[k], columns[k+1], c, s)
	}
}

// rotate replaces a and b by ca + sb and cb − sa.
func rotate(a, b []float64, c, s float64) {
	for i, x := range a {
		y := b[i]
		a[i] = float64(c*x) + float64(s*y)
		b[i] = float64(c*y) - float64(s*x)
	}
}

// sortPairs sorts eigenvalues, greatest first, and their vectors alike.
func sortPairs(values []float64, columns [][]float64) {
	order := subset.Whole(len(values))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[j], values[i]) })
	sortedValues, sortedColumns := slices.Clone(values), slices.Clone(columns)
	for to, from := range order {
		sortedValues[to], sortedColumns[to] = values[from], columns[from]
	}
	copy(values, sortedValues)
	copy(columns, sortedColumns)
}
