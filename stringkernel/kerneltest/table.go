package kerneltest

import (
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// table checks that a table to which records were added, one by one and mixed in between, scores as they do merged, and
// so does the scorer that it becomes, stored or not.
func (s *suite) table(t testing.TB) {
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	weights := must.Get(stringkernel.Fold(f.kernel, 1))(t)
	if weights == nil {
		t.Skip("the kernel has no table")
	}
	weights, coef := s.grownTable(t, weights, sv)
	merged, norms := f.merge(t, sv, coef...), f.norms(sv)
	check := func(name string, scorer stringkernel.Scorer) {
		for range rounds(20) {
			x, got, want := s.sequence(), spoiled(3), spoiled(3)
			scorer.ScoreTo(got, x)
			merged.ScoreTo(want, x)
			for m := range want {
				if !s.near(got[m], want[m], size(coef[m], norms)*f.norm(x)) {
					t.Fatalf("%s scores %q %v, merged %v", name, x, got, want)
				}
			}
		}
	}
	check("the table", weights)
	scorer := must.Get(weights.Freeze())(t)
	check("its scorer", scorer)
	check("its scorer, restored,", f.restored(t, scorer))
}

// grownTable adds records to a table, and returns it with the coefficients that it has for them: three outputs.
func (s *suite) grownTable(
	t testing.TB, weights *stringkernel.Table, sv *stringkernel.Corpus,
) (*stringkernel.Table, [][]float64) {
	n := sv.Len()
	// After four records w becomes w, −2w and 0.
	mix, coef := []float64{1, -2, 0}, [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
	outputs := 1
	for i := range n {
		if i == 4 {
			outputs = 3
			weights = must.Get(weights.Mix([][]float64{{mix[0]}, {mix[1]}, {mix[2]}}))(t)
		}
		if got := weights.Outputs(); got != outputs {
			t.Fatalf("a table of %d outputs, want %d", got, outputs)
		}
		a := s.vector(outputs)
		weights.Add(sv.Seq(i), a)
		for m := range coef {
			if i < 4 {
				coef[m][i] = a[0] * mix[m]
			} else {
				coef[m][i] = a[m]
			}
		}
	}
	return weights, coef
}
