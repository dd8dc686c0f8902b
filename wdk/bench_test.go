package wdk_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

// randomWindows draws n windows of random bases, or with similar > 0 windows that share that part of their letters with
// one of them.
func randomWindows(n, length int, similar float64) *stringkernel.Corpus {
	r := rand.New(rand.NewPCG(uint64(n), uint64(length)))
	var b stringkernel.CorpusBuilder
	first := make([]byte, length)
	for i := range n {
		x := make([]byte, length)
		for p := range x {
			x[p] = "ACGT"[r.IntN(4)]
			if i > 0 && r.Float64() < similar {
				x[p] = first[p]
			}
		}
		if i == 0 {
			copy(first, x)
		}
		b.Add(fmt.Sprint(i), x)
	}
	return b.Corpus()
}

// BenchmarkRow reports the time of a kernel value; one processor with -cpu 1.
func BenchmarkRow(b *testing.B) {
	for _, c := range []struct {
		length  int
		similar float64
		k       wdk.Kernel
	}{
		{60, 0, wdk.Kernel{D: 20}}, {82, 0, wdk.Kernel{D: 20}}, {141, 0, wdk.Kernel{D: 20}}, {141, 0.8, wdk.Kernel{D: 20}},
		{251, 0, wdk.Kernel{D: 20}}, {280, 0, wdk.Kernel{D: 20}},
		{141, 0, wdk.Kernel{D: 20, Shift: 5}}, {141, 0, wdk.Kernel{D: 20, Shift: 5, Ramp: 0.5, Anchor: 70}},
	} {
		c.k.Alphabet = stringkernel.DNA
		b.Run(
			fmt.Sprintf("length=%d/similar=%v/shift=%d/ramp=%v", c.length, c.similar, c.k.Shift, c.k.Ramp),
			func(b *testing.B) {
				const n = 10_000
				g := must.Get(c.k.Gram(b.Context(), randomWindows(n, c.length, c.similar)))(b)
				dst := make([]float64, n)
				for i := range b.N {
					g.Row(dst, i%n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/value")
			},
		)
	}
}

// BenchmarkProduct reports the time of a product per letter, of building its index, and the memory that takes.
func BenchmarkProduct(b *testing.B) {
	for _, c := range []struct{ n, shift int }{{300, 0}, {20_000, 0}, {80_000, 0}, {20_000, 2}} {
		b.Run(fmt.Sprintf("n=%d/shift=%d", c.n, c.shift), func(b *testing.B) {
			corpus := randomWindows(c.n, 141, 0)
			k := wdk.Kernel{D: 20, Shift: c.shift, Alphabet: stringkernel.DNA}
			letters := float64(corpus.Letters())
			before, start := heaptest.InUse(), time.Now()
			o, err := k.Gram(b.Context(), corpus)
			if err == nil {
				err = stringkernel.Prepare(b.Context(), o)
			}
			if err != nil {
				b.Fatal(err)
			}
			build := time.Since(start)
			bytes := heaptest.InUse() - before
			v, dst := make([]float64, c.n), make([]float64, c.n)
			for i := range v {
				v[i] = float64(i%7) - 3
			}
			b.ResetTimer()
			for range b.N {
				o.MulVecTo(dst, v)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/letters, "ns/letter")
			b.ReportMetric(float64(build.Nanoseconds())/letters, "build-ns/letter")
			b.ReportMetric(bytes/letters, "bytes/letter")
		})
	}
}
