package baseline_test

import (
	"context"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify/baseline"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum/markov"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestLikelihoodByHand: letters alone, with pseudocount 1.
func TestLikelihoodByHand(t *testing.T) {
	d := must.Get(dataset.New(baseline.CorpusOf(t, "AAC", "AGA", "TT", "CAT"), []string{"a", "a", "b", "a"}, nil))(t)
	m := baseline.Likelihood{Learn: []func(context.Context, *stringkernel.Corpus) (baseline.Density, error){
		baseline.LearnerOf(markov.Kernel{Pseudo: 1})}}
	got := must.Get(m.Predict(t.Context(), d, []int{0, 1, 2}, []int{3}))(t)
	// of a: A 4, C 1, G 1 of 6 letters, so 5/10, 2/10 and, of T, 1/10; of b: T 2 of 2, so 3/6 and 1/6
	a, b := 2.0/3*5/10*2/10*1/10, 1.0/3*1/6*1/6*3/6
	if want := math.Log(b / a); len(got) != 1 || got[0].Class != 0 || math.Abs(got[0].Scores[0]-want) > 1e-12 {
		t.Errorf("predicted %+v, want class 0 by the log odds %v", got, want)
	}
	if _, err := m.Predict(t.Context(), d, []int{0, 1}, []int{3}); err == nil {
		t.Error("no error for a class without records")
	}
}
