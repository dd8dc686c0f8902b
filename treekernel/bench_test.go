package treekernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/treekernel"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// linear are the kernels whose scores cost the same for any number of support vectors.
var linear = []stringkernel.Kernel{
	treekernel.Subtree{Lambda: 0.8},
	treekernel.Tag{Weight: substring.Decay, Lambda: 0.7},
	treekernel.SST{Lambda: 0.4, Size: 3, Leaves: true},
	treekernel.PTK{Lambda: 1, Mu: 0.4, Terminal: 1, Size: 3},
}

// grammarTrees draws n trees of 29 nodes on average whose shapes and labels depend on the label above, as those of a
// language do.
func grammarTrees(n int, seed uint64) *stringkernel.Corpus {
	r := rand.New(rand.NewPCG(seed, 1))
	words := rand.NewZipf(r, 1.3, 4, 4999)
	var b stringkernel.CorpusBuilder
	for range n {
		var w bracket.Writer
		grammarTree(r, words, &w, 0, 0)
		b.Add("", w.Bytes())
	}
	return b.Corpus()
}

func grammarTree(r *rand.Rand, words *rand.Zipf, w *bracket.Writer, symbol, depth int) {
	w.OpenString(fmt.Sprintf("N%d", symbol))
	if depth > 1 && (depth > 4 || r.IntN(2) == 0) {
		w.OpenString(fmt.Sprintf("w%d", words.Uint64()))
		w.Close()
	} else {
		for range 1 + r.IntN(3) {
			grammarTree(r, words, w, (symbol*3+1+r.IntN(4))%20, depth+1)
		}
	}
	w.Close()
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1 - float64(i%3)
	}
	return v
}

// BenchmarkScore scores 500 trees that no support vector is, normalised, against 1,000 and 8,000 support vectors.
func BenchmarkScore(b *testing.B) {
	queries := grammarTrees(500, 2)
	for _, k := range linear {
		for _, n := range []int{1000, 8000} {
			b.Run(fmt.Sprintf("%T/sv=%d", k, n), func(b *testing.B) {
				scorer := must.Get(stringkernel.Merge(b.Context(), compose.Normalized(k), grammarTrees(n, 1), ones(n)))(b)
				dst := make([]float64, 1)
				for b.Loop() {
					for i := range queries.Len() {
						scorer.ScoreTo(dst, queries.Seq(i))
					}
				}
				b.ReportMetric(float64(b.N*queries.Len())/b.Elapsed().Seconds(), "trees/s")
			})
		}
	}
}

// BenchmarkGram indexes 2,000 trees.
func BenchmarkGram(b *testing.B) {
	c := grammarTrees(2000, 1)
	for _, k := range linear {
		b.Run(fmt.Sprintf("%T", k), func(b *testing.B) {
			for b.Loop() {
				must.Get(k.Gram(b.Context(), c))(b)
			}
			b.ReportMetric(float64(b.N*c.Len())/b.Elapsed().Seconds(), "trees/s")
		})
	}
}

// BenchmarkPairs computes values of the kernels without features, entries of a matrix of 2,000 trees.
func BenchmarkPairs(b *testing.B) {
	c := grammarTrees(2000, 1)
	for _, k := range []stringkernel.Kernel{treekernel.SST{Lambda: 0.4},
		treekernel.PTK{Lambda: 0.4, Mu: 0.4, Terminal: 1}} {
		b.Run(fmt.Sprintf("%T", k), func(b *testing.B) {
			row := make([]float64, c.Len())
			for b.Loop() {
				g := must.Get(k.Gram(b.Context(), c))(b)
				for i := range c.Len() {
					g.Row(row, i)
				}
			}
			b.ReportMetric(float64(b.N*c.Len()*c.Len())/b.Elapsed().Seconds(), "values/s")
		})
	}
}
