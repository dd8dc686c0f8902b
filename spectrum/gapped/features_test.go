package gapped

import (
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestTopFeaturesAreScoresOfWords compares every k-mer listed with its score alone, and with both strands sees to it
// that none is listed twice.
func TestTopFeaturesAreScoresOfWords(t *testing.T) {
	corpus, err := stringkernel.NewCorpus(
		[][]byte{[]byte("ACGTTGCANACCGGTAAC"), []byte("TTGACCAGTACGATCA"), []byte("GGGACCTTAGCAT")},
		nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []stringkernel.Kernel{
		Kernel{L: 4, K: 2, D: 2, Filter: Truncated, Alphabet: stringkernel.DNA},
		Kernel{L: 4, K: 3, D: 1, Filter: Plain, Alphabet: stringkernel.DNA}.BothStrands(),
		Mismatch{K: 3, M: 1, Alphabet: stringkernel.Protein},
		Kernel{L: 14, K: 12, D: 2, Filter: Plain, Alphabet: stringkernel.DNA},
		Kernel{L: 14, K: 12, D: 2, Filter: Plain, Alphabet: stringkernel.DNA}.BothStrands(),
	} {
		s, err := stringkernel.Merge(t.Context(), k, corpus, []float64{1, -2, 0.5}, []float64{0, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		mix, scores, seen := []float64{1, 3}, make([]float64, 2), map[string]bool{}
		list := stringkernel.FeatureListerOf(s).TopFeatures(mix, 50)
		if len(list) == 0 {
			t.Fatalf("%+v: no features", k)
		}
		for _, f := range list {
			s.ScoreTo(scores, []byte(f.Text))
			if want := stringkernel.Mix(mix, scores); math.Abs(f.Weight-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%+v: %s has weight %v, alone it scores %v", k, f.Text, f.Weight, want)
			}
			if seen[f.Text] {
				t.Errorf("%+v: %s is listed twice", k, f.Text)
			}
			seen[f.Text] = true
			if stringkernel.TraitsOf(k).MinLength != len(f.Text) {
				t.Errorf("%+v: %s has another length", k, f.Text)
			}
		}
		for mer := range seen {
			other := string(stringkernel.DNA.ReverseComplementTo(nil, []byte(mer)))
			if e, ok := k.(Kernel); ok && e.rc && other != mer && seen[other] {
				t.Errorf("%s and %s are both listed", mer, other)
			}
		}
	}
}
