package kerneltest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// processors checks that the bits of matrices, products and scores are the same on any number of processors.
func (s *suite) processors(t testing.TB) {
	c := s.Records
	f, n := s.fitted(t, c), c.Len()
	v, places, x := s.vector(n), s.places(n), [][]byte{s.sequence(), s.sequence()}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var first []float64
	for _, processors := range []int{1, 7} {
		runtime.GOMAXPROCS(processors)
		g := f.gram(t, c)
		got := make([]float64, (2+len(places))*n, (2+len(places))*n+len(x))
		g.Diag(got[:n])
		g.MulVecTo(got[n:2*n], v)
		for r, i := range places {
			g.Row(got[(2+r)*n:(3+r)*n], i)
		}
		scores := got[len(got):cap(got)]
		stringkernel.ScoreBatch(f.merge(t, c, v), scores, x)
		got = got[:cap(got)]
		if first == nil {
			first = got
		}
		for i := range got {
			if got[i] != first[i] {
				t.Fatalf("number %d of the diagonal, a product, rows and scores is %v on %d processors, %v on one",
					i, got[i], processors, first[i])
			}
		}
	}
}

// mostUncancelled is how many letters a kernel may index without a look at its context.
const mostUncancelled = 1 << 16

// cancellation checks that Gram, Merge and Prepare end with their context, those of many letters for certain, and that
// whatever ended can be done again.
func (s *suite) cancellation(t testing.TB) {
	c := s.Records
	f, v := s.fitted(t, c), s.vector(c.Len())
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	g, scorer := f.gram(t, c), f.merge(t, c, v)
	want, got := make([]float64, c.Len()), spoiled(c.Len())
	f.gram(t, c).MulVecTo(want, v)
	check := func(what string, err error, must bool) {
		t.Helper()
		if err == nil && must || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s under a context that has ended: error %v, want %v", what, err, context.Canceled)
		}
	}
	large := c.Letters() > mostUncancelled && !stringkernel.IsRowBased(g)
	_, err := f.kernel.Gram(ended, c)
	check("Gram", err, large)
	_, err = stringkernel.Merge(ended, f.kernel, c, v)
	check("Merge", err, large)
	check("Prepare of a matrix", stringkernel.Prepare(ended, g), false)
	check("Prepare of a scorer", stringkernel.Prepare(ended, scorer), false)
	if dense := stringkernel.DenseOf(g); dense != nil && c.Len() < 1000 {
		check("DenseTo", dense.DenseTo(ended, make([]float64, c.Len()*c.Len()), 0, c.Len()), false)
	}
	if err := errors.Join(stringkernel.Prepare(context.Background(), g),
		stringkernel.Prepare(context.Background(), scorer)); err != nil {
		t.Fatalf("Prepare after one that ended: %v", err)
	}
	if g.MulVecTo(got, v); !slices.Equal(got, want) {
		t.Fatalf("a product is %v after a Prepare that ended, %v without", got, want)
	}
	s.sameScores(t, scorer, f.merge(t, c, v))
}

// memory checks that an index and a scorer are refused where there is hardly any memory.
func (s *suite) memory(t testing.TB) {
	c := s.Records
	f, v := s.fitted(t, c), s.vector(c.Len())
	if s.Uncounted || stringkernel.IsRowBased(f.gram(t, c)) {
		t.Skip("nothing is indexed, or not counted")
	}
	const limit = 64 // bytes
	defer memory.SetLimit(memory.SetLimit(limit))
	var want *memory.Error
	if _, err := f.kernel.Gram(context.Background(), c); !errors.As(err, &want) {
		t.Errorf("Gram in %d bytes: error %v, want a %T", limit, err, want)
	}
	if _, err := stringkernel.Merge(context.Background(), f.kernel, c, v); !errors.As(err, &want) {
		t.Errorf("Merge in %d bytes: error %v, want a %T", limit, err, want)
	}
}
