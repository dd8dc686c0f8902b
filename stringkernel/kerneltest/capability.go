package kerneltest

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"gonum.org/v1/gonum/floats"
)

// fitting checks that a fitted kernel can be made again from its reference, as a model file does, or depends on no
// corpus any more, and that Fit leaves its receiver alone.
func (s *suite) fitting(t testing.TB) {
	if !stringkernel.DependsOnCorpus(s.kernel) {
		t.Skip("the kernel does not depend on a corpus")
	}
	c, queries := s.corpus(7), s.corpus(5)
	before := matrix(s.kernel, queries)
	f := s.fitted(t, c)
	if after := matrix(s.kernel, queries); !reflect.DeepEqual(before, after) {
		t.Fatal("Fit has changed its receiver")
	}
	reference := stringkernel.Reference(f.kernel)
	if !stringkernel.DependsOnCorpus(f.kernel) {
		reference = c
	}
	if reference == nil {
		t.Fatal("the fitted kernel has no Reference")
	}
	if reference.Len() != c.Len() {
		t.Fatalf("the Reference has %d sequences, the corpus fitted to %d", reference.Len(), c.Len())
	}
	for i := range c.Len() {
		if !bytes.Equal(reference.Seq(i), c.Seq(i)) {
			t.Fatalf("sequence %d of the Reference is %q, of the corpus fitted to %q", i, reference.Seq(i), c.Seq(i))
		}
	}
	want, got := matrix(f.kernel, queries), matrix(s.fitted(t, reference).kernel, queries)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("fitted to its Reference the kernel has the values %v, before %v", got, want)
	}
}

func matrix(k stringkernel.Kernel, c *stringkernel.Corpus) (values []float64) {
	for i := range c.Len() {
		for j := range c.Len() {
			values = append(values, k.Eval(c.Seq(i), c.Seq(j)))
		}
	}
	return values
}

// explanation checks that contributions sum to the score.
func (s *suite) explanation(t testing.TB) {
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	coef := s.coefficients(sv.Len())
	scorer := f.merge(t, sv, coef...)
	explainer := stringkernel.ExplainerOf(scorer)
	if explainer == nil {
		t.Skip("the scorer has no Explainer")
	}
	scores, norms := make([]float64, s.Outputs), f.norms(sv)
	for n := range rounds(20) {
		x := s.sequence()
		if n == 0 && s.Length == 0 {
			x = nil
		}
		scorer.ScoreTo(scores, x)
		for m, want := range scores[:2] {
			parts := spoiled(len(x))
			explainer.ExplainTo(parts, m, x)
			if sum := floats.Sum(parts); !s.near(sum, want, size(coef[m], norms)*f.norm(x)) {
				t.Fatalf("contributions of %q to score %d sum to %v, score %v", x, m, sum, want)
			}
		}
	}
}

// batches checks that sequences scored together have the same bits as each alone.
func (s *suite) batches(t testing.TB) {
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	scorer := f.merge(t, sv, s.coefficients(sv.Len())...)
	if stringkernel.TraitsOf(scorer).ScoreBatchTo == nil {
		t.Skip("the scorer scores one by one")
	}
	x := make([][]byte, 20)
	for i := range x {
		x[i] = s.sequence()
	}
	o := s.Outputs
	together, alone := spoiled(o*len(x)), spoiled(o)
	stringkernel.ScoreBatch(scorer, together, x)
	for i := range x {
		scorer.ScoreTo(alone, x[i])
		if got := together[o*i : o*i+o]; !reflect.DeepEqual(got, alone) {
			t.Fatalf("scores of %q together with others %v, alone %v", x[i], got, alone)
		}
	}
}

// storedForm returns a scorer, its arrays and the kernel that restores them; it skips the test without any.
func (s *suite) storedForm(t testing.TB) (stringkernel.Scorer, []stringkernel.Array, stringkernel.Restorer) {
	t.Helper()
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	scorer := f.merge(t, sv, s.coefficients(sv.Len())...)
	restorer := stringkernel.RestorerOf(f.kernel)
	if restorer == nil {
		t.Skip("the kernel has no Restorer")
	}
	arrays := restorer.Arrays(scorer)
	if arrays == nil {
		t.Skip("this scorer has no stored form")
	}
	return scorer, arrays, restorer
}

// restored returns the scorer of a table from its stored form.
func (s *suite) restored(t testing.TB, scorer stringkernel.Scorer) stringkernel.Scorer {
	t.Helper()
	restorer := stringkernel.RestorerOf(s.kernel)
	if restorer == nil || restorer.Arrays(scorer) == nil {
		t.Fatal("the scorer of a table cannot be stored")
	}
	return must.Get(restorer.Restore(restorer.Arrays(scorer)))(t)
}

// stored restores a scorer and demands the same bits.
func (s *suite) stored(t testing.TB) {
	scorer, arrays, restorer := s.storedForm(t)
	names := map[string]bool{}
	for _, a := range arrays {
		switch a.Data.(type) {
		case []uint8, []int32, []uint64, []float64:
		default:
			t.Fatalf("array %q is a %T, want []uint8, []int32, []uint64 or []float64", a.Name, a.Data)
		}
		if a.Name == "" || names[a.Name] {
			t.Fatalf("array name %q is empty or a duplicate", a.Name)
		}
		names[a.Name] = true
	}
	restored, err := restorer.Restore(arrays)
	if err != nil {
		t.Fatalf("Restore: %v", err)
	}
	s.sameScores(t, restored, scorer)
	if fitter := stringkernel.FitterOf(s.kernel); fitter != nil && fitter.SelfContained() {
		unfitted, err := stringkernel.RestorerOf(s.kernel).Restore(arrays)
		if err != nil {
			t.Fatalf("Restore by the kernel before it was fitted: %v", err)
		}
		s.sameScores(t, unfitted, scorer)
	}
	if !reflect.DeepEqual(restorer.Arrays(restored), arrays) {
		t.Fatal("the arrays of the restored scorer differ from those it was restored from")
	}
}

// sameScores demands the same bits of every score and contribution.
func (s *suite) sameScores(t testing.TB, restored, scorer stringkernel.Scorer) {
	t.Helper()
	want, got := spoiled(scorer.Outputs()), spoiled(scorer.Outputs())
	for range rounds(20) {
		x := s.sequence()
		scorer.ScoreTo(want, x)
		restored.ScoreTo(got, x)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("restored scores %v of %q, before %v", got, x, want)
		}
		explainer := stringkernel.ExplainerOf(scorer)
		if explainer == nil {
			continue
		}
		before, after := spoiled(len(x)), spoiled(len(x))
		explainer.ExplainTo(before, len(want)-1, x)
		stringkernel.ExplainerOf(restored).ExplainTo(after, len(want)-1, x)
		if !reflect.DeepEqual(after, before) {
			t.Fatalf("restored contributions %v of %q, before %v", after, x, before)
		}
	}
}

// damaged restores arrays with one thing wrong: an error, or a scorer that does not panic, whatever it is asked.
func (s *suite) damaged(t testing.TB) {
	_, arrays, restorer := s.storedForm(t)
	try := func(arrays []stringkernel.Array, format string, of ...any) {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: panic: %v", fmt.Sprintf(format, of...), p)
			}
		}()
		scorer, err := restorer.Restore(arrays)
		if err != nil {
			return
		}
		if scorer.Outputs() < 1 {
			t.Errorf("%s: a scorer of %d outputs, want an error", fmt.Sprintf(format, of...), scorer.Outputs())
			return
		}
		for range min(2, rounds(5)) {
			useAll(scorer, s.sequence(), s.Length)
		}
	}
	try(nil, "no arrays")
	for _, i := range s.places(len(arrays)) {
		a := arrays[i]
		try(slices.Concat(arrays[:i], arrays[i+1:]), "array %q dropped", a.Name)
		try(slices.Concat(arrays, arrays[i:i+1]), "array %q twice", a.Name)
		for _, data := range damage(a.Data) {
			changed := append([]stringkernel.Array(nil), arrays...)
			changed[i].Data = data
			try(changed, "array %q = %v", a.Name, data)
		}
	}
}

// useAll asks a scorer for everything that it has to say about a sequence. Windows have the given length unless it is
// 0. The answers are meaningless if the arrays were damaged.
func useAll(scorer stringkernel.Scorer, x []byte, length int) {
	last := scorer.Outputs() - 1
	scorer.ScoreTo(make([]float64, last+1), x)
	if e := stringkernel.ExplainerOf(scorer); e != nil {
		e.ExplainTo(make([]float64, len(x)), last, x)
	}
	if l := stringkernel.FeatureListerOf(scorer); l != nil {
		mix := make([]float64, last+1)
		mix[last] = 1
		l.TopFeatures(mix, 3)
		l.FeaturesOf(mix, x, 3)
	}
	if window := max(1, length, len(x)/2); window <= len(x) {
		stringkernel.Track(make([]float64, len(x)-window+1), scorer, last, x, window)
	}
	stringkernel.ScoreBatch(scorer, make([]float64, 2*(last+1)), [][]byte{x, x})
	if own := stringkernel.TraitsOf(scorer).SelfScoreTo; own != nil {
		own(make([]float64, last+1), x)
	}
	compose.Raw(scorer).ScoreTo(make([]float64, last+1), x)
}

// damage returns arrays that differ from data: shorter, of another type, or with an extreme value first or last.
func damage(data any) []any {
	out := []any{nil, []uint8{1}, []int32{}, []uint64{1, 2, 3}, []float64{}}
	switch v := data.(type) {
	case []uint8:
		return append(out, altered(v, 0, math.MaxUint8)...)
	case []int32:
		return append(out, altered(v, 0, 1, -1, math.MaxInt32, math.MinInt32)...)
	case []uint64:
		return append(out, altered(v, 0, 1<<32, math.MaxUint64)...)
	case []float64:
		return append(out, altered(v, math.NaN(), math.Inf(1), math.MaxFloat64)...)
	}
	return out
}

// altered returns v without its last element, and with its first or last replaced by each of some values.
func altered[T any](v []T, values ...T) []any {
	if len(v) == 0 {
		return []any{values}
	}
	out := []any{v[:len(v)-1]}
	for _, at := range []int{0, len(v) - 1} {
		for _, value := range values {
			w := append([]T(nil), v...)
			w[at] = value
			out = append(out, w)
		}
	}
	return out
}
