package components_test

import (
	"context"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestNewComponents: the scores of a model of components are the projections of the training records, and a class is
// explained by its own machine.
func TestNewComponents(t *testing.T) {
	var b stringkernel.CorpusBuilder
	for _, x := range []string{"ACGTAC", "AACCGG", "GGGTTA", "ACACAC", "TTTTAC", "CAGCAG", "GATTACA"} {
		b.Add("", []byte(x))
	}
	ctx, k, corpus := context.Background(), spectrum.Kernel{Alphabet: stringkernel.DNA, K: 2}, b.Corpus()
	g := must.Get(k.Gram(ctx, corpus))(t)
	found := must.Get(components.PCA{Count: 3}.Fit(ctx, g))(t)
	m := components.NewModel(k, corpus, found)
	if err := m.Check(); err != nil || m.Labelling() != dataset.NoLabels {
		t.Fatal(m.Labelling(), err)
	}
	for _, machine := range m.Machines {
		if !(machine.Dual <= machine.Primal) || machine.Gap > 1e-6 {
			t.Errorf("certificate %v", machine)
		}
	}
	classifier := must.Get(m.Classifier(ctx))(t)
	predictions := must.Get(classifier.Predict(ctx, corpus))(t)
	points := found.Points()
	for i, p := range predictions {
		for j, score := range p.Scores {
			if math.Abs(score-points[i][j]) > 1e-7 {
				t.Errorf("record %d on component %d: %v, want %v", i, j, score, points[i][j])
			}
		}
	}
	if terms, bias := m.Terms(1); len(terms) != 1 || terms[0] != (decide.Term{Machine: 1, Sign: 1}) || bias != -m.Machines[1].Rho {
		t.Errorf("component 2 is %v, %v", terms, bias)
	}
	if err := (&decide.Rule{Scheme: decide.ComponentsScheme}).Check(); err == nil {
		t.Error("a rule without components passes")
	}
}
