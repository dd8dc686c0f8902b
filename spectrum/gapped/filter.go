package gapped

import (
	"fmt"
	"math/big"

	"github.com/seqsvm/seqsvm/spectrum/internal/krawtchouk"
)

// Filter names the features of an l-mer.
type Filter string

// The filters. With P the projection on functions of at most k letters of an l-mer at a time, each gives h(m), the
// product of the features of two l-mers at Hamming distance m, before it is cut at D.
const (
	Plain Filter = "gapped" // counts of gapped k-mers: h(m) = C(l−m, k)
	// l-mer counts estimated from gapped k-mers, x ↦ Px (Ghandi et al. 2014): eigenvalues 1 up to k letters, 0 beyond
	Full Filter = "full"
	// the same with the filter of P cut before its first value that is not positive: h = g ∗ g
	Truncated Filter = "truncated"
	// counts of k-mers with at most l − k wildcards, each weighing λ (Leslie & Kuang 2004): h(m) = Σ_{s ≥ k} λ^{2(l−s)}
	// C(l−m, s)
	Wildcard Filter = "wildcard"
)

// check returns an error unless the filter is one of the constants.
func (f Filter) check() error {
	switch f {
	case Plain, Full, Truncated, Wildcard:
		return nil
	default:
		return fmt.Errorf("filter = %q, want gapped, full, truncated or wildcard", string(f))
	}
}

// distanceFunction returns h(0) … h(l) on an alphabet of sigma letters, 0 beyond distance d.
func (f Filter) distanceFunction(sigma, l, k, d int) []*big.Rat {
	var h []*big.Rat
	switch f {
	case Plain:
		h = krawtchouk.Zeros(l + 1)
		for m := range h {
			h[m].SetInt(new(big.Int).Binomial(int64(l-m), int64(k)))
		}
	case Full:
		h = projection(sigma, l, k)
	case Truncated:
		g := projection(sigma, l, k)
		cut := false
		for m := range g {
			if cut = cut || g[m].Sign() <= 0; cut {
				g[m].SetInt64(0)
			}
		}
		h = square(sigma, g)
	}
	for m := d + 1; m <= l; m++ {
		h[m].SetInt64(0)
	}
	return h
}

// wildcardFunction returns h(0) … h(l) of the wildcard filter, 0 beyond distance d: a sum of plain filters, for s
// letters that are no wildcards.
func wildcardFunction(l, k, d int, lambda float64) []*big.Rat {
	square := new(big.Rat).SetFloat64(lambda)
	square.Mul(square, square)
	weight, h := big.NewRat(1, 1), krawtchouk.Zeros(l+1)
	for s := l; s >= k; s-- {
		for m, plain := range Plain.distanceFunction(0, l, s, d) {
			h[m].Add(h[m], plain.Mul(plain, weight))
		}
		weight.Mul(weight, square)
	}
	return h
}

// mismatchFunction returns the number of k-mers of length k within m mismatches of both of two k-mers at a given
// distance (Leslie et al. 2004): the overlap of two balls.
func mismatchFunction(sigma, k, m int) []*big.Rat {
	ball := krawtchouk.Zeros(k + 1)
	for i := range min(m, k) + 1 {
		ball[i].SetInt64(1)
	}
	return square(sigma, ball)
}

// projection returns the function of distance whose eigenvalues are 1 for at most k letters and 0 beyond.
func projection(sigma, l, k int) []*big.Rat {
	eigen := krawtchouk.Zeros(l + 1)
	for j := range min(k, l) + 1 {
		eigen[j].SetInt64(1)
	}
	return krawtchouk.FromEigenvalues(sigma, eigen)
}

// square returns g ∗ g: functions of distance multiply by their eigenvalues.
func square(sigma int, g []*big.Rat) []*big.Rat {
	squared := krawtchouk.Eigenvalues(sigma, g)
	for _, v := range squared {
		v.Mul(v, v)
	}
	return krawtchouk.FromEigenvalues(sigma, squared)
}
