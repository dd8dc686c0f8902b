// Package vectors has the few operations on dense vectors that solvers are made of, with the same bits on every
// processor: sums in a fixed order, products that are not fused.
package vectors

import "math"

// Dot returns Σ a_i b_i in a fixed order of four partial sums, the same on every platform. b has at least the entries
// of a.
func Dot(a, b []float64) float64 {
	var sums DotSums
	sums.Add(a, b)
	return sums.Sum()
}

// DotSums are the partial sums of Dot of vectors that come in pieces, each but the last one of a multiple of four
// entries.
type DotSums [4]float64

// Add adds the products of a piece. b has at least the entries of a.
func (s *DotSums) Add(a, b []float64) {
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	*s = DotSums{s0, s1, s2, s3}
}

// Sum returns the sum of all products.
func (s *DotSums) Sum() float64 { return (s[0] + s[1]) + (s[2] + s[3]) }

// AddScaled adds s·v to dst.
func AddScaled[F float32 | float64](dst []float64, s float64, v []F) {
	v = v[:len(dst)]
	for len(dst) >= 4 && len(v) >= 4 {
		dst[0] += float64(s * float64(v[0]))
		dst[1] += float64(s * float64(v[1]))
		dst[2] += float64(s * float64(v[2]))
		dst[3] += float64(s * float64(v[3]))
		dst, v = dst[4:], v[4:]
	}
	for i := range dst {
		dst[i] += float64(s * float64(v[i]))
	}
}

// Add adds v to dst, which has at least its entries.
func Add[N number](dst, v []N) {
	dst = dst[:len(v)]
	for i, x := range v {
		dst[i] += x
	}
}

type number interface {
	~int | ~int32 | ~int64 | ~uint32 | ~float64
}

// Sum returns Σ v_i, added up from the first to the last.
func Sum[N number](v []N) (sum N) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// Greatest returns the greatest |v_i|, 0 of none, and NaN if an entry is.
func Greatest(v []float64) (most float64) {
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}

// Scale multiplies v by s.
func Scale(v []float64, s float64) {
	for i := range v {
		v[i] = float64(v[i] * s)
	}
}

// Norm returns √Σ v_i², of entries whose squares do not leave float64.
func Norm(v []float64) float64 { return math.Sqrt(Dot(v, v)) }

// Zero reports whether all entries of all vectors are 0.
func Zero(v ...[]float64) bool {
	for _, u := range v {
		for _, x := range u {
			if x != 0 {
				return false
			}
		}
	}
	return true
}

// FirstNonFinite returns the index of the first NaN or infinity, −1 if there is none.
func FirstNonFinite(v []float64) int {
	for i, x := range v {
		if x-x != 0 {
			return i
		}
	}
	return -1
}

// Hypotenuse returns √(a² + b²) with nothing squared that may leave float64. [math.Hypot] has other last bits on other
// processors.
func Hypotenuse(a, b float64) float64 {
	a, b = math.Abs(a), math.Abs(b)
	greater, ratio := max(a, b), min(a, b)/max(a, b)
	if greater == 0 {
		return 0
	}
	return greater * math.Sqrt(1+float64(ratio*ratio))
}
