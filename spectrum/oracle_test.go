package spectrum

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Letters to draw test sequences from, with some that break k-mers where the alphabet knows breaks.
var drawn = map[stringkernel.Alphabet]string{
	stringkernel.DNA:     "AACCGGTTACGTN",
	stringkernel.RNA:     "ACGUACGUAAUUa",
	stringkernel.Protein: "ACDEFGHIKLMNPQRSTVWYAALLKKX*",
	stringkernel.Bytes:   "abc\x00\xffaab",
}

// definition returns the counts #_s(x) of every k-mer s the kernel counts, by definition.
func definition(k Kernel, x []byte) map[string]int {
	counts := map[string]int{}
	letter := k.Alphabet.Codes()
	for i := range x {
		for j := i; j < len(x) && letter[x[j]] >= 0; j++ {
			if l := j - i + 1; l == k.K || k.Bounded && l < k.K {
				counts[string(x[i:j+1])]++
			}
		}
	}
	return counts
}

func inner(a, b map[string]int) float64 {
	sum := 0
	for s, n := range a {
		sum += n * b[s]
	}
	return float64(sum)
}

// draw returns a random sequence; low ones repeat a short motif so that long k-mers are shared.
func draw(r *rand.Rand, letters string, n int, low bool) []byte {
	x := make([]byte, n)
	for i := range x {
		if low && i >= 5 && r.IntN(20) > 0 {
			x[i] = x[i-5]
		} else {
			x[i] = letters[r.IntN(len(letters))]
		}
	}
	return x
}

// drawCorpus returns sequences of many kinds: empty, one letter, repeats, copies of one another.
func drawCorpus(t testing.TB, r *rand.Rand, a stringkernel.Alphabet, n, length int) *stringkernel.Corpus {
	letters := drawn[a]
	var seqs [][]byte
	for i := range n {
		switch {
		case i == 0:
			seqs = append(seqs, nil)
		case i == 1:
			seqs = append(seqs, []byte(letters[:1]))
		case i%5 == 2:
			seqs = append(seqs, draw(r, letters[:2], r.IntN(length)+1, false))
		case i%5 == 3:
			seqs = append(seqs, append(draw(r, letters, 3, false), seqs[i-1]...))
		default:
			seqs = append(seqs, draw(r, letters, r.IntN(length)+1, i%2 == 0))
		}
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// everyKernel calls test for every alphabet, both kinds and every k (in steps where there are many, longer ones in
// short tests).
func everyKernel(t *testing.T, test func(t *testing.T, k Kernel)) {
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA, stringkernel.Protein,
		stringkernel.Bytes} {
		for length := 1; length <= kmer.MaxK(a); length++ {
			if length > 14 && length%4 != 0 && length < 31 || testing.Short() && length > 3 && length%8 != 0 {
				continue
			}
			for _, bounded := range []bool{false, true} {
				k := Kernel{K: length, Bounded: bounded, Alphabet: a}
				t.Run(fmt.Sprintf("%s/k=%d/bounded=%v", a, length, bounded), func(t *testing.T) { test(t, k) })
			}
		}
	}
}

// depths returns the choices of regime to force: how long the k-mers in arrays are, none above 2^most entries.
func depths(k Kernel, most int) []int {
	bits := k.Alphabet.Bits()
	if !k.Bounded {
		if bits*k.K <= most {
			return []int{0, k.K}
		}
		return []int{0}
	}
	var all []int
	for d := 0; d <= k.K && bits*d <= most; d++ {
		all = append(all, d)
	}
	return all
}

func near(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-11*(1+scale) }

func randomVector(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		if r.IntN(4) > 0 {
			v[i] = r.NormFloat64()
		}
	}
	return v
}

func absSum(v, row []float64) float64 {
	sum := 0.0
	for i := range v {
		sum += math.Abs(v[i] * row[i])
	}
	return sum
}
