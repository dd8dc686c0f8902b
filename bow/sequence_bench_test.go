package bow

import (
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// sequenceBenchmarks are word sequences, characters and their sum with a bag of words.
func sequenceBenchmarks(b *testing.B, run func(b *testing.B, k stringkernel.Kernel)) {
	decay := substring.Kernel{Weight: substring.Decay, Lambda: 0.8}
	words, stems, runes := Sequence{
		Kernel: decay,
	}, Sequence{
		Kernel: decay,
		Stem:   English,
		Stop:   []string{English},
	}, Sequence{
		Kernel: decay,
	}
	words.Unit, stems.Unit, runes.Unit = Word, Word, substring.RuneUnit
	tfidf := words
	tfidf.Weight = substring.TFIDF
	bag := Kernel{NGram: "1-2", TFIDF: true}
	for _, c := range []struct {
		name   string
		kernel stringkernel.Kernel
	}{
		{"word,decay", compose.Normalized{Kernel: words}},
		{"word,decay,stem", compose.Normalized{Kernel: stems}},
		{"word,tfidf", compose.Normalized{Kernel: tfidf}},
		{"rune,decay", compose.Normalized{Kernel: runes}},
		{"byte,decay", compose.Normalized{Kernel: Sequence{Kernel: decay}}},
		{"bag+word,decay", compose.Mean{Terms: []stringkernel.Kernel{compose.Normalized{Kernel: bag},
			compose.Normalized{Kernel: words}}}},
	} {
		b.Run(c.name, func(b *testing.B) { run(b, c.kernel) })
	}
}

// BenchmarkSequenceGram indexes 2,000 documents of 150 words, norms and, for tfidf, document frequencies included.
func BenchmarkSequenceGram(b *testing.B) {
	c := zipfTexts(2000, 150)
	sequenceBenchmarks(b, func(b *testing.B, k stringkernel.Kernel) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			if _, err := k.Gram(b.Context(), c); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSequenceProduct multiplies one vector. One goroutine.
func BenchmarkSequenceProduct(b *testing.B) {
	c := zipfTexts(2000, 150)
	sequenceBenchmarks(b, func(b *testing.B, k stringkernel.Kernel) {
		g, err := k.Gram(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		dst, v := make([]float64, c.Len()), eightOutputs(c.Len())[0]
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			g.MulVecTo(dst, v)
		}
	})
}

// BenchmarkSequenceScore scores new documents with eight outputs, norms included. One goroutine.
func BenchmarkSequenceScore(b *testing.B) {
	sv, queries := zipfTexts(4000, 150), zipfTexts(5000, 150)
	last := make([]int, 1000)
	for i := range last {
		last[i] = 4000 + i // the first 4,000 are those of sv
	}
	queries = queries.Subset(last)
	sequenceBenchmarks(b, func(b *testing.B, k stringkernel.Kernel) {
		f, err := stringkernel.Fit(b.Context(), k, sv)
		if err != nil {
			b.Fatal(err)
		}
		scorer, err := stringkernel.Merge(b.Context(), f, sv, eightOutputs(sv.Len())...)
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]float64, 8)
		b.SetBytes(int64(queries.Letters()))
		for b.Loop() {
			for i := range queries.Len() {
				scorer.ScoreTo(dst, queries.Seq(i))
			}
		}
	})
}
