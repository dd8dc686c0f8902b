package spectrum_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// BenchmarkKernel measures what is done with 2,000 records of 300 bases, a tenth of them without the build tag long,
// and with one of 2¹⁵.
func BenchmarkKernel(b *testing.B) {
	r := rand.New(rand.NewPCG(11, 11))
	n := 2000
	if !long.Tests {
		n /= 10
	}
	var records stringkernel.CorpusBuilder
	for range n {
		records.Add("", random(r, "ACGT", 300))
	}
	c, x, v := records.Corpus(), random(r, "ACGT", 1<<15), vector(r, n)
	dst, tracks := make([]float64, n), make([]float64, len(x)-199)
	for _, k := range []spectrum.Kernel{
		{K: 4}, {K: 6}, {K: 8}, {K: 10}, {K: 12}, {K: 16}, {K: 6, Bounded: true}, {K: 8, Bounded: true},
		{K: 12, Bounded: true}, {K: 8, Count: stringkernel.CountPresence},
		{K: 8, Bounded: true, Count: stringkernel.CountPresence}, {K: 5, Bounded: true, Alphabet: stringkernel.Protein},
	} {
		if k.Alphabet == "" {
			k.Alphabet = stringkernel.DNA
		}
		g := must.Get(k.Gram(b.Context(), c))(b)
		s := merge(b, k, c, v)
		for _, of := range []struct {
			what    string
			letters int
			run     func()
		}{
			{"Gram", c.Letters(), func() { k.Gram(b.Context(), c) }},
			{"MulVecTo", c.Letters(), func() { g.MulVecTo(dst, v) }},
			{"Row", c.Letters(), func() { g.Row(dst, n/2) }},
			{"Merge", c.Letters(), func() { stringkernel.Merge(b.Context(), k, c, v) }},
			{"ScoreTo", len(x), func() { s.ScoreTo(dst[:1], x) }},
			{"ExplainTo", len(x), func() { stringkernel.ExplainerOf(s).ExplainTo(make([]float64, len(x)), 0, x) }},
			{"TrackTo", len(x), func() { stringkernel.Track(tracks, s, 0, x, 200) }},
			{"TrackSelfTo", len(x), func() { compose.TrackSelf(tracks, k, x, 200) }},
			{"SelfEval", len(x), func() { k.SelfEval(x) }},
			{"Eval", len(x), func() { k.Eval(x, c.Seq(0)) }},
		} {
			b.Run(fmt.Sprintf("%s/k=%d/bounded=%v/%s/%s", k.Alphabet, k.K, k.Bounded, k.Count, of.what), func(b *testing.B) {
				b.SetBytes(int64(of.letters))
				b.ReportAllocs()
				for b.Loop() {
					of.run()
				}
			})
		}
	}
}
