package kerneltest

import (
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Family checks that the members of a family, of which none is fitted, share an index: on random corpora the matrix of
// each from that index is the one it makes alone, fitted to all records and to some, and so is what a
// [stringkernel.Refitter] makes of these for fewer.
func Family(t *testing.T, members []stringkernel.Kernel, opt Options) {
	t.Helper()
	for _, k := range members[1:] {
		if a, b := stringkernel.FamilyOf(members[0]), stringkernel.FamilyOf(k); a != b {
			t.Fatalf("families %q of %+v and %q of %+v, want one", a, members[0], b, k)
		}
	}
	s, err := newSuite(members[0], opt)
	if err != nil {
		t.Fatal(err)
	}
	for range rounds(20) {
		c := s.corpus(3 + s.rng.IntN(12))
		shared, err := stringkernel.Share(t.Context(), c, members)
		if err != nil {
			t.Fatal(err)
		}
		all := make([]int, c.Len())
		for i := range all {
			all[i] = i
		}
		some := s.some(all)
		for _, k := range members {
			member := &suite{Options: s.Options, kernel: k, rng: s.rng}
			member.refits(t, member.fitted(t, c).gram(t, c), c, all)
			member.refits(t, member.equalsAlone(t, shared, c, nil, c), c, all)
			if len(some) > 0 {
				member.refits(t, member.equalsAlone(t, shared, c, some, c.Subset(some)), c, some)
			}
		}
	}
}

// some returns some records of a list, maybe none.
func (s *suite) some(list []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(int) bool { return s.rng.IntN(3) == 0 })
}

// refits checks what a matrix of the kernel fitted to the records known makes for fewer, if it has the option.
func (s *suite) refits(t testing.TB, g stringkernel.Gram, c *stringkernel.Corpus, known []int) {
	t.Helper()
	refitter := stringkernel.RefitterOf(g)
	fewer := s.some(known)
	if refitter == nil || len(fewer) == 0 {
		return
	}
	got, err := refitter.Refit(t.Context(), fewer)
	if err != nil {
		t.Fatalf("%+v: %v", s.kernel, err)
	}
	s.sameMatrix(t, got, s.fitted(t, c.Subset(fewer)).gram(t, c))
}

// equalsAlone compares the matrix from a shared index, which it returns, with that of the kernel fitted to the
// reference.
func (s *suite) equalsAlone(
	t testing.TB, shared stringkernel.Shared, c *stringkernel.Corpus, train []int, reference *stringkernel.Corpus,
) stringkernel.Gram {
	t.Helper()
	got, err := shared(t.Context(), s.kernel, train)
	if err != nil {
		t.Fatalf("%+v: %v", s.kernel, err)
	}
	s.sameMatrix(t, got, s.fitted(t, reference).gram(t, c))
	return got
}

// sameMatrix compares a matrix from an index that kernels share with that of the kernel alone.
func (s *suite) sameMatrix(t testing.TB, got, want stringkernel.Gram) {
	t.Helper()
	if (stringkernel.FeatureRowsOf(got) == nil) != (stringkernel.FeatureRowsOf(want) == nil) {
		t.Fatalf("%+v: explicit rows either from the shared index or alone, want both or none", s.kernel)
	}
	n := want.Len()
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
