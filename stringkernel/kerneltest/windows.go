package kerneltest

import (
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// windows compares the scores and norms of all windows of long sequences with those of each by itself, of the kernel, normalised and, if its letters are
// nucleotides, of both strands. Kernels that do not track pass: the windows are scored one by one then.
func (s *suite) windows(t testing.TB) {
	s.windowsOf(t, s.kernel)
	s.windowsOf(t, stringkernel.Normalized{Kernel: s.kernel})
	if s.Letters == "ACGT" {
		s.windowsOf(t, stringkernel.Normalized{Kernel: stringkernel.BothStrands{Kernel: s.kernel, Alphabet: stringkernel.DNA}})
	}
}

func (s *suite) windowsOf(t testing.TB, k stringkernel.Kernel) {
	t.Helper()
	sv := s.corpus(9)
	wrapped := *s
	wrapped.kernel = k
	f := wrapped.fitted(t, sv)
	coef := [][]float64{s.vector(9), s.vector(9)}
	scorer, norms := f.merge(t, sv, coef...), f.norms(sv)
	for range 8 {
		x := append(s.sequence(), s.sequence()...)
		window := s.Length
		if window == 0 {
			x = append(x, s.Letters[0])
			window = 1 + s.rng.IntN(len(x))
		}
		want := make([]float64, 2)
		for m := range want {
			got, own := spoiled(len(x)-window+1), spoiled(len(x)-window+1)
			stringkernel.Track(got, scorer, m, x, window)
			stringkernel.TrackSelf(own, f.kernel, x, window)
			for p := range got {
				w := x[p : p+window]
				scorer.ScoreTo(want, w)
				if !s.near(got[p], want[m], size(coef[m], norms)*f.norm(w)) {
					t.Fatalf("score %d of the window of %d at %d of %q = %v, alone %v", m, window, p, x, got[p], want[m])
				}
				if alone := f.kernel.Eval(w, w); !s.near(own[p], alone, 0) {
					t.Fatalf("k(w, w) of the window of %d at %d of %q = %v, alone %v", window, p, x, own[p], alone)
				}
			}
		}
	}
}
