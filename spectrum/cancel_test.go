package spectrum

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// What products need is made under a context, and again after it has ended.
func TestPreparingEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 31))
	c := partsCorpus(rng, 1<<16)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	g, err := Kernel{K: 6, Alphabet: stringkernel.DNA}.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	v := randomVector(rng, c.Len())
	want, got := make([]float64, c.Len()), make([]float64, c.Len())
	g.MulVecTo(want, v)
	g.(*gram).parts[0].(*flatPart).byFeature = true
	if err := stringkernel.Prepare(ended, g); !errors.Is(err, context.Canceled) {
		t.Errorf("postings are made after the end of a context: %v", err)
	}
	if err := stringkernel.Prepare(t.Context(), g); err != nil {
		t.Error(err)
	}
	g.MulVecTo(got, v)
	for j := range got {
		if d := got[j] - want[j]; d > 1e-9 || d < -1e-9 {
			t.Fatalf("(K·v)[%d] is %v, by documents %v", j, got[j], want[j])
		}
	}
	s, err := stringkernel.Merge(t.Context(), Kernel{K: 16, Alphabet: stringkernel.DNA}, c, v)
	if err != nil {
		t.Fatal(err)
	}
	if err := stringkernel.Prepare(ended, s); !errors.Is(err, context.Canceled) {
		t.Errorf("look-ups are made after the end of a context: %v", err)
	}
	s.ScoreTo(got[:1], c.Seq(0))
}
