package simd

import "fmt"

// A digit of four values is transformed to their sum, the difference of the sums of the pairs, and the differences
// within the pairs: the basis (1, 1, 1, 1), (1, 1, −1, −1), (1, −1, 0, 0), (0, 0, 1, −1).

// haarLoops are the loops of this file: in Go, or in assembly.
type haarLoops struct {
	forward, backward func(x []float64, stride, columns, parts int)
	scale             func(x []float64, class []uint8, factors []Factors)
}

var goHaar = haarLoops{forward, backward, scale}

// columnsAtOnce divides the number of columns.
const columnsAtOnce = 16

// Forward transforms a digit whose four values lie stride entries apart: x is that many parts of four rows of stride
// entries, and of each row the first columns are transformed, a multiple of 16. The last part may end with its columns.
func Forward(x []float64, stride, columns, parts int) {
	checkRows(x, stride, columns, parts)
	haar.forward(x, stride, columns, parts)
}

// Backward is four times the inverse of Forward if rows 2 and 3 arrive doubled.
func Backward(x []float64, stride, columns, parts int) {
	checkRows(x, stride, columns, parts)
	haar.backward(x, stride, columns, parts)
}

func checkRows(x []float64, stride, columns, parts int) {
	if columns <= 0 || columns%columnsAtOnce != 0 || stride < columns || parts <= 0 ||
		len(x) < (4*parts-1)*stride+columns {
		panic(fmt.Sprintf("simd: %d parts of 4 rows of %d columns, %d apart, in %d entries",
			parts, columns, stride, len(x)))
	}
}

// Factors are those of the sixteen coordinates of two digits, of which the values 2 and 3 share theirs: coordinate
// 4i + j has the factor 4·min(j, 2) + i.
type Factors [12]float64

// Scale transforms two digits, of each sixteen consecutive entries of x, the digit of stride 4 first, multiplies the
// coordinates of the m-th sixteen by factors[class[m]], and transforms them back.
func Scale(x []float64, class []uint8, factors []Factors) {
	if len(x) != 16*len(class) {
		panic(fmt.Sprintf("simd: %d entries and %d classes of sixteen", len(x), len(class)))
	}
	for _, c := range class {
		_ = factors[c]
	}
	haar.scale(x, class, factors)
}

// Haar takes the four values of a digit to its coordinates. Six additions; the vectors are orthogonal.
func Haar(x0, x1, x2, x3 float64) (s, t, a, b float64) {
	u, v := x0+x1, x2+x3
	return u + v, u - v, x0 - x1, x2 - x3
}

// Unhaar is four times the inverse of Haar if a and b arrive doubled.
func Unhaar(s, t, a, b float64) (x0, x1, x2, x3 float64) {
	u, v := s+t, s-t
	return u + a, u - a, v + b, v - b
}

// columnsOf returns the columns at c of four rows.
func columnsOf(x []float64, stride, c int) (r0, r1, r2, r3 *[columnsAtOnce]float64) {
	x = x[c:]
	return (*[columnsAtOnce]float64)(x), (*[columnsAtOnce]float64)(x[stride:]),
		(*[columnsAtOnce]float64)(x[2*stride:]), (*[columnsAtOnce]float64)(x[3*stride:])
}

func forward(x []float64, stride, columns, parts int) {
	for part := range parts {
		x := x[4*part*stride:]
		for at := 0; at < columns; at += columnsAtOnce {
			r0, r1, r2, r3 := columnsOf(x, stride, at)
			for c := range r0 {
				r0[c], r1[c], r2[c], r3[c] = Haar(r0[c], r1[c], r2[c], r3[c])
			}
		}
	}
}

func backward(x []float64, stride, columns, parts int) {
	for part := range parts {
		x := x[4*part*stride:]
		for at := 0; at < columns; at += columnsAtOnce {
			r0, r1, r2, r3 := columnsOf(x, stride, at)
			for c := range r0 {
				r0[c], r1[c], r2[c], r3[c] = Unhaar(r0[c], r1[c], r2[c], r3[c])
			}
		}
	}
}

func scale(x []float64, class []uint8, factors []Factors) {
	for i, c := range class {
		q := (*[16]float64)(x[16*i:])
		g := &factors[c]
		x0, x4, x8, xc := Haar(q[0], q[4], q[8], q[12])
		x1, x5, x9, xd := Haar(q[1], q[5], q[9], q[13])
		x2, x6, xa, xe := Haar(q[2], q[6], q[10], q[14])
		x3, x7, xb, xf := Haar(q[3], q[7], q[11], q[15])
		x0, x1, x2, x3 = Haar(x0, x1, x2, x3)
		x4, x5, x6, x7 = Haar(x4, x5, x6, x7)
		x8, x9, xa, xb = Haar(x8, x9, xa, xb)
		xc, xd, xe, xf = Haar(xc, xd, xe, xf)
		x0, x1, x2, x3 = Unhaar(float64(x0*g[0]), float64(x1*g[4]), float64(x2*g[8]), float64(x3*g[8]))
		x4, x5, x6, x7 = Unhaar(float64(x4*g[1]), float64(x5*g[5]), float64(x6*g[9]), float64(x7*g[9]))
		x8, x9, xa, xb = Unhaar(float64(x8*g[2]), float64(x9*g[6]), float64(xa*g[10]), float64(xb*g[10]))
		xc, xd, xe, xf = Unhaar(float64(xc*g[3]), float64(xd*g[7]), float64(xe*g[11]), float64(xf*g[11]))
		q[0], q[4], q[8], q[12] = Unhaar(x0, x4, x8, xc)
		q[1], q[5], q[9], q[13] = Unhaar(x1, x5, x9, xd)
		q[2], q[6], q[10], q[14] = Unhaar(x2, x6, xa, xe)
		q[3], q[7], q[11], q[15] = Unhaar(x3, x7, xb, xf)
	}
}
