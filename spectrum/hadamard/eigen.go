package hadamard

import (
	"fmt"
	"math/big"
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
		panic(fmt.Sprintf("hadamard: Eigenvalues(sigma = %d, length = %d, %d values of h), want sigma ≥ 2, length ≥ 0 and length+1 values",
			sigma, length, len(h)))
	}
	exact := make([]*big.Rat, len(h))
	for m, v := range h {
		exact[m] = new(big.Rat).SetFloat64(v) // nil if v is not finite
	}
	eigen := make([]float64, length+1)
	for j := range eigen {
		eigen[j] = eigenvalue(h, exact, krawtchouk(sigma, length, j))
	}
	return eigen
}

// eigenvalue is Σ_m h(m) p(m), rounded once; exact holds h as fractions.
func eigenvalue(h []float64, exact []*big.Rat, p []*big.Int) float64 {
	sum, term, beyond := new(big.Rat), new(big.Rat), 0.0
	for m := range h {
		switch {
		case p[m].Sign() == 0:
		case exact[m] == nil:
			beyond += float64(h[m] * float64(p[m].Sign()))
		default:
			sum.Add(sum, term.Mul(exact[m], term.SetInt(p[m])))
		}
	}
	if beyond != 0 {
		return beyond
	}
	value, _ := sum.Float64()
	return value
}

// krawtchouk returns P_0(j) … P_length(j), the coefficients of (1−z)^j (1+(σ−1)z)^(length−j).
func krawtchouk(sigma, length, j int) []*big.Int {
	p := make([]*big.Int, length+1)
	for m := range p {
		p[m] = new(big.Int)
	}
	p[0].SetInt64(1)
	less, term := big.NewInt(-1), new(big.Int)
	more := big.NewInt(int64(sigma) - 1)
	for i := range length {
		root := more
		if i < j {
			root = less
		}
		for m := i + 1; m > 0; m-- { // times (1 + root·z), in place
			p[m].Add(p[m], term.Mul(p[m-1], root))
		}
	}
	return p
}
