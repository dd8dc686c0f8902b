package hadamard

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// BenchmarkConvolve measures whole convolutions in place, on one processor and on two.
func BenchmarkConvolve(b *testing.B) {
	for _, size := range []struct{ sigma, length int }{{4, 6}, {4, 8}, {4, 9}, {4, 10}, {4, 11}, {4, 12}, {20, 4},
		{20, 5}, {5, 9}} {
		words := must.Get(Size(size.sigma, size.length))(b)
		x := randomTable(rand.New(rand.NewPCG(1, 2)), words)
		// a convolution that keeps the sizes of the values, so that it can be repeated
		eigen := make([]float64, size.length+1)
		for j := range eigen {
			eigen[j] = float64(1 - j%2*2)
		}
		for _, procs := range []int{1, 2} {
			b.Run(fmt.Sprintf("sigma=%d/length=%d/procs=%d", size.sigma, size.length, procs), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				b.SetBytes(int64(8 * words))
				b.ReportAllocs()
				for b.Loop() {
					Convolve(context.Background(), x, size.sigma, size.length, eigen)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ms/op")
			})
		}
	}
}

// randomTable is words numbers between −1 and 1.
func randomTable(r *rand.Rand, words int) []float64 {
	x := make([]float64, words)
	for i := range x {
		x[i] = 2*r.Float64() - 1
	}
	return x
}
