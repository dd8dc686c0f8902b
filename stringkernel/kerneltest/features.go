package kerneltest

import (
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// listed checks that the contributions of all features of a sequence sum to its score, and that shorter lists are the
// heads of longer ones.
func (s *suite) listed(t testing.TB) {
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	f.enumeration(t, sv)
	coef := s.coefficients(sv.Len())
	scorer := f.merge(t, sv, coef...)
	lister := stringkernel.FeatureListerOf(scorer)
	if lister == nil {
		t.Skip("the scorer has no FeatureLister")
	}
	scores, norms, mix := make([]float64, s.Outputs), f.norms(sv), make([]float64, s.Outputs)
	mix[0], mix[1] = 1, -0.5
	many := lister.TopFeatures(mix, 50)
	checkHead(t, many, lister.TopFeatures(mix, 2), signedHead(many, 2))
	for n := range rounds(20) {
		x := s.sequence()
		if n == 0 && s.Length == 0 {
			x = nil
		}
		scorer.ScoreTo(scores, x)
		list, sum := lister.FeaturesOf(mix, x, stringkernel.AllFeatures), 0.0
		for _, one := range list {
			sum += one.Contribution
			if one.Count < 1 || one.Text == "" {
				t.Fatalf("feature %+v of %q, want a text and a count", one, x)
			}
		}
		size := size(coef[0], norms) + size(coef[1], norms)
		if want := stringkernel.Mix(mix, scores); !s.near(sum, want, size*f.norm(x)) {
			t.Fatalf("contributions of the features of %q sum to %v, score %v", x, sum, want)
		}
		if !slices.IsSortedFunc(list, func(a, b stringkernel.Feature) int {
			return int(math.Copysign(1, math.Abs(b.Contribution)-math.Abs(a.Contribution)))
		}) {
			t.Fatalf("features of %q are not in order of absolute contributions: %+v", x, list)
		}
		checkHead(t, list, lister.FeaturesOf(mix, x, 3), list[:min(3, len(list))])
	}
}

// signedHead returns the first n features of either sign.
func signedHead(all []stringkernel.Feature, n int) (head []stringkernel.Feature) {
	for _, positive := range []bool{true, false} {
		count := 0
		for _, f := range all {
			if (f.Weight > 0) == positive && count < n {
				head = append(head, f)
				count++
			}
		}
	}
	return head
}

// checkHead compares values: features of equal ones may come in another order.
func checkHead(t testing.TB, all, got, want []stringkernel.Feature) {
	t.Helper()
	same := func(a, b stringkernel.Feature) bool { return a.Weight == b.Weight && a.Contribution == b.Contribution }
	if !slices.EqualFunc(got, want, same) {
		t.Fatalf("%+v, want the head of %+v", got, all)
	}
}

// enumeration checks that values of features listed by name multiply to kernel values.
func (s *suite) enumeration(t testing.TB, c *stringkernel.Corpus) {
	features := stringkernel.EnumeratorOf(s.kernel)
	if features == nil {
		return
	}
	for i := range min(c.Len(), rounds(20)) {
		x, y := c.Seq(i), c.Seq((i+1)%c.Len())
		values, sum := map[string]float64{}, 0.0
		features.EachFeature(x, func(name string, value float64) {
			if _, twice := values[name]; twice {
				t.Fatalf("feature %q of %q comes twice", name, x)
			}
			values[name] = value
		})
		features.EachFeature(y, func(name string, value float64) { sum += values[name] * value })
		if want := s.kernel.Eval(x, y); !s.near(sum, want, s.norm(x)*s.norm(y)) {
			t.Fatalf("features of %q and %q multiply to %v, Eval has %v", x, y, sum, want)
		}
	}
}
