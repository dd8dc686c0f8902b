package kerneltest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// misuse demands errors, which every Merge owes its callers.
func (s *suite) misuse(t testing.TB) {
	c := s.corpus(3)
	f := s.fitted(t, c)
	for what, coef := range map[string]*stringkernel.Coefficients{
		"Merge without coefficients":              nil,
		"Merge of no outputs":                     stringkernel.NewCoefficients(3, nil),
		"Merge of 2 coefficients for 3 sequences": stringkernel.NewCoefficients(2, [][]float64{{1, 1}}),
		"Merge of 4 coefficients for 3 sequences": stringkernel.NewCoefficients(4, [][]float64{{1, 1, 1, 1}}),
	} {
		if _, err := f.kernel.Merge(t.Context(), c, coef); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// unchanged checks that sequences and coefficients are only read.
func (s *suite) unchanged(t testing.TB) {
	c := s.corpus(8)
	var before [][]byte
	for i := range c.Len() {
		before = append(before, bytes.Clone(c.Seq(i)))
	}
	v := s.vector(8)
	saved, coef := slices.Clone(v), stringkernel.NewCoefficients(8, [][]float64{v})
	f := s.fitted(t, c)
	dst := make([]float64, 8)
	g := f.gram(t, c)
	g.MulVecTo(dst, v)
	g.Row(dst, 0)
	scorer, err := f.kernel.Merge(t.Context(), c, coef)
	if err != nil {
		t.Fatalf("Merge: %v", err)
	}
	for i := range c.Len() {
		scorer.ScoreTo(dst[:1], c.Seq(i))
		if e := stringkernel.ExplainerOf(scorer); e != nil {
			e.ExplainTo(make([]float64, len(c.Seq(i))), 0, c.Seq(i))
		}
		f.kernel.Eval(c.Seq(i), c.Seq(0))
	}
	for i := range c.Len() {
		if !bytes.Equal(before[i], c.Seq(i)) {
			t.Fatalf("sequence %d has changed", i)
		}
	}
	if !slices.Equal(v, saved) {
		t.Fatal("the vector of a product has changed")
	}
	if !reflect.DeepEqual(coef, stringkernel.NewCoefficients(8, [][]float64{saved})) {
		t.Fatal("the coefficients have changed")
	}
}

// concurrency repeats products, values, scores and contributions from several goroutines: all must give the bits of the
// first call.
func (s *suite) concurrency(t testing.TB) {
	c := s.corpus(12)
	f := s.fitted(t, c)
	g := f.gram(t, c)
	v := s.vector(12)
	scorer := f.merge(t, c, v)
	explainer, lister := stringkernel.ExplainerOf(scorer), stringkernel.FeatureListerOf(scorer)
	run := func() [][]float64 {
		product, row, scores := make([]float64, 12), make([]float64, 12), make([]float64, 12)
		g.MulVecTo(product, v)
		g.Row(row, 3)
		out := [][]float64{product, row, scores}
		for i := range scores {
			scorer.ScoreTo(scores[i:i+1], c.Seq(i))
			if explainer != nil {
				parts := make([]float64, len(c.Seq(i)))
				explainer.ExplainTo(parts, 0, c.Seq(i))
				out = append(out, parts)
			}
			if lister != nil {
				out = append(out, contributions(lister.FeaturesOf([]float64{1}, c.Seq(i), stringkernel.AllFeatures)))
			}
		}
		return append(out, []float64{f.kernel.Eval(c.Seq(0), c.Seq(3))})
	}
	want := run()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range rounds(5) {
				if got := run(); !reflect.DeepEqual(got, want) {
					t.Errorf("a repeated call gave other bits: %v, first %v", got, want)
					return
				}
			}
		})
	}
	wait.Wait()
}

// json checks that a kernel's parameters survive a model file. Wrappers, whose JSON the catalogue writes, are skipped.
func (s *suite) json(t testing.TB) {
	kind := reflect.TypeOf(s.parameters)
	if kind.Kind() == reflect.Struct {
		for i := range kind.NumField() {
			if f := kind.Field(i); f.IsExported() && f.Tag.Get("json") == "" {
				t.Skipf("field %s has no json tag: a wrapper", f.Name)
			}
		}
	}
	text := must.Get(json.Marshal(s.parameters))(t)
	back := reflect.New(kind)
	if err := json.Unmarshal(text, back.Interface()); err != nil {
		t.Fatalf("json: %s: %v", text, err)
	}
	if !reflect.DeepEqual(back.Elem().Interface(), s.parameters) {
		t.Fatalf("JSON %s reads back as %+v, was %+v", text, back.Elem().Interface(), s.parameters)
	}
}

func contributions(features []stringkernel.Feature) (list []float64) {
	for _, f := range features {
		list = append(list, f.Contribution)
	}
	return list
}
