package hadamard

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestEigenvectors applies the matrix, by definition, to a product of vectors (1, −1, 0 …) in j digits and constants
// elsewhere.
func TestEigenvectors(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, s := range []struct{ sigma, length int }{{2, 8}, {3, 5}, {4, 4}, {5, 3}, {20, 2}} {
		words, _ := Size(s.sigma, s.length)
		h := randomIntegers(r, s.length+1, 50)
		eigen := Eigenvalues(s.sigma, s.length, h)
		for j := 0; j <= s.length; j++ {
			x := make([]float64, words)
			for code := range x {
				x[code] = 1
				for i, rest := 0, code; i < j; i, rest = i+1, rest/s.sigma {
					x[code] *= []float64{1, -1, 0}[min(rest%s.sigma, 2)]
				}
			}
			want := make([]float64, words)
			for i := range want {
				want[i] = eigen[j] * x[i]
			}
			checkSame(t, byDefinition(x, s.sigma, s.length, h), want)
		}
	}
}

// TestEigenvaluesOfGappedWords uses the closed form for all k-subsets of positions: h(m) = C(l−m, k) counts the subsets
// on which two words agree, each contributes 4^(l−k) on the coordinates that are constant outside it, so λ_j = C(l−j,
// k−j) 4^(l−k).
func TestEigenvaluesOfGappedWords(t *testing.T) {
	for _, length := range []int{1, 2, 3, 5, 8, 13, 21, 30, 40} {
		for k := 1; k <= length; k++ {
			h := make([]float64, length+1)
			for m := range h {
				h[m] = binomial(length-m, k)
			}
			for j, got := range Eigenvalues(4, length, h) {
				want := 0.0
				if j <= k {
					want = math.Ldexp(binomial(length-j, k-j), 2*(length-k))
				}
				if got != want {
					t.Fatalf("length %d, k %d: λ_%d = %v, want %v", length, k, j, got, want)
				}
			}
		}
	}
}

func binomial(n, k int) float64 {
	v, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(k))).Float64()
	return v
}

func TestEigenvaluesBeyond(t *testing.T) {
	if v := Eigenvalues(4, 1, []float64{math.Inf(1), 1}); !math.IsInf(v[0], 1) || !math.IsInf(v[1], 1) {
		t.Errorf("infinite h(0): %v", v)
	}
	if v := Eigenvalues(4, 1, []float64{1, math.Inf(1)}); !math.IsInf(v[0], 1) || !math.IsInf(v[1], -1) {
		t.Errorf("infinite h(1): %v", v)
	}
	if v := Eigenvalues(4, 1, []float64{1, math.NaN()}); !math.IsNaN(v[0]) || !math.IsNaN(v[1]) {
		t.Errorf("h(1) not a number: %v", v)
	}
	if v := Eigenvalues(4, 2, []float64{0, 0, math.MaxFloat64}); !math.IsInf(v[0], 1) {
		t.Errorf("λ_0 = 9·MaxFloat64: %v", v)
	}
}
