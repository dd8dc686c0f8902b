package compose_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// randomCorpus is n sequences of 0 to length random bases, every seventh a repeat of one before it.
func randomCorpus(t testing.TB, n, length int) *stringkernel.Corpus {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, uint64(n)))
	seqs := make([][]byte, n)
	for i := range seqs {
		if i%7 == 6 {
			seqs[i] = seqs[rng.IntN(i)]
			continue
		}
		seqs[i] = make([]byte, rng.IntN(length+1))
		for j := range seqs[i] {
			seqs[i][j] = "ACGT"[rng.IntN(4)]
		}
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func randomVectors(m, n int) [][]float64 {
	rng := rand.New(rand.NewPCG(5, uint64(m)))
	out := make([][]float64, m)
	for i := range out {
		out[i] = make([]float64, n)
		for j := range out[i] {
			if rng.IntN(4) > 0 {
				out[i][j] = rng.NormFloat64()
			}
		}
	}
	return out
}

func mustGram(t testing.TB, k stringkernel.Kernel, c *stringkernel.Corpus) stringkernel.Gram {
	t.Helper()
	g, err := k.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// checkBlock compares blocks of every size up to nine with products one by one, bit by bit.
func checkBlock(t *testing.T, name string, g stringkernel.Gram) {
	t.Helper()
	for m := range 10 {
		v, got, want := randomVectors(m, g.Len()), randomVectors(m, g.Len()), make([]float64, g.Len())
		stringkernel.MulBlock(g, got, v)
		for i := range v {
			g.MulVecTo(want, v[i])
			for j := range want {
				if math.Float64bits(got[i][j]) != math.Float64bits(want[j]) {
					t.Fatalf("%s, block of %d: entry %d of product %d is %v, alone %v",
						name, m, j, i, got[i][j], want[j])
				}
			}
		}
	}
}

func TestBlocksHaveTheBitsOfSingleProducts(t *testing.T) {
	// Short words make fans of leaves, long ones pairs; 70,000 sequences make fans of two ranges of documents. Wrappers
	// compile, and package spectrum counts compiled strings of up to 32 letters.
	long := randomCorpus(t, 60, 80)
	many := randomCorpus(t, 70_000, 4)
	for _, k := range []substring.Kernel{
		{Weight: substring.Constant}, {Weight: substring.Fixed, K: 33}, {Weight: substring.Bounded, K: 33},
		{Weight: substring.Decay, Lambda: 0.7}, {Weight: substring.TFIDF},
	} {
		k.Alphabet = stringkernel.DNA
		checkBlock(t, string(k.Weight), mustGram(t, k, long))
		for name, kernel := range wrap(k) {
			g := mustGram(t, kernel, long)
			if stringkernel.BlockMulOf(g) == nil {
				t.Errorf("%s of %s: no block products", name, k.Weight)
			}
			checkBlock(t, name+" of "+string(k.Weight), g)
		}
	}
	two := substring.Kernel{Weight: substring.Fixed, K: 2, Alphabet: stringkernel.DNA}
	checkBlock(t, "many", mustGram(t, two, many))
	for name, kernel := range wrap(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}) {
		g := mustGram(t, kernel, long)
		if stringkernel.BlockMulOf(g) != nil {
			t.Errorf("%s of a spectrum kernel claims block products", name)
		}
		checkBlock(t, name, g)
	}
}

// TestBlocksAreConcurrent is for -race.
func TestBlocksAreConcurrent(t *testing.T) {
	inner := substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.DNA}
	g := mustGram(t, compose.Normalized{Kernel: inner}, randomCorpus(t, 40, 60))
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { checkBlock(t, "concurrent", g) })
	}
	wait.Wait()
}

// BenchmarkMulBlock compares m products one by one with a block of them. Bytes are letters times vectors.
func BenchmarkMulBlock(b *testing.B) {
	sizes := []int{4000, 40000}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		c := randomCorpus(b, n, 300)
		for _, k := range []substring.Kernel{
			{Weight: substring.Constant}, {Weight: substring.Fixed, K: 6}, {Weight: substring.Bounded, K: 10},
		} {
			k.Alphabet = stringkernel.DNA
			g := mustGram(b, k, c)
			for _, m := range []int{3, 4, 8} {
				v, dst := randomVectors(m, n), randomVectors(m, n)
				name := fmt.Sprintf("%s/n=%d/vectors=%d", k.Weight, n, m)
				b.Run(name+"/alone", func(b *testing.B) {
					b.SetBytes(int64(m * c.Letters()))
					b.ReportAllocs()
					for b.Loop() {
						for i := range v {
							g.MulVecTo(dst[i], v[i])
						}
					}
				})
				b.Run(name+"/block", func(b *testing.B) {
					b.SetBytes(int64(m * c.Letters()))
					b.ReportAllocs()
					for b.Loop() {
						stringkernel.MulBlock(g, dst, v)
					}
				})
			}
		}
	}
}
