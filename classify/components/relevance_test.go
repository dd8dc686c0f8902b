package components_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/internal/must"
)

// basis returns orthonormal vectors whose entries sum to 0, by Gram and Schmidt.
func basis(rng *rand.Rand, n, count int) (list [][]float64) {
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1 / math.Sqrt(float64(n))
	}
	all := [][]float64{ones}
	for len(all) <= count {
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		for range 2 {
			for _, u := range all {
				dot := 0.0
				for i := range v {
					dot += u[i] * v[i]
				}
				for i := range v {
					v[i] -= dot * u[i]
				}
			}
		}
		norm := 0.0
		for _, x := range v {
			norm += x * x
		}
		for i := range v {
			v[i] /= math.Sqrt(norm)
		}
		all = append(all, v)
	}
	return all[1:]
}

// TestRelevantDimension: labels that are sums of the first components and noise have that dimension and noise.
func TestRelevantDimension(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	const n, count = 300, 40
	right, off := 0, 0.0
	for range 50 {
		found := &components.Components{Vectors: basis(rng, n, count)}
		dimension, noise := 1+rng.IntN(12), 0.1+0.4*rng.Float64()
		labels := make([][]float64, 2)
		for l := range labels {
			y := make([]float64, n)
			for j := range dimension {
				for i := range y {
					y[i] += found.Vectors[j][i] * math.Sqrt(float64(n)*(1-noise)/float64(dimension))
				}
			}
			for i := range y {
				y[i] += 7 + math.Sqrt(noise)*rng.NormFloat64()
			}
			labels[l] = y
		}
		r := must.Get(found.Relevance(labels))(t)
		if r.Dimension == dimension {
			right++
		}
		off += math.Abs(r.Noise-noise) / 50
	}
	if right < 45 || off > 0.03 {
		t.Errorf("%d of 50 dimensions, noise off by %.3f", right, off)
	}
}
