package gather_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/gather"
)

func TestSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	table := make([]float64, 100)
	for i := range table {
		table[i] = rng.NormFloat64()
	}
	for n := range 20 {
		narrow, wide, want := make([]uint16, n), make([]uint32, n), 0.0
		for i := range n {
			p := rng.IntN(len(table))
			narrow[i], wide[i] = uint16(p), uint32(p)
			want += table[p]
		}
		a, b := gather.Sum(table, narrow), gather.Sum(table, wide)
		if math.Abs(a-want) > 1e-12 || a != b {
			t.Errorf("%d places: %v by uint16, %v by uint32, want %v", n, a, b, want)
		}
	}
}
