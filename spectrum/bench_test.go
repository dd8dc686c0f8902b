package spectrum

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// benchLengths are the k-mer lengths the benchmarks run at.
var benchLengths = []int{4, 6, 8, 10, 12, 16}

// benchCorpus is n sequences of 300 random bases, a tenth of them in short tests, which only run each benchmark.
func benchCorpus(b *testing.B, n int) *stringkernel.Corpus {
	if testing.Short() {
		n /= 10
	}
	r := rand.New(rand.NewPCG(11, 11))
	seqs := make([][]byte, n)
	for i := range seqs {
		seqs[i] = draw(r, "ACGT", 300, false)
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// eachBench runs a benchmark for every length, plain and bounded.
func eachBench(b *testing.B, bench func(b *testing.B, k Kernel)) {
	for _, bounded := range []bool{false, true} {
		for _, length := range benchLengths {
			k := Kernel{K: length, Bounded: bounded, Alphabet: stringkernel.DNA}
			b.Run(fmt.Sprintf("bounded=%v/k=%d", bounded, length), func(b *testing.B) {
				b.ReportAllocs()
				bench(b, k)
			})
		}
	}
}

func BenchmarkGram(b *testing.B) {
	c := benchCorpus(b, 2000)
	eachBench(b, func(b *testing.B, k Kernel) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			if _, err := k.Gram(b.Context(), c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkMulVecTo(b *testing.B) {
	c := benchCorpus(b, 2000)
	v := randomVector(rand.New(rand.NewPCG(12, 12)), c.Len())
	dst := make([]float64, c.Len())
	eachBench(b, func(b *testing.B, k Kernel) {
		g, _ := k.Gram(b.Context(), c)
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			g.MulVecTo(dst, v)
		}
	})
}

// BenchmarkMulVecToByLetters is the product on corpora of 5 and 10 million random letters: time per letter should not
// grow. Where k-mers are so long that most occur once, it does, since those cost nothing and are fewer in a larger
// corpus.
func BenchmarkMulVecToByLetters(b *testing.B) {
	for _, n := range []int{16667, 33333} {
		benchProducts(b, benchCorpus(b, n))
	}
}

// BenchmarkMulVecToGenomes is the same with pieces of 300 bases of five genomes, taken at random.
func BenchmarkMulVecToGenomes(b *testing.B) {
	pieces := genomePieces(b, 300)
	for _, n := range []int{16667, 33333} {
		c, err := stringkernel.NewCorpus(pieces[:n], nil)
		if err != nil {
			b.Fatal(err)
		}
		benchProducts(b, c)
	}
}

func benchProducts(b *testing.B, c *stringkernel.Corpus) {
	v := randomVector(rand.New(rand.NewPCG(12, 12)), c.Len())
	dst := make([]float64, c.Len())
	for _, length := range []int{6, 8, 9, 10, 11, 12} {
		b.Run(fmt.Sprintf("k=%d/letters=%d", length, c.Letters()), func(b *testing.B) {
			g, err := Kernel{K: length, Alphabet: stringkernel.DNA}.Gram(b.Context(), c)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(c.Letters()))
			b.ReportAllocs()
			for b.Loop() {
				g.MulVecTo(dst, v)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Letters()), "ns/letter")
		})
	}
}

// genomePieces cuts the genomes and genes of E. coli K-12, C. elegans, D. melanogaster, H. sapiens and S. cerevisiae
// into pieces and shuffles them.
func genomePieces(b *testing.B, length int) [][]byte {
	root := os.Getenv("SEQSVM_DATA")
	if root == "" {
		b.Skip("SEQSVM_DATA is not set: the genomes are not here")
	}
	var pieces [][]byte
	for _, name := range []string{"genome-ecoli-k12/genome", "scan-celegans-chrI-1Mb/genome",
		"scan-drosophila-chr2L-train/genes", "scan-human-genes-train/genes", "scan-yeast-chr1-2/genome"} {
		set, err := seqio.ReadFile(filepath.Join(root, name+".fa.gz"), seqio.Options{})
		if err != nil {
			b.Skip(err)
		}
		for i := range set.Len() {
			for piece := range slices.Chunk(set.Corpus.Seq(i), length) {
				if len(piece) == length {
					pieces = append(pieces, piece)
				}
			}
		}
	}
	rand.New(rand.NewPCG(14, 14)).Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	return pieces
}

// Bytes per second are letters of the corpus per row.
func BenchmarkRow(b *testing.B) {
	c := benchCorpus(b, 2000)
	dst := make([]float64, c.Len())
	eachBench(b, func(b *testing.B, k Kernel) {
		g, _ := k.Gram(b.Context(), c)
		g.Row(dst, 0)
		b.SetBytes(int64(c.Letters()))
		i := 0
		for b.Loop() {
			g.Row(dst, i)
			i = (i + 1) % c.Len()
		}
	})
}

// All entries at once, and as many rows.
func BenchmarkDense(b *testing.B) {
	c := benchCorpus(b, 2000)
	for _, length := range []int{4, 5, 6} {
		g, _ := Kernel{K: length, Alphabet: stringkernel.DNA}.Gram(b.Context(), c)
		dst, n := make([]float64, c.Len()*c.Len()), c.Len()
		report := func(b *testing.B) {
			b.ReportMetric(float64(n*n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mentries/s")
		}
		b.Run(fmt.Sprintf("k=%d/dense", length), func(b *testing.B) {
			dense := stringkernel.DenseOf(g)
			for b.Loop() {
				if err := dense.DenseTo(b.Context(), dst); err != nil {
					b.Fatal(err)
				}
			}
			report(b)
		})
		b.Run(fmt.Sprintf("k=%d/rows", length), func(b *testing.B) {
			for b.Loop() {
				for i := range n {
					g.Row(dst[i*n:(i+1)*n], i)
				}
			}
			report(b)
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	c := benchCorpus(b, 2000)
	v := randomVector(rand.New(rand.NewPCG(12, 12)), c.Len())
	eachBench(b, func(b *testing.B, k Kernel) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			if _, err := stringkernel.Merge(b.Context(), k, c, v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkScoreTo(b *testing.B) {
	c := benchCorpus(b, 2000)
	v := randomVector(rand.New(rand.NewPCG(12, 12)), c.Len())
	x := draw(rand.New(rand.NewPCG(13, 13)), "ACGT", 1<<20, false)
	dst := make([]float64, 1)
	eachBench(b, func(b *testing.B, k Kernel) {
		s, err := stringkernel.Merge(b.Context(), k, c, v)
		if err != nil {
			b.Fatal(err)
		}
		if err := stringkernel.Prepare(b.Context(), s); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(x)))
		for b.Loop() {
			s.ScoreTo(dst, x)
		}
	})
}

// Query cost against the number of support vectors, for a million unseen letters and for one sequence of 300 letters
// again and again: of the latter, what is read of the model stays in the caches, so that the time is that of the steps.
func BenchmarkScoreToBySupportVectors(b *testing.B) {
	for _, letters := range []int{1 << 20, 300} {
		x := draw(rand.New(rand.NewPCG(13, 13)), "ACGT", letters, false)
		for _, length := range []int{6, 8, 10, 12, 14} {
			for _, n := range []int{1000, 8000} {
				b.Run(fmt.Sprintf("query=%d/k=%d/sv=%d", letters, length, n), func(b *testing.B) {
					benchScore(b, length, n, x)
				})
			}
		}
	}
}

func benchScore(b *testing.B, length, supportVectors int, x []byte) {
	c := benchCorpus(b, supportVectors)
	k := Kernel{K: length, Alphabet: stringkernel.DNA}
	s, err := stringkernel.Merge(b.Context(), k, c, randomVector(rand.New(rand.NewPCG(12, 12)), c.Len()))
	if err != nil {
		b.Fatal(err)
	}
	if err := stringkernel.Prepare(b.Context(), s); err != nil {
		b.Fatal(err)
	}
	dst := make([]float64, 1)
	b.SetBytes(int64(len(x)))
	b.ReportAllocs()
	for b.Loop() {
		s.ScoreTo(dst, x)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/letter")
}

// Sequences of 300 bases one after the other, as queries come.
func BenchmarkSelfEval(b *testing.B) {
	c := benchCorpus(b, 1000)
	eachBench(b, func(b *testing.B, k Kernel) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			for i := range c.Len() {
				k.SelfEval(c.Seq(i))
			}
		}
	})
}

func BenchmarkEval(b *testing.B) {
	c := benchCorpus(b, 1000)
	eachBench(b, func(b *testing.B, k Kernel) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			for i := range c.Len() {
				k.Eval(c.Seq(i), c.Seq((i+1)%c.Len()))
			}
		}
	})
}

func BenchmarkExplainTo(b *testing.B) {
	c := benchCorpus(b, 1000)
	v := randomVector(rand.New(rand.NewPCG(12, 12)), c.Len())
	dst := make([]float64, 300)
	eachBench(b, func(b *testing.B, k Kernel) {
		s, err := stringkernel.Merge(b.Context(), k, c, v)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(300)
		for b.Loop() {
			s.(*scorer).ExplainTo(dst, 0, c.Seq(0))
		}
	})
}
