package baseline

import (
	"context"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/spectrum/markov"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func learnerOf(k markov.Kernel) func(ctx context.Context, c *stringkernel.Corpus) (Density, error) {
	k.Alphabet = stringkernel.DNA
	return func(ctx context.Context, c *stringkernel.Corpus) (Density, error) { return k.Learn(ctx, c) }
}

// TestLikelihoodByHand: letters alone, with pseudocount 1.
func TestLikelihoodByHand(t *testing.T) {
	d, err := classify.NewDataset(corpusOf(t, "AAC", "AGA", "TT", "CAT"), []string{"a", "a", "b", "a"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := Likelihood{Learn: []func(context.Context, *stringkernel.Corpus) (Density, error){
		learnerOf(markov.Kernel{Pseudo: 1})}}
	got, err := m.Predict(t.Context(), d, []int{0, 1, 2}, []int{3})
	if err != nil {
		t.Fatal(err)
	}
	// of a: A 4, C 1, G 1 of 6 letters, so 5/10, 2/10 and, of T, 1/10; of b: T 2 of 2, so 3/6 and 1/6
	a, b := 2.0/3*5/10*2/10*1/10, 1.0/3*1/6*1/6*3/6
	if want := math.Log(b / a); len(got) != 1 || got[0].Class != 0 || math.Abs(got[0].Scores[0]-want) > 1e-12 {
		t.Errorf("predicted %+v, want class 0 by the log odds %v", got, want)
	}
	if _, err := m.Predict(t.Context(), d, []int{0, 1}, []int{3}); err == nil {
		t.Error("no error for a class without records")
	}
}

// TestLikelihoodChooses: records that differ in pairs of letters alone need a chain of order 1.
func TestLikelihoodChooses(t *testing.T) {
	var texts, labels []string
	for range 10 {
		texts, labels = append(texts, "ACACACAC", "AACCAACC"), append(labels, "a", "b")
	}
	d, err := classify.NewDataset(corpusOf(t, texts...), labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := Likelihood{Learn: []func(context.Context, *stringkernel.Corpus) (Density, error){
		learnerOf(markov.Kernel{Pseudo: 1}), learnerOf(markov.Kernel{Order: 1, Pseudo: 1})}}
	all := make([]int, len(texts))
	for i := range all {
		all[i] = i
	}
	if way, err := m.choose(t.Context(), d, all); way != 1 || err != nil {
		t.Errorf("chose %d (%v), want 1", way, err)
	}
	got, err := m.Predict(t.Context(), d, all, all)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range got {
		if p.Class != d.Y[i] {
			t.Errorf("record %d is of class %d, want %d", i, p.Class, d.Y[i])
		}
	}
	if share := logShare([]float64{1, 2, 3}, 1); math.Abs(share-math.Log(math.E/(1+math.E+math.E*math.E))) > 1e-15 {
		t.Errorf("ln share = %v", share)
	}
}
