package substring

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// TestTrackSubstrings compares the scores of all windows with those of each alone, under every weighting, on
// sequences that hold long pieces of the support vectors, so that windows end inside matches and lie inside them.
func TestTrackSubstrings(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	draw := func(n int) []byte {
		x := make([]byte, n)
		for i := range x {
			x[i] = "ACGTACGTN"[r.IntN(9)]
		}
		return x
	}
	var b stringkernel.CorpusBuilder
	seqs := [][]byte{draw(80), draw(50), bytes.Repeat([]byte("AC"), 30), nil, draw(3)}
	for i, x := range seqs {
		b.Add(fmt.Sprint(i), x)
	}
	c := b.Corpus()
	coef := [][]float64{{1, -2, 0.5, 3, 1}, {-0.25, 1, 2, 1, -1}}
	for _, k := range []Kernel{
		{Weight: Constant}, {Weight: Fixed, K: 4}, {Weight: Bounded, K: 6}, {Weight: Decay, Lambda: 0.5},
		{Weight: Length, Weights: []float64{0, 2, 0, 1}}, {Weight: TFIDF, K: 5},
	} {
		k.Alphabet = stringkernel.DNA
		kernel, err := stringkernel.Fit(t.Context(), k, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, kernel := range []stringkernel.Kernel{kernel, compose.Normalized{Kernel: kernel},
			compose.BothStrands{Kernel: kernel, Alphabet: stringkernel.DNA}} {
			s, err := stringkernel.Merge(t.Context(), kernel, c, coef...)
			if err != nil {
				t.Fatal(err)
			}
			if stringkernel.TrackerOf(s) == nil {
				t.Fatalf("%v does not track", kernel)
			}
			for range 20 {
				x := bytes.Join([][]byte{draw(r.IntN(20)), seqs[r.IntN(3)], seqs[r.IntN(3)][10:30], draw(r.IntN(9))},
					nil)
				window := 1 + r.IntN(len(x))
				got, want := make([]float64, len(x)-window+1), make([]float64, 2)
				stringkernel.TrackerOf(s).TrackTo(got, 1, x, window)
				for p := range got {
					if s.ScoreTo(want, x[p:p+window]); math.Abs(got[p]-want[1]) > 1e-9*(1+math.Abs(want[1])) {
						t.Fatalf("%v: window %d of %d in %s: %v, alone %v", kernel, p, window, x, got[p], want[1])
					}
				}
			}
		}
	}
}
