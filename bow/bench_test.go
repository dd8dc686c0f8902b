package bow_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// zipfTexts draws documents of words whose frequencies follow Zipf's law, as those of a language nearly do: word r of
// 50,000 about as often as 1/r. Without the build tag long they have a tenth of the words.
func zipfTexts(n, words int) *stringkernel.Corpus {
	if !long.Tests {
		words /= 10
	}
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.05, 2, 49_999)
	var b stringkernel.CorpusBuilder
	var text strings.Builder
	for range n {
		text.Reset()
		for range words {
			rank := zipf.Uint64()
			for code := rank*7 + 31; code > 0; code /= 13 {
				text.WriteByte("etaoinsrhldcu"[code%13])
			}
			text.WriteByte(' ')
		}
		b.Add("", []byte(text.String()))
	}
	return b.Corpus()
}

func benchmarkKernels(b *testing.B, run func(b *testing.B, k bow.Kernel)) {
	for _, k := range []bow.Kernel{{TFIDF: true},
		{NGram: "1-2", TFIDF: true, Stem: bow.English, Stop: []string{bow.English}}} {
		b.Run(fmt.Sprintf("ngram=%s,stem=%s", k.NGram, k.Stem), func(b *testing.B) { run(b, k) })
	}
}

// BenchmarkScore scores new documents with one output and with eight, normalised as the tool does by default. One
// goroutine.
func BenchmarkScore(b *testing.B) {
	c := zipfTexts(4000, 150)
	train, test := make([]int, 2000), make([]int, 2000)
	for i := range train {
		train[i], test[i] = i, 2000+i
	}
	sv, queries := c.Subset(train), c.Subset(test)
	benchmarkKernels(b, func(b *testing.B, k bow.Kernel) {
		f := must.Get(stringkernel.Fit(b.Context(), compose.Normalized(k), sv))(b)
		for _, outputs := range []int{1, 8} {
			scorer := must.Get(stringkernel.Merge(b.Context(), f, sv, eightOutputs(sv.Len())[:outputs]...))(b)
			b.Run(fmt.Sprintf("outputs=%d", outputs), func(b *testing.B) {
				dst := make([]float64, outputs)
				b.SetBytes(int64(queries.Letters()))
				b.ReportAllocs()
				for b.Loop() {
					for i := range queries.Len() {
						scorer.ScoreTo(dst, queries.Seq(i))
					}
				}
			})
		}
	})
}
