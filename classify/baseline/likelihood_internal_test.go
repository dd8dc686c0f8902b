package baseline

import (
	"context"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum/markov"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func learnerOf(k markov.Kernel) func(ctx context.Context, c *stringkernel.Corpus) (Density, error) {
	k.Alphabet = stringkernel.DNA
	return func(ctx context.Context, c *stringkernel.Corpus) (Density, error) { return k.Learn(ctx, c) }
}

// TestLikelihoodChooses: records that differ in pairs of letters alone need a chain of order 1.
func TestLikelihoodChooses(t *testing.T) {
	var texts, labels []string
	for range 10 {
		texts, labels = append(texts, "ACACACAC", "AACCAACC"), append(labels, "a", "b")
	}
	d := must.Get(dataset.New(corpusOf(t, texts...), labels, nil))(t)
	m := Likelihood{Learn: []func(context.Context, *stringkernel.Corpus) (Density, error){
		learnerOf(markov.Kernel{Pseudo: 1}), learnerOf(markov.Kernel{Order: 1, Pseudo: 1})}}
	all := make([]int, len(texts))
	for i := range all {
		all[i] = i
	}
	if way, err := m.choose(t.Context(), d, all); way != 1 || err != nil {
		t.Errorf("chose %d (%v), want 1", way, err)
	}
	got := must.Get(m.Predict(t.Context(), d, all, all))(t)
	for i, p := range got {
		if p.Class != d.Y[i] {
			t.Errorf("record %d is of class %d, want %d", i, p.Class, d.Y[i])
		}
	}
	if share := logShare([]float64{1, 2, 3}, 1); math.Abs(share-math.Log(math.E/(1+math.E+math.E*math.E))) > 1e-15 {
		t.Errorf("ln share = %v", share)
	}
}
