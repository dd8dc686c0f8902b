package hadamard

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/spectrum/internal/krawtchouk"
)

// A coordinate's factor depends on two counts over its digits: the weight, digits that are not 0 (not constant), and
// among those the pairs, digits 2 and 3, whose vectors (1, −1, 0, 0) and (0, 0, 1, −1) are half as long squared as the
// others.

// weights counts the digits of code that are not 0, and those that are 2 or 3.
func weights(code uint) (weight, pairs int) {
	const low = 0x5555555555555555
	high := uint64(code) >> 1 & low
	return bits.OnesCount64(high | uint64(code)&low), bits.OnesCount64(high)
}

// scaling holds λ_j/4^length: what the transform and its transpose leave to be done.
type scaling struct {
	value []float64
	// forPrefix has the factors of words with a prefix of all but the last blockDigits digits, by the counts of the
	// prefix and the class of the next four digits: see [simd.Scale].
	forPrefix [][][]simd.Factors
}

func newScaling(length int, eigen []float64) *scaling {
	s := &scaling{value: make([]float64, length+1)}
	for j, v := range eigen {
		s.value[j] = math.Ldexp(v, -2*length)
	}
	for weight := range length - blockDigits + 1 {
		s.forPrefix = append(s.forPrefix, make([][]simd.Factors, weight+1))
		for pairs := range s.forPrefix[weight] {
			s.forPrefix[weight][pairs] = s.factors(weight, pairs)
		}
	}
	return s
}

// at is the factor of a coordinate, λ_weight/4^length · 2^pairs.
func (s *scaling) at(weight, pairs int) float64 { return s.value[weight] * float64(uint(1)<<pairs) }

// classOf is the class, (weight, pairs), of each of the 4⁴ words of four digits, classWeight and classPairs the counts
// of a class.
var classOf, classWeight, classPairs = newClasses()

func newClasses() (class [block / 16]uint8, weight, pairs [15]int) {
	var number [5][5]uint8
	next := 0
	for w := range 5 {
		for p := 0; p <= w; p++ {
			number[w][p], weight[next], pairs[next] = uint8(next), w, p
			next++
		}
	}
	for code := range class {
		w, p := weights(uint(code))
		class[code] = number[w][p]
	}
	return class, weight, pairs
}

// factors returns the factors of the words whose prefix has the given counts.
func (s *scaling) factors(weight, pairs int) []simd.Factors {
	f := make([]simd.Factors, len(classWeight))
	for class := range f {
		for code := range f[class] { // the last digit first, 0 to 2; the other 0 to 3
			w, p := weights(uint(code))
			f[class][code] = s.at(weight+classWeight[class]+w, pairs+classPairs[class]+p)
		}
	}
	return f
}

// Eigenvalues returns the length+1 eigenvalues λ_0 … λ_length of the matrix h(d_H(u, v)) over the words of the given
// length on sigma letters, with h[m] the value at Hamming distance m:
//
//	λ_j = Σ_m h(m) P_m(j),   P_m(j) = Σ_s (−1)^s (σ−1)^(m−s) C(j, s) C(length−j, m−s)
//
// λ_j has multiplicity C(length, j) (σ−1)^j. The sums alternate and cancel, so they are taken exactly and rounded once:
// each eigenvalue is the float64 nearest to its exact value, and an integer up to 2⁵³ if every h(m) is an integer. If
// an entry of h is infinite or NaN, so is (one or the other) every eigenvalue with a non-zero P_m(j) for it, as float64
// sums have it; a value beyond float64 is ±Inf.
//
// The map is its own inverse up to a factor: h = Eigenvalues(σ, length, λ)/σ^length, so the function h of a matrix
// whose eigenvalues were changed (negative ones clipped, say) is found with a second call.
//
// sigma ≥ 2, length ≥ 0 and len(h) = length+1 are the caller's to ensure; anything else panics. No table is involved,
// so sigma^length may exceed MaxWords. O(length²) multiplications of integers of length·log₂ sigma bits for each j: 0.1
// ms at length 11.
func Eigenvalues(sigma, length int, h []float64) []float64 {
	if sigma < 2 || length < 0 || len(h) != length+1 {
		panic(fmt.Sprintf("hadamard: Eigenvalues(sigma = %d, length = %d, %d values of h), want ≥ 2, ≥ 0 and length+1",
			sigma, length, len(h)))
	}
	exact, infinite := krawtchouk.Zeros(len(h)), []int(nil)
	for m, v := range h {
		if exact[m].SetFloat64(v) == nil {
			infinite = append(infinite, m)
		}
	}
	eigen := krawtchouk.Floats(krawtchouk.Eigenvalues(sigma, exact))
	for _, m := range infinite {
		for j := range eigen {
			if sign := krawtchouk.Polynomials(sigma, length, j)[m].Sign(); sign != 0 {
				eigen[j] += float64(h[m] * float64(sign))
			}
		}
	}
	return eigen
}
