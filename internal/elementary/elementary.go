// Package elementary computes exponentials and logarithms with the same bits on every processor. Those of package math
// have an implementation per architecture, and their last bits differ.
//
// Every step is an addition, a product that cannot be fused, or a [math.FMA], all of which IEEE 754 rounds in one way.
// Results are within 1 ulp. A call costs about as much as one of package math on a processor with fused
// multiply-add, and several times as much on one without.
package elementary

import "math"

// ln 2 in two parts: n·ln2High is exact for |n| < 2²⁰.
const (
	ln2High = 0x1.62e42fefap-1
	ln2Low  = 0x1.cf79abc9e3b3ap-40
)

// Exp returns eˣ.
//
// x = n·ln 2 + r with |r| ≤ ½ ln 2, and eʳ is the Taylor polynomial of degree 13, whose remainder is below 2⁻⁵⁷.
func Exp(x float64) float64 {
	const overflow, underflow = 709.782712893384, -745.2
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x > overflow:
		return math.Inf(1)
	case x < underflow:
		return 0
	}
	n := math.RoundToEven(float64(x * math.Log2E))
	return scaled(math.FMA(-n, ln2Low, math.FMA(-n, ln2High, x)), n)
}

// Exp2 returns 2ˣ, exact for integers x.
func Exp2(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1076:
		return 0
	}
	n := math.RoundToEven(x)
	return scaled(float64((x-n)*math.Ln2), n)
}

// scaled returns 2ⁿ·eʳ, |r| ≤ ½ ln 2.
func scaled(r, n float64) float64 {
	r2 := float64(r * r)
	y := 1 + math.FMA(r2, taylor(r, r2), r)
	if n < -1022 || n > 1023 {
		return math.Ldexp(y, int(n))
	}
	return y * math.Float64frombits(uint64(int64(n)+1023)<<52) // exact
}

// taylor returns 1/2! + r/3! + … + r¹¹/13!, given r². Its terms are added in pairs, which do not wait for each other.
func taylor(r, r2 float64) float64 {
	r4 := float64(r2 * r2)
	a := math.FMA(r2, math.FMA(r, 1./120, 1./24), math.FMA(r, 1./6, 1./2))
	b := math.FMA(r2, math.FMA(r, 1./362880, 1./40320), math.FMA(r, 1./5040, 1./720))
	c := math.FMA(r2, math.FMA(r, 1./6227020800, 1./479001600), math.FMA(r, 1./39916800, 1./3628800))
	return math.FMA(r4, math.FMA(r4, c, b), a)
}

// Log returns the natural logarithm of x.
//
// x = 2ⁿ(1 + f) with ½√2 ≤ 1 + f < √2, and ln(1 + f) = 2 artanh s, s = f/(2 + f), is a polynomial of degree 21 in s,
// whose remainder is below 2⁻⁵⁷. Its leading terms f − f²/2 are kept apart, since 2s is rounded and f is not.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction, exponent = fraction*2, exponent-1
	}
	return log1p(fraction-1, 0, float64(exponent))
}

// Log1p returns ln(1 + x), exact to 1 ulp also near x = 0.
func Log1p(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1) || x == 0:
		return x
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	}
	if x > math.Sqrt2/2-1 && x < math.Sqrt2-1 {
		return log1p(x, 0, 0)
	}
	u := 1 + x
	lost := x - (u - 1) // what u has lost of 1 + x, exact for x < 1
	if x >= 1 {
		lost = 1 - (u - x)
	}
	fraction, exponent := math.Frexp(u)
	if fraction < math.Sqrt2/2 {
		fraction, exponent = fraction*2, exponent-1
	}
	return log1p(fraction-1, lost/u, float64(exponent))
}

// log1p returns ln(1 + f) + n ln 2 + correction.
func log1p(f, correction, n float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	sum := artanh(z)
	half := float64(0.5 * float64(f*f))
	// ln(1 + f) = f − (f²/2 − s(f²/2 + z·sum))
	small := math.FMA(n, ln2Low, correction)
	low := half - math.FMA(s, half+float64(z*sum), small)
	return math.FMA(n, ln2High, f-low)
}

// artanh returns 2/3 + 2z/5 + … + 2z¹⁰/23: with z = s², what follows 2s in the series of 2 artanh s, over s³. Its terms
// are added in pairs, which do not wait for each other.
func artanh(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	a := math.FMA(z2, math.FMA(z, 2./9, 2./7), math.FMA(z, 2./5, 2./3))
	b := math.FMA(z2, math.FMA(z, 2./17, 2./15), math.FMA(z, 2./13, 2./11))
	c := math.FMA(z2, 2./23, math.FMA(z, 2./21, 2./19))
	return math.FMA(z4, math.FMA(z4, c, b), a)
}

// CosSin returns cos 2πu and sin 2πu, of an angle in turns. It is NaN for infinities.
//
// u = n/4 + r with |r| ≤ ⅛, exactly, and the Taylor polynomials of cos 2πr and sin 2πr, of degree 16 and 17, have
// remainders below 2⁻⁵⁷. Errors are below 2⁻⁵².
func CosSin(u float64) (cos, sin float64) {
	u -= math.RoundToEven(u) // exact
	n := math.RoundToEven(float64(4 * u))
	x := float64((u - n/4) * (2 * math.Pi))
	x2 := float64(x * x)
	c, s := 1./20922789888000, 1./355687428096000
	for i := len(cosines) - 1; i >= 0; i-- {
		c, s = math.FMA(-x2, c, cosines[i]), math.FMA(-x2, s, sines[i])
	}
	s = float64(x * s)
	switch int(n) & 3 {
	case 1:
		return -s, c
	case 2:
		return -c, -s
	case 3:
		return s, -c
	}
	return c, s
}

// The coefficients of the Taylor polynomials of cos x and sin x/x in −x², but for the last.
var (
	cosines = [...]float64{1, 1. / 2, 1. / 24, 1. / 720, 1. / 40320, 1. / 3628800, 1. / 479001600, 1. / 87178291200}
	sines   = [...]float64{
		1, 1. / 6, 1. / 120, 1. / 5040, 1. / 362880, 1. / 39916800, 1. / 6227020800, 1. / 1307674368000,
	}
)

// Power returns xⁿ by squaring.
func Power[N int | int32](x float64, n N) float64 {
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			result *= x
		}
		x *= x
	}
	return result
}

// Choices returns C(n, k).
func Choices(n, k int) float64 {
	c := 1.0
	for i := range min(k, n-k) {
		c = c * float64(n-i) / float64(i+1)
	}
	return c
}
