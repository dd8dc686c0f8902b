package gapped

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// trackable are kernels of every engine: in tables and beyond, near and far distances, both strands, other alphabets,
// centre weights, which fall back.
var trackable = []struct {
	kernel  stringkernel.Kernel
	letters string
}{
	{Kernel{L: 4, K: 2, D: 2, Filter: Plain, Alphabet: stringkernel.DNA}, "ACGTN"},
	{Kernel{L: 5, K: 3, D: 2, Filter: Truncated, Alphabet: stringkernel.DNA, rc: true}, "AAACGTTTGCTGAN"},
	{Kernel{L: 9, K: 3, D: 9, Filter: Full, Alphabet: stringkernel.DNA, rc: true}, "ACGT"},
	{Kernel{L: 8, K: 4, D: 4, Filter: Full, Alphabet: stringkernel.RNA}, "ACGU"},
	{Kernel{L: 16, K: 14, D: 2, Filter: Plain, Alphabet: stringkernel.DNA, rc: true}, "AAAAAACGT"},
	{Kernel{L: 32, K: 31, D: 1, Filter: Plain, Alphabet: stringkernel.DNA}, "AC"},
	{Kernel{L: 3, K: 2, D: 1, Filter: Plain, Alphabet: stringkernel.Protein}, "MKWVTFISX"},
	{Kernel{L: 4, K: 3, D: 1, Filter: Plain, Center: "20:5", Alphabet: stringkernel.DNA}, "ACGTN"},
	{Mismatch{K: 5, M: 1, Alphabet: stringkernel.DNA, rc: true}, "ACGTN"},
	{Mismatch{K: 3, M: 3, Alphabet: stringkernel.Bytes}, "abc"},
}

// TestTrack compares the scores and norms of all windows with those of each window alone, which are the same to the
// last bit for norms.
func TestTrack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, c := range trackable {
		t.Run(fmt.Sprint(c.kernel), func(t *testing.T) {
			var err error
			if c.kernel, err = stringkernel.Compile(c.kernel); err != nil {
				t.Fatal(err)
			}
			var b stringkernel.CorpusBuilder
			coef := [][]float64{nil, nil}
			for i := range 6 {
				b.Add(fmt.Sprint(i), []byte(random(rng, 10+rng.IntN(60), c.letters)))
				coef[0], coef[1] = append(coef[0], rng.NormFloat64()), append(coef[1], rng.NormFloat64())
			}
			scorer, err := stringkernel.Merge(t.Context(), c.kernel, b.Corpus(), coef...)
			if err != nil {
				t.Fatal(err)
			}
			k, hasCentre := c.kernel.(Kernel)
			if want := !hasCentre || k.Center == ""; (stringkernel.TrackerOf(scorer) != nil) != want ||
				(compose.WindowNormsOf(c.kernel) != nil) != want {
				t.Fatalf("Tracker and WindowNorms of %+v, want both: %v", k, want)
			}
			rounds := 6
			if testing.Short() {
				rounds = 2
			}
			for range rounds {
				x := []byte(random(rng, 1+rng.IntN(300), c.letters))
				window := 1 + rng.IntN(len(x))
				got, norms := make([]float64, len(x)-window+1), make([]float64, len(x)-window+1)
				for p := range got {
					got[p], norms[p] = math.NaN(), math.NaN()
				}
				stringkernel.Track(got, scorer, 1, x, window)
				compose.TrackSelf(norms, c.kernel, x, window)
				if n := compose.WindowNormsOf(c.kernel); strings.Trim(c.letters, "ACGTN") == "" && n != nil &&
					n.StrandSymmetric() {
					other := make([]float64, len(norms))
					n.TrackSelfTo(other, stringkernel.DNA.ReverseComplementTo(nil, x), window)
					if slices.Reverse(other); !slices.Equal(other, norms) {
						t.Fatalf(
							"k(w, w) of the windows of %d in %s: %v, on the other strand %v",
							window,
							x,
							norms,
							other,
						)
					}
				}
				want := make([]float64, 2)
				for p := range got {
					w := x[p : p+window]
					if scorer.ScoreTo(want, w); !near(got[p], want[1]) {
						t.Fatalf("score of window %d of %d in %s is %v, alone %v", p, window, x, got[p], want[1])
					}
					if norm := compose.NormsOf(c.kernel).SelfEval(w); norms[p] != norm {
						t.Fatalf("k(w, w) of window %d of %d in %s is %v, alone %v", p, window, x, norms[p], norm)
					}
				}
			}
		})
	}
}

func BenchmarkTrack(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := []byte(random(rng, 1<<15, "ACGT"))
	for _, kernel := range []Kernel{
		{L: 10, K: 6, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA},
		{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA, rc: true},
		{L: 10, K: 6, D: 4, Filter: Plain, Alphabet: stringkernel.DNA},
	} {
		var c stringkernel.CorpusBuilder
		var coef []float64
		for i := range 100 {
			c.Add(fmt.Sprint(i), []byte(random(rng, 300, "ACGT")))
			coef = append(coef, rng.NormFloat64())
		}
		s, err := stringkernel.Merge(b.Context(), kernel, c.Corpus(), coef)
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]float64, len(x)-199)
		name := fmt.Sprintf("l=%d,k=%d,d=%d,rc=%v", kernel.L, kernel.K, kernel.D, kernel.rc)
		b.Run("score/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(dst)))
			for b.Loop() {
				stringkernel.TrackerOf(s).TrackTo(dst, 0, x, 200)
			}
		})
		b.Run("norm/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(dst)))
			for b.Loop() {
				compose.TrackSelf(dst, kernel, x, 200)
			}
		})
	}
}
