package components_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// sequences draws random DNA.
func sequences(n int, seed uint64) *stringkernel.Corpus {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b stringkernel.CorpusBuilder
	for range n {
		x := make([]byte, 30+rng.IntN(30))
		for i := range x {
			x[i] = "ACGT"[rng.IntN(2+rng.IntN(3))]
		}
		b.Add("", x)
	}
	return b.Corpus()
}

// TestProjections: the projection of a sequence is ⟨v, φ(x) − μ⟩ with explicit counts of 2-mers, and that of a training
// record its point.
func TestProjections(t *testing.T) {
	ctx, k := context.Background(), spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	train, other := sequences(40, 1), sequences(5, 2)
	g, err := k.Gram(ctx, train)
	if err != nil {
		t.Fatal(err)
	}
	c, err := components.PCA{Count: 6, Tol: 1e-12}.Fit(ctx, g)
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := stringkernel.Merge(ctx, k, train, c.Coef()...)
	if err != nil {
		t.Fatal(err)
	}
	count := func(x []byte) map[string]float64 {
		phi := map[string]float64{}
		for i := range len(x) - 1 {
			phi[string(x[i:i+2])]++
		}
		return phi
	}
	mean := map[string]float64{}
	for i := range train.Len() {
		for s, f := range count(train.Seq(i)) {
			mean[s] += f / float64(train.Len())
		}
	}
	got := make([]float64, len(c.Values))
	for i := range other.Len() {
		scorer.ScoreTo(got, other.Seq(i))
		vectors.AddScaled(got, -1, c.Rho)
		phi := count(other.Seq(i))
		for j := range got {
			want := 0.0
			for r := range train.Len() {
				for s, f := range count(train.Seq(r)) {
					want += c.Vectors[j][r] / math.Sqrt(c.Values[j]) * f * (phi[s] - mean[s])
				}
			}
			if math.Abs(got[j]-want) > 1e-9 {
				t.Errorf("sequence %d on component %d: %v, want %v", i, j, got[j], want)
			}
		}
	}
	for i, point := range c.Points() {
		scorer.ScoreTo(got, train.Seq(i))
		vectors.AddScaled(got, -1, c.Rho)
		for j := range got {
			if math.Abs(got[j]-point[j]) > 1e-8 {
				t.Errorf("record %d on component %d: %v, want %v", i, j, got[j], point[j])
			}
		}
	}
}
