package kerneltest

import (
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// mostEntries bounds the tables that the suite takes time for.
const mostEntries = 1 << 20

// space checks that a table of features gives the products of the matrix, inner products, and a scorer, stored
// or not, that scores as a merged one does.
func (s *suite) space(t testing.TB) {
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	space := compose.SpaceOf(f.kernel)
	if space == nil || space.Size() > mostEntries {
		t.Skip("the kernel has no Space, or a large one")
	}
	v, scale, points := s.vector(sv.Len()), make([]float64, sv.Len()), f.points(sv)
	for i := range scale {
		scale[i] = space.Scale(sv.Seq(i))
	}
	counted := make([]float64, space.Size())
	for i, a := range v {
		space.Scatter(counted, sv.Seq(i), a*scale[i])
	}
	filtered := append([]float64(nil), counted...)
	must.Succeed(t, space.Filter(t.Context(), filtered))
	inner, total, sum := 0.0, 0.0, f.sum(v, points)
	for i, p := range points {
		want, size := sum(p)
		if got := space.Gather(filtered, p.x) * scale[i]; !s.near(got, want, size) {
			t.Fatalf("record %d has the product %v by a table, %v by definition", i, got, want)
		}
		inner += v[i] * want
		total += math.Abs(v[i]) * size
	}
	if got := vectors.Dot(counted, filtered); !s.near(got, inner, total) {
		t.Fatalf("the inner product of tables is %v, vᵀKv is %v", got, inner)
	}
	checkStrands(t, space, counted, filtered)
	double := append([]float64(nil), counted...)
	vectors.Scale(double, -2)
	scorer := must.Get(space.Scorer(t.Context(), [][]float64{counted, double}))(t)
	s.scoresAsMerged(t, f, sv, v, "the scorer of tables", scorer)
	s.scoresAsMerged(t, f, sv, v, "the scorer of tables, restored,", f.restored(t, scorer))
}

// checkStrands checks what a space says about its filter.
func checkStrands(t testing.TB, space compose.Space, counted, filtered []float64) {
	t.Helper()
	for i, got := range filtered {
		want := got
		switch space.Strands() {
		case 1:
			want = counted[i]
		case 2:
			want = 2 * (counted[i] + counted[kmer.ReverseComplement(uint64(i), space.KmerLength())])
		}
		if got != want {
			t.Fatalf("entry %d of a filtered table of %d strands is %v, want %v", i, space.Strands(), got, want)
		}
	}
}

// scoresAsMerged compares a scorer of w and −2w with the merged one, w that of coefficients v.
func (s *suite) scoresAsMerged(
	t testing.TB, f *suite, sv *stringkernel.Corpus, v []float64, name string, scorer stringkernel.Scorer,
) {
	merged, norms := f.merge(t, sv, v), f.norms(sv)
	for range rounds(20) {
		x, got, want := s.sequence(), spoiled(2), spoiled(1)
		scorer.ScoreTo(got, x)
		merged.ScoreTo(want, x)
		scale := size(v, norms) * f.norm(x)
		if !s.near(got[0], want[0], scale) || !s.near(got[1], -2*want[0], 2*scale) {
			t.Fatalf("%s scores %q %v, merged %v", name, x, got, want)
		}
	}
}

// table checks that a table to which records were added, one by one and mixed in between, scores as they do merged, and
// so does the scorer that it becomes, stored or not.
func (s *suite) table(t testing.TB) {
	sv := s.corpus(9)
	f := s.fitted(t, sv)
	if space := compose.SpaceOf(f.kernel); space != nil && space.Size() > mostEntries && !long.Tests {
		t.Skip("the kernel has a large table")
	}
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
