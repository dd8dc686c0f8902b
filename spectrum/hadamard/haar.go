package hadamard

// haar takes the four values of a digit to their sum, the difference of the sums of the pairs, and the differences
// within the pairs: coordinate 0 is the constant one, 1 to 3 are the others. Six additions; the vectors are orthogonal.
func haar(x0, x1, x2, x3 float64) (s, t, a, b float64) {
	u, v := x0+x1, x2+x3
	return u + v, u - v, x0 - x1, x2 - x3
}

// unhaar is four times the inverse of haar if a and b arrive doubled (see newFactors).
func unhaar(s, t, a, b float64) (x0, x1, x2, x3 float64) {
	u, v := s+t, s-t
	return u + a, u - a, v + b, v - b
}

// forwardRows transforms one digit whose four values are rows r0 to r3.
func forwardRows(r0, r1, r2, r3 *[width]float64) {
	for c := range width {
		r0[c], r1[c], r2[c], r3[c] = haar(r0[c], r1[c], r2[c], r3[c])
	}
}

// backwardRows undoes forwardRows, times 4.
func backwardRows(r0, r1, r2, r3 *[width]float64) {
	for c := range width {
		r0[c], r1[c], r2[c], r3[c] = unhaar(r0[c], r1[c], r2[c], r3[c])
	}
}

// pair is the entries of two neighbouring digits of a block: the first two of the six have strides 1024 and 256, the
// third and fourth 64 and 16.
type pair interface {
	[block]float64 | [block / 16]float64
}

// forwardPair transforms the two digits, sixteen values at a time in registers.
func forwardPair[P pair](p *P) {
	n := len(*p) / 16
	for c := range n {
		x0, x4, x8, xc := haar((*p)[c], (*p)[c+4*n], (*p)[c+8*n], (*p)[c+12*n])
		x1, x5, x9, xd := haar((*p)[c+n], (*p)[c+5*n], (*p)[c+9*n], (*p)[c+13*n])
		x2, x6, xa, xe := haar((*p)[c+2*n], (*p)[c+6*n], (*p)[c+10*n], (*p)[c+14*n])
		x3, x7, xb, xf := haar((*p)[c+3*n], (*p)[c+7*n], (*p)[c+11*n], (*p)[c+15*n])
		(*p)[c], (*p)[c+n], (*p)[c+2*n], (*p)[c+3*n] = haar(x0, x1, x2, x3)
		(*p)[c+4*n], (*p)[c+5*n], (*p)[c+6*n], (*p)[c+7*n] = haar(x4, x5, x6, x7)
		(*p)[c+8*n], (*p)[c+9*n], (*p)[c+10*n], (*p)[c+11*n] = haar(x8, x9, xa, xb)
		(*p)[c+12*n], (*p)[c+13*n], (*p)[c+14*n], (*p)[c+15*n] = haar(xc, xd, xe, xf)
	}
}

// backwardPair undoes forwardPair, times 16.
func backwardPair[P pair](p *P) {
	n := len(*p) / 16
	for c := range n {
		x0, x4, x8, xc := unhaar((*p)[c], (*p)[c+4*n], (*p)[c+8*n], (*p)[c+12*n])
		x1, x5, x9, xd := unhaar((*p)[c+n], (*p)[c+5*n], (*p)[c+9*n], (*p)[c+13*n])
		x2, x6, xa, xe := unhaar((*p)[c+2*n], (*p)[c+6*n], (*p)[c+10*n], (*p)[c+14*n])
		x3, x7, xb, xf := unhaar((*p)[c+3*n], (*p)[c+7*n], (*p)[c+11*n], (*p)[c+15*n])
		(*p)[c], (*p)[c+n], (*p)[c+2*n], (*p)[c+3*n] = unhaar(x0, x1, x2, x3)
		(*p)[c+4*n], (*p)[c+5*n], (*p)[c+6*n], (*p)[c+7*n] = unhaar(x4, x5, x6, x7)
		(*p)[c+8*n], (*p)[c+9*n], (*p)[c+10*n], (*p)[c+11*n] = unhaar(x8, x9, xa, xb)
		(*p)[c+12*n], (*p)[c+13*n], (*p)[c+14*n], (*p)[c+15*n] = unhaar(xc, xd, xe, xf)
	}
}

// scale56 transforms the last two of the six digits of a block, scales, and transforms them back, times 16.
// class[i] is the class of the first four digits of entry 16i, f the factors by class.
func scale56(p *[block]float64, class *[block / 16]uint8, f *[classes]factors) {
	for i := range block / 16 {
		q := (*[16]float64)(p[16*i:])
		g := &f[class[i]&(classes-1)]
		x0, x4, x8, xc := haar(q[0], q[4], q[8], q[12])
		x1, x5, x9, xd := haar(q[1], q[5], q[9], q[13])
		x2, x6, xa, xe := haar(q[2], q[6], q[10], q[14])
		x3, x7, xb, xf := haar(q[3], q[7], q[11], q[15])
		x0, x1, x2, x3 = haar(x0, x1, x2, x3)
		x4, x5, x6, x7 = haar(x4, x5, x6, x7)
		x8, x9, xa, xb = haar(x8, x9, xa, xb)
		xc, xd, xe, xf = haar(xc, xd, xe, xf)
		x0, x1, x2, x3 = unhaar(float64(x0*g.c), float64(x1*g.t), float64(x2*g.a), float64(x3*g.a))
		x4, x5, x6, x7 = unhaar(float64(x4*g.t), float64(x5*g.tt), float64(x6*g.ta), float64(x7*g.ta))
		x8, x9, xa, xb = unhaar(float64(x8*g.a), float64(x9*g.ta), float64(xa*g.aa), float64(xb*g.aa))
		xc, xd, xe, xf = unhaar(float64(xc*g.a), float64(xd*g.ta), float64(xe*g.aa), float64(xf*g.aa))
		q[0], q[4], q[8], q[12] = unhaar(x0, x4, x8, xc)
		q[1], q[5], q[9], q[13] = unhaar(x1, x5, x9, xd)
		q[2], q[6], q[10], q[14] = unhaar(x2, x6, xa, xe)
		q[3], q[7], q[11], q[15] = unhaar(x3, x7, xb, xf)
	}
}
