package kerneltest

import (
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// windows compares the scores and norms of windows of long sequences with those of each alone, of the kernel,
// normalised and, if its letters are nucleotides, of both strands. Kernels without a Tracker pass: their windows are
// scored one by one.
func (s *suite) windows(t testing.TB) {
	s.windowsOf(t, s.kernel, rounds(4))
	s.windowsOf(t, compose.Normalized(s.kernel), 1)
	if s.Letters == "ACGT" {
		s.windowsOf(t, compose.Normalized(compose.BothStrands(s.kernel, stringkernel.DNA)), 1)
	}
}

func (s *suite) windowsOf(t testing.TB, k stringkernel.Kernel, draws int) {
	t.Helper()
	sv := s.corpus(9)
	f := s.wrapped(k).fitted(t, sv)
	coef := s.coefficients(sv.Len())
	scorer, norms := f.merge(t, sv, coef...), f.norms(sv)
	if stringkernel.TrackerOf(scorer) == nil && stringkernel.TraitsOf(f.kernel).TrackSelf == nil {
		draws = 1 // each window is scored by itself, by code that no kernel changes
	}
	for range draws {
		x := append(s.sequence(), s.sequence()...)
		window := s.Length
		if window == 0 {
			x = append(x, s.Letters[0])
			window = 1 + s.rng.IntN(len(x))
		}
		n := len(x) - window + 1
		tracks, own := [][]float64{spoiled(n), spoiled(n)}, spoiled(n)
		for m, got := range tracks {
			stringkernel.Track(got, scorer, m, x, window)
		}
		compose.TrackSelf(own, f.kernel, x, window)
		want := make([]float64, s.Outputs)
		for _, p := range s.places(n) {
			w := x[p : p+window]
			scorer.ScoreTo(want, w)
			alone := f.kernel.Eval(w, w)
			for m, got := range tracks {
				if !s.near(got[p], want[m], size(coef[m], norms)*normOf(alone)) {
					t.Fatalf("score %d of window %d of %d letters of %q = %v, alone %v",
						m, p, window, x, got[p], want[m])
				}
			}
			if !s.near(own[p], alone, 0) {
				t.Fatalf("k(w, w) of the window of %d at %d of %q = %v, alone %v", window, p, x, own[p], alone)
			}
		}
	}
}
