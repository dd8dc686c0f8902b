package kerneltest

import (
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Family checks that the members of a family, of which none is fitted, share an index: on random corpora the matrix of
// each from that index is the one it makes alone, fitted to all records and to some, and so it is from an index by the
// member itself, fitted to the corpus.
func Family(t *testing.T, members []stringkernel.Kernel, opt Options) {
	t.Helper()
	for _, k := range members[1:] {
		if a, b := stringkernel.FamilyOf(members[0]), stringkernel.FamilyOf(k); a != b {
			t.Fatalf("families %q of %+v and %q of %+v, want one", a, members[0], b, k)
		}
	}
	s := must.Get(newSuite(members[0], opt))(t)
	for range rounds(20) {
		c := s.corpus(3 + s.rng.IntN(12))
		shared := must.Get(stringkernel.Share(t.Context(), c, members))(t)
		var some []int
		for i := range c.Len() {
			if s.rng.IntN(3) > 0 {
				some = append(some, i)
			}
		}
		for _, k := range members {
			member := &suite{Options: s.Options, kernel: k, rng: s.rng}
			indexes := []stringkernel.Shared{shared}
			if stringkernel.DependsOnCorpus(k) {
				indexes = append(indexes, member.byFitted(t, c))
			}
			for _, shared := range indexes {
				member.equalsAlone(t, shared, c, nil, c)
				if len(some) > 0 {
					member.equalsAlone(t, shared, c, some, c.Subset(some))
				}
			}
		}
	}
}

// byFitted returns the index of a corpus for the kernel by itself, fitted to it.
func (s *suite) byFitted(t testing.TB, c *stringkernel.Corpus) stringkernel.Shared {
	t.Helper()
	x := &stringkernel.Indexes{Corpus: c}
	shared, err := x.ShareBy(t.Context(), s.fitted(t, c).kernel, []stringkernel.Kernel{s.kernel})
	if err != nil {
		t.Fatalf("%+v: by itself, fitted: %v", s.kernel, err)
	}
	return shared
}

// equalsAlone compares the matrix from a shared index with that of the kernel fitted to the reference.
func (s *suite) equalsAlone(
	t testing.TB, shared stringkernel.Shared, c *stringkernel.Corpus, train []int, reference *stringkernel.Corpus,
) {
	t.Helper()
	got, err := shared(t.Context(), s.kernel, train)
	if err != nil {
		t.Fatalf("%+v: %v", s.kernel, err)
	}
	want := s.fitted(t, reference).gram(t, c)
	if (stringkernel.FeatureRowsOf(got) == nil) != (stringkernel.FeatureRowsOf(want) == nil) {
		t.Fatalf("%+v: explicit rows either from the shared index or alone, want both or none", s.kernel)
	}
	n := c.Len()
	a, b := spoiled(n), spoiled(n)
	got.Diag(a)
	want.Diag(b)
	greatest := slices.Max(b)
	s.sameVector(t, "diagonal", a, b, greatest)
	for i := range n {
		got.Row(a, i)
		want.Row(b, i)
		s.sameVector(t, "row", a, b, greatest)
	}
	v := s.vector(n)
	got.MulVecTo(a, v)
	want.MulVecTo(b, v)
	size := 0.0
	for _, x := range v {
		size += greatest * max(x, -x)
	}
	s.sameVector(t, "product", a, b, size)
}

func (s *suite) sameVector(t testing.TB, what string, got, want []float64, size float64) {
	t.Helper()
	for i := range want {
		if !s.near(got[i], want[i], size) {
			t.Fatalf("%+v: entry %d of a %s is %v from the shared index, %v alone", s.kernel, i, what, got[i], want[i])
		}
	}
}
