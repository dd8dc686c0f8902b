package gapped

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestSelfEvalLong compares pairs of distinct k-mers by distance, counted either way, with pairs met one by one.
func TestSelfEvalLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(59, 1))
	for _, k := range []Kernel{
		{L: 6, K: 4, D: 2, Filter: Plain},
		{L: 7, K: 4, D: 3, Filter: Truncated},
		{L: 6, K: 4, D: 2, Filter: Plain, rc: true},
		{L: 5, K: 3, D: 2, Filter: Wildcard, Lambda: 0.3, rc: true},
	} {
		k.Alphabet = stringkernel.DNA
		e := k.engine()
		for _, x := range []string{"", "ACG", strings.Repeat("A", 500), strings.Repeat("AACGT", 100),
			random(rng, 700, "ACGT"), random(rng, 300, "ACGTN")} {
			list, want := e.distinct([]byte(x)), make([]uint64, e.reach+1)
			var w kmers
			w.list(e, []byte(x))
			all := slices.Concat(w.codes, w.opposite)
			for _, u := range all {
				for _, v := range all {
					if m := e.coder.distance(u, v); m <= e.reach {
						want[m]++
					}
				}
			}
			if got := e.pairsOfDistinct(t.Context(), list); !slices.Equal(got, want) {
				t.Errorf("%+v: pairs by distance are %d, want %d", k, got, want)
			}
			if got := e.pairsByMasks(t.Context(), list); !slices.Equal(got, want) {
				t.Errorf("%+v: pairs by distance are %d by masks, want %d", k, got, want)
			}
		}
		for _, unit := range []string{"A", "ACGTTGCATTGACGACTG", random(rng, 20_000, "ACGT")} {
			x := []byte(strings.Repeat(unit, 20_000/len(unit)))
			if got, want := e.selfEval(t.Context(), x), e.selfEvalDiagonals(t.Context(), x); got != want {
				t.Errorf("%+v: k(x, x) is %v, along diagonals %v", k, got, want)
			}
		}
	}
}

// BenchmarkSelfEvalLong has the three ways to count the pairs of a long sequence.
func BenchmarkSelfEvalLong(b *testing.B) {
	rng := rand.New(rand.NewPCG(59, 2))
	e := Kernel{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA}.engine()
	for _, n := range []int{1 << 14, 1 << 16} {
		x := []byte(random(rng, n, "ACGT"))
		list := e.distinct(x)
		for name, count := range map[string]func(){
			"diagonals": func() { e.selfEvalDiagonals(b.Context(), x) },
			"distinct":  func() { e.pairsOfDistinct(b.Context(), list) },
			"masks":     func() { e.pairsByMasks(b.Context(), list) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					count()
				}
			})
		}
	}
}
