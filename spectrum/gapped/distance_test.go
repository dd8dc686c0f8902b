package gapped

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/spectrum/hadamard"
	"github.com/seqsvm/seqsvm/spectrum/internal/krawtchouk"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// binomial returns C(n, k) by Pascal's rule.
func binomial(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	if k == 0 {
		return 1
	}
	return binomial(n-1, k-1) + binomial(n-1, k)
}

// TestEigenvaluesByDefinition applies the matrix of h over all k-mers to a product of characters of some of the
// letters: an eigenvector.
func TestEigenvaluesByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	for l := 1; l <= 5; l++ {
		h := krawtchouk.Zeros(l + 1)
		for m := range h {
			h[m].SetFrac64(rng.Int64N(200)-100, 1+rng.Int64N(9))
		}
		exact := krawtchouk.Eigenvalues(4, h)
		kmers := allKmers(l, "ACGT")
		for j, lambda := range exact {
			sum := new(big.Rat) // at the first k-mer, where the vector is 1
			for _, w := range kmers {
				sign := 1
				for _, letter := range w[:j] {
					if letter == 'C' || letter == 'G' { // the character +1 on A and T, −1 on C and G
						sign = -sign
					}
				}
				sum.Add(sum, new(big.Rat).Mul(h[hamming(kmers[0], w)], big.NewRat(int64(sign), 1)))
			}
			if sum.Cmp(lambda) != 0 {
				t.Errorf("l %d: eigenvalue %d is %v, by definition %v", l, j, lambda, sum)
			}
		}
		for m, back := range krawtchouk.FromEigenvalues(4, exact) {
			if back.Cmp(h[m]) != 0 {
				t.Errorf("l %d: h(%d) = %v comes back as %v", l, m, h[m], back)
			}
		}
	}
}

// TestEigenvaluesOfHadamard compares with the eigenvalues the convolution is given elsewhere.
func TestEigenvaluesOfHadamard(t *testing.T) {
	for _, sigma := range []int{4, 20, 256} {
		h := Plain.distanceFunction(sigma, 8, 5, 2)
		want := hadamard.Eigenvalues(sigma, 8, krawtchouk.Floats(h))
		for j, got := range krawtchouk.Floats(krawtchouk.Eigenvalues(sigma, h)) {
			if math.Abs(got-want[j]) > 1e-15*math.Abs(want[j]) {
				t.Errorf("σ %d: eigenvalue %d is %v, by hadamard %v", sigma, j, got, want[j])
			}
		}
	}
}

// TestClippedByDefinition compares a clipped filter, by distance, with the matrix over all k-mers whose negative
// eigenvalues are set to 0.
func TestClippedByDefinition(t *testing.T) {
	for _, c := range []struct {
		kernel   Kernel
		negative bool
	}{
		{Kernel{L: 4, K: 3, D: 1, Filter: Truncated, Alphabet: stringkernel.DNA}, true},
		{Kernel{L: 4, K: 2, D: 2, Filter: Truncated, Alphabet: stringkernel.DNA}, true},
		{Kernel{L: 3, K: 1, D: 1, Filter: Full, Alphabet: stringkernel.DNA}, true},
		{Kernel{L: 2, K: 1, D: 1, Filter: Truncated, Alphabet: stringkernel.Protein}, true},
		{Kernel{L: 4, K: 2, D: 2, Filter: Plain, Alphabet: stringkernel.DNA}, false},
	} {
		k := c.kernel
		kmers, h := allKmers(k.L, k.Alphabet.Letters()), k.engine().h
		matrix := mat.NewSymDense(len(kmers), nil)
		for u := range kmers {
			for v := range u + 1 {
				matrix.SetSym(u, v, h[hamming(kmers[u], kmers[v])])
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(matrix, true) {
			t.Fatal("no eigenvalues")
		}
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		values := eigen.Values(nil)
		if greatest := values[len(values)-1]; (values[0] < -1e-9*greatest) != c.negative {
			t.Errorf("%+v: least eigenvalue %v of greatest %v, want a negative one: %v", k, values[0], greatest, c.negative)
		}
		k.Clip = true
		clipped := k.engine().h
		for v := range kmers {
			want, distance := 0.0, hamming(kmers[0], kmers[v])
			for i, value := range values {
				want += max(0, value) * vectors.At(0, i) * vectors.At(v, i)
			}
			if got := clipped[distance]; math.Abs(got-want) > 1e-12*values[len(values)-1] {
				t.Fatalf("%+v: %v at distance %d, want %v", k, got, distance, want)
			}
		}
	}
}
