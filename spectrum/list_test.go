package spectrum

import (
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestTopFeaturesByDefinition compares the weight of every k-mer with the sum of coefficients over its occurrences.
func TestTopFeaturesByDefinition(t *testing.T) {
	everyKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(7, uint64(k.K)))
		letters := map[stringkernel.Alphabet]string{stringkernel.DNA: "ACGT", stringkernel.RNA: "ACGU",
			stringkernel.Protein: "ACWY", stringkernel.Bytes: "a\x00\xff\n"}[k.Alphabet]
		var seqs [][]byte
		for range 6 {
			seqs = append(seqs, draw(r, letters, 40, true))
		}
		c, err := stringkernel.NewCorpus(seqs, nil)
		if err != nil {
			t.Fatal(err)
		}
		coef := [][]float64{randomVector(r, 6), randomVector(r, 6)}
		s, err := stringkernel.Merge(t.Context(), k, c, coef...)
		if err != nil {
			t.Fatal(err)
		}
		codes, want := k.Alphabet.Codes(), map[string]float64{}
		shortest := k.K
		if k.Bounded {
			shortest = 1
		}
		for i, x := range seqs {
			for lo := range x {
				for hi := lo + 1; hi <= len(x) && hi-lo <= k.K && codes[x[hi-1]] >= 0; hi++ {
					if hi-lo >= shortest {
						want[string(x[lo:hi])] += 2*coef[0][i] - coef[1][i]
					}
				}
			}
		}
		for _, f := range stringkernel.FeatureListerOf(s).TopFeatures([]float64{2, -1}, stringkernel.AllFeatures) {
			if !near(f.Weight, want[f.Text], 10) {
				t.Fatalf("%q: weight %v, by definition %v", f.Text, f.Weight, want[f.Text])
			}
			delete(want, f.Text)
		}
		for mer, weight := range want {
			if !near(weight, 0, 10) {
				t.Fatalf("%q of weight %v is not listed", mer, weight)
			}
		}
	})
}
