// Package krawtchouk computes with functions of the Hamming distance of k-mers in fractions, to be rounded once. Their
// eigenvalues, given by the Krawtchouk polynomials, and their parts by positions are sums of large numbers of both
// signs, and what is 0 has to be 0: a part of 0 saves all its choices of positions.
package krawtchouk

import "math/big"

// Zeros returns n fractions of 0.
func Zeros(n int) []*big.Rat {
	v := make([]*big.Rat, n)
	for i := range v {
		v[i] = new(big.Rat)
	}
	return v
}

// Floats rounds to the nearest.
func Floats(v []*big.Rat) []float64 {
	out := make([]float64, len(v))
	for i, r := range v {
		out[i], _ = r.Float64()
	}
	return out
}

// Eigenvalues returns λ_j = Σ_m h(m) P_m(j) for k-mers of len(h) − 1 letters, with the Krawtchouk polynomials P:
// hadamard.Eigenvalues in fractions.
func Eigenvalues(sigma int, h []*big.Rat) []*big.Rat {
	eigen, term := Zeros(len(h)), new(big.Rat)
	for j := range eigen {
		for m, p := range Polynomials(sigma, len(h)-1, j) {
			if p.Sign() != 0 && h[m].Sign() != 0 {
				eigen[j].Add(eigen[j], term.Mul(h[m], term.SetInt(p)))
			}
		}
	}
	return eigen
}

// FromEigenvalues is the inverse: the polynomials are their own duals, up to σ^l.
func FromEigenvalues(sigma int, eigen []*big.Rat) []*big.Rat {
	h := Eigenvalues(sigma, eigen)
	kmers := new(big.Int).Exp(big.NewInt(int64(sigma)), big.NewInt(int64(len(eigen)-1)), nil)
	scale := new(big.Rat).SetFrac(big.NewInt(1), kmers)
	for _, v := range h {
		v.Mul(v, scale)
	}
	return h
}

// Polynomials returns P_0(j) … P_l(j), the coefficients of (1 − z)^j (1 + (σ−1)z)^(l−j).
func Polynomials(sigma, l, j int) []*big.Int {
	p := make([]*big.Int, l+1)
	for m := range p {
		p[m] = new(big.Int)
	}
	p[0].SetInt64(1)
	term := new(big.Int)
	for i := range l {
		factor := big.NewInt(int64(sigma - 1))
		if i < j {
			factor.SetInt64(-1)
		}
		for m := i + 1; m > 0; m-- {
			p[m].Add(p[m], term.Mul(p[m-1], factor))
		}
	}
	return p
}

// ByPositions returns a_0 … a_l with h(m) = Σ_s a_s C(l−m, s): the share in h of each choice of s positions two k-mers
// agree on. They are the differences of h at l, l − 1, …, Newton's.
func ByPositions(h []*big.Rat) []*big.Rat {
	l := len(h) - 1
	a := Zeros(l + 1)
	for s := range a {
		a[s].Set(h[l-s])
	}
	for order := 1; order <= l; order++ {
		for s := l; s >= order; s-- {
			a[s].Sub(a[s], a[s-1])
		}
	}
	return a
}
