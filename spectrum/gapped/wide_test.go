package gapped

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// TestWideByDefinition compares values of k-mers that do not fit 64 bits, and some that do, with the number of gapped
// k-mers that pairs share: k of the positions on which they agree.
func TestWideByDefinition(t *testing.T) {
	const residues = "ACDEFGHIKLMNPQRSTVWY"
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		letters, a := "LLVX", stringkernel.Protein
		if rng.IntN(3) == 0 {
			letters, a = "ab\xff", stringkernel.Bytes
		}
		draw := func() string {
			var b strings.Builder
			for range rng.IntN(60) {
				b.WriteByte(letters[rng.IntN(len(letters))])
				if letter := letters[rng.IntN(3)]; letter != 'X' { // longer runs
					b.WriteByte(letter)
				}
			}
			return b.String()
		}
		x, y := draw(), draw()
		k := Kernel{L: 7 + rng.IntN(14), Filter: Plain, Alphabet: a}
		k.K = 1 + rng.IntN(k.L)
		k.D = k.L - k.K
		want := 0.0
		for i := 0; i+k.L <= len(x); i++ {
			for j := 0; j+k.L <= len(y); j++ {
				u, v := x[i:i+k.L], y[j:j+k.L]
				if a == stringkernel.Bytes || strings.Trim(u+v, residues) == "" {
					want += binomial(k.L-hamming(u, v), k.K)
				}
			}
		}
		if k.Check() != nil {
			continue // too many choices of positions for codes
		}
		if got := k.Eval([]byte(x), []byte(y)); math.Abs(got-want) > 1e-9*want {
			t.Fatalf("%+v: k(%s, %s) = %v, by definition %v", k, x, y, got, want)
		}
	}
}

func BenchmarkWide(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([]byte, 160), make([]byte, 160)
	for i := range x {
		x[i], y[i] = "ACDEFGHIKLMNPQRSTVWY"[rng.IntN(20)], "ACDEFGHIKLMNPQRSTVWY"[rng.IntN(20)]
	}
	k, err := Kernel{L: 15, K: 6, D: 9, Filter: Plain, Alphabet: stringkernel.Protein}.Compile()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		k.Eval(x, y)
	}
}

func TestWideConforms(t *testing.T) {
	for _, k := range []Kernel{
		{L: 15, K: 6, D: 9, Filter: Plain, Alphabet: stringkernel.Protein},
		{L: 13, K: 8, D: 5, Filter: Truncated, Center: "10:4", Alphabet: stringkernel.Protein},
		{L: 9, K: 3, D: 6, Filter: Wildcard, Lambda: 0.5},
	} {
		breaks := "X"
		if k.Alphabet == "" {
			breaks = ""
		}
		kerneltest.Run(t, k, kerneltest.Options{Letters: "LAV", Breaks: breaks})
	}
}
