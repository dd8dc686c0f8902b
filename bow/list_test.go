package bow_test

import (
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestTopFeaturesByDefinition compares weights with Σ_i coef_i·φ(x_i), where φ is linear in tf: the factor g comes once
// with φ and once with the weight.
func TestTopFeaturesByDefinition(t *testing.T) {
	texts := []string{
		"free prize money free call",
		"the meeting is on monday",
		"call me on monday the prize",
		"money is free on monday",
	}
	coef := []float64{1.5, -1, -0.25, 0.5}
	var seqs [][]byte
	for _, text := range texts {
		seqs = append(seqs, []byte(text))
	}
	c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	for _, k := range []bow.Kernel{{}, {NGram: "1-2"}, {NGram: "1-3", Skip: 1}, {NGram: "2", TFIDF: true},
		{TFIDF: true, MinDF: 2}} {
		fitted := must.Get(k.Fit(t.Context(), c))(t)
		s := must.Get(stringkernel.Merge(t.Context(), fitted, c, coef))(t)
		counting := k
		counting.TFIDF = false
		want, plain := map[string]float64{}, oracle(counting, texts, len(texts))
		for i, values := range oracle(k, texts, len(texts)) {
			for gram, value := range values {
				want[gram] += coef[i] * value * value / plain[i][gram]
			}
		}
		for _, f := range stringkernel.FeatureListerOf(s).TopFeatures([]float64{1}, stringkernel.AllFeatures) {
			if math.Abs(f.Weight-want[f.Text]) > 1e-12 {
				t.Errorf("%+v: %q has weight %v, by definition %v", k, f.Text, f.Weight, want[f.Text])
			}
			delete(want, f.Text)
		}
		for gram, weight := range want {
			if math.Abs(weight) > 1e-12 {
				t.Errorf("%+v: %q of weight %v is not listed", k, gram, weight)
			}
		}
	}
}

// TestNamesOfEntries are those of the dictionary, folded.
func TestNamesOfEntries(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus([][]byte{[]byte("Prize money! prizes call"), []byte("A meeting, meet")}, nil))(t)
	k := bow.Kernel{Dict: []string{"prize Money", "priz*", "meet", "meet*"}}
	fitted := must.Get(k.Fit(t.Context(), c))(t)
	s := must.Get(stringkernel.Merge(t.Context(), fitted, c, []float64{1, -1}))(t)
	var got []string
	for _, f := range stringkernel.FeatureListerOf(s).TopFeatures([]float64{1}, stringkernel.AllFeatures) {
		got = append(got, f.Text)
	}
	slices.Sort(got)
	if want := []string{"meet", "meet*", "priz*", "prize money"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLettersOfWords(t *testing.T) {
	var got []string
	bow.Kernel{NGram: "2-3", Letters: true}.Enumerator().EachFeature([]byte("É, ab"),
		func(name string, _ float64) { got = append(got, name) })
	want := []string{" é", "é ", " a", "ab", "b ", " é ", " ab", "ab "}
	if !slices.Equal(got, want) {
		t.Errorf("letters are %q, want %q", got, want)
	}
}
