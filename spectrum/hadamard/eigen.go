package hadamard

import (
	"fmt"

	"github.com/seqsvm/seqsvm/spectrum/internal/krawtchouk"
)

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
