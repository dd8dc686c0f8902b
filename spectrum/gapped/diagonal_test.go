package gapped

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// pairsByHand counts pairs of k-mers by distance: letter by letter.
func pairsByHand(e *engine, x, y string) []float64 {
	counts, l := make([]float64, len(e.h)), e.coder.length
	list := func(x string) (all []string) {
		for i := 0; i+l <= len(x); i++ {
			if mer := x[i : i+l]; !containsOther(mer) {
				all = append(all, mer)
			}
		}
		return all
	}
	for _, u := range list(x) {
		for _, v := range list(y) {
			counts[hamming(u, v)]++
			if e.rc {
				counts[hamming(u, reverseComplement(v))]++
			}
		}
	}
	return counts
}

func containsOther(mer string) bool {
	for i := range mer {
		if mer[i] != 'A' && mer[i] != 'C' && mer[i] != 'G' && mer[i] != 'T' {
			return true
		}
	}
	return false
}

// TestDiagonalsByHand compares with counts letter by letter for every length and reach, to the last bit.
func TestDiagonalsByHand(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	step := 1
	if testing.Short() {
		step = 8
	}
	for l := 32; l >= 1; l -= step {
		for _, d := range []int{0, 1, 3, 4, 7, l} {
			for _, rc := range []bool{false, true} {
				k := Kernel{L: l, K: 1, D: min(d, l), Filter: Full, Alphabet: stringkernel.DNA, rc: rc}
				e := k.engine()
				for _, letters := range []string{"ACGT", "AC", "AAAAAAAAAAAAAAAAAAAAAAACGTN"} {
					x, y := random(rng, max(0, l+rng.IntN(150)-3), letters), random(rng, rng.IntN(120), letters)
					if got, want := e.eval([]byte(x), []byte(y)), e.total(pairsByHand(e, x, y)); got != want {
						t.Fatalf("l %d d %d rc %v: k(%s, %s) = %v, by hand %v", l, d, rc, x, y, got, want)
					}
					want := e.eval([]byte(x), []byte(x))
					if got := e.selfEval(context.Background(), []byte(x)); got != want {
						t.Fatalf("l %d d %d rc %v: k(%s, itself) = %v, as of any two %v", l, d, rc, x, got, want)
					}
				}
			}
		}
	}
}

// compiled returns a compiled kernel: another builds its engine in every call.
func compiled(b *testing.B, k Kernel) Kernel {
	b.Helper()
	c, err := k.Compile()
	if err != nil {
		b.Fatal(err)
	}
	return c.(Kernel)
}

func BenchmarkSelfEval(b *testing.B) {
	rng := rand.New(rand.NewPCG(22, 1))
	for _, l := range []int{8, 11, 16, 32} {
		for _, d := range []int{3, 4, l} {
			e := Kernel{L: l, K: 7, D: d, Filter: Full, Alphabet: stringkernel.DNA, rc: true}.engine()
			x := []byte(random(rng, 300, "ACGT"))
			b.Run(fmt.Sprintf("l=%d/d=%d", l, d), func(b *testing.B) {
				b.SetBytes(int64(len(x)))
				b.ReportAllocs()
				for b.Loop() {
					e.selfEval(b.Context(), x)
				}
			})
		}
	}
}

func BenchmarkEval(b *testing.B) {
	rng := rand.New(rand.NewPCG(23, 1))
	k := compiled(b, Kernel{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA, rc: true})
	x, y := []byte(random(rng, 300, "ACGT")), []byte(random(rng, 300, "ACGT"))
	b.SetBytes(int64(len(x)))
	b.ReportAllocs()
	for b.Loop() {
		k.Eval(x, y)
	}
}

// BenchmarkNormalizedScore is what LS-GKM's scores take: a look-up per k-mer, and the query's own norm.
func BenchmarkNormalizedScore(b *testing.B) {
	c := relatives(rand.New(rand.NewPCG(24, 1)), 500, 300, "ACGT")
	coef := make([]float64, c.Len())
	for i := range coef {
		coef[i] = float64(i%7) - 3
	}
	k := Kernel{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA}.BothStrands()
	for name, kernel := range map[string]stringkernel.Kernel{"raw": k, "normalised": compose.Normalized{Kernel: k}} {
		s, err := stringkernel.Merge(b.Context(), kernel, c, coef)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(300)
			b.ReportAllocs()
			dst, i := make([]float64, 1), 0
			for b.Loop() {
				s.ScoreTo(dst, c.Seq(i%c.Len()))
				i++
			}
		})
	}
}

// BenchmarkRawScoreUnseen scores a million random letters, whose k-mers are all over the table: in one sequence and in
// sequences of 300.
func BenchmarkRawScoreUnseen(b *testing.B) {
	rng := rand.New(rand.NewPCG(24, 2))
	c := relatives(rng, 200, 300, "ACGT")
	k := Kernel{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA}.BothStrands()
	s, err := stringkernel.Merge(b.Context(), k, c, make([]float64, c.Len()))
	if err != nil {
		b.Fatal(err)
	}
	x := []byte(random(rng, 1<<20, "ACGT"))
	for _, size := range []int{len(x), 300} {
		pieces := slices.Collect(slices.Chunk(x, size))
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			dst := make([]float64, len(pieces))
			b.SetBytes(int64(len(x)))
			for b.Loop() {
				stringkernel.ScoreBatch(s, dst, pieces)
			}
		})
	}
}
