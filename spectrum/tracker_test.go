package spectrum

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// TestTrack compares the scores and norms of all windows with those of each window alone: all alphabets, k-mers in
// arrays and sorted, one output and three, both strands, windows shorter than k-mers.
func TestTrack(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for a, letters := range drawn {
		for _, k := range []int{1, 2, 3, kmer.MaxK(a)/2 + 1} {
			for _, bounded := range []bool{false, true} {
				kernel := Kernel{K: k, Bounded: bounded, Alphabet: a}
				t.Run(fmt.Sprint(kernel), func(t *testing.T) {
					sv := drawCorpus(t, r, a, 12, 60)
					coef := [][]float64{make([]float64, 12), make([]float64, 12), make([]float64, 12)}
					for m := range coef {
						for i := range coef[m] {
							coef[m][i] = r.NormFloat64()
						}
					}
					kernels := []stringkernel.Kernel{kernel, compose.Normalized{Kernel: kernel}}
					if a.Complementary() {
						rc := compose.BothStrands{Kernel: kernel, Alphabet: a}
						kernels = append(kernels, rc, compose.Normalized{Kernel: rc},
							compose.Mean{Terms: []stringkernel.Kernel{compose.Normalized{Kernel: rc}, kernel}})
					}
					for _, wrapped := range kernels {
						for _, outputs := range []int{1, 3} {
							scorer, err := stringkernel.Merge(t.Context(), wrapped, sv, coef[:outputs]...)
							if err != nil {
								t.Fatal(err)
							}
							if stringkernel.TrackerOf(scorer) == nil || compose.WindowNormsOf(wrapped) == nil {
								t.Fatalf("%T does not track", wrapped)
							}
							for range 4 {
								x := draw(r, letters, 1+r.IntN(120), r.IntN(2) == 0)
								compareTracks(t, wrapped, scorer, outputs-1, x, 1+r.IntN(len(x)))
							}
						}
					}
				})
			}
		}
	}
}

// compareTracks compares with ScoreTo and Eval of each window. Norms are sums of integers, exact unless they are
// normalised.
func compareTracks(t *testing.T, k stringkernel.Kernel, s stringkernel.Scorer, m int, x []byte, window int) {
	t.Helper()
	got, norms := make([]float64, len(x)-window+1), make([]float64, len(x)-window+1)
	for p := range got {
		got[p], norms[p] = math.NaN(), math.NaN()
	}
	stringkernel.TrackerOf(s).TrackTo(got, m, x, window)
	compose.WindowNormsOf(k).TrackSelfTo(norms, x, window)
	want := make([]float64, s.Outputs())
	for p := range got {
		w := x[p : p+window]
		s.ScoreTo(want, w)
		if math.Abs(got[p]-want[m]) > 1e-9*(1+math.Abs(want[m])) {
			t.Fatalf("score of window %d of %d in %q is %v, alone %v", p, window, x, got[p], want[m])
		}
		if norm := k.Eval(w, w); math.Abs(norms[p]-norm) > 1e-12*norm {
			t.Fatalf("k(w, w) of window %d of %d in %q is %v, alone %v", p, window, x, norms[p], norm)
		}
	}
}

// TestTrackDoesNotDrift: a window after k-mers of enormous values is scored as if they had not been.
func TestTrackDoesNotDrift(t *testing.T) {
	var b stringkernel.CorpusBuilder
	b.Add("huge", []byte("AAAAA"))
	b.Add("small", []byte("CGCGCGTTT"))
	s, err := stringkernel.Merge(t.Context(), Kernel{K: 3, Alphabet: stringkernel.DNA}, b.Corpus(), []float64{1e18, 1})
	if err != nil {
		t.Fatal(err)
	}
	x := []byte("CGCGCGAAAAAAAAAAAAACGCGCGTTTCGCG")
	compareTracks(t, Kernel{K: 3, Alphabet: stringkernel.DNA}, s, 0, x, 7)
	got := make([]float64, len(x)-6)
	stringkernel.TrackerOf(s).TrackTo(got, 0, x, 7)
	want := make([]float64, 1)
	for p := 19; p < len(got); p++ {
		if s.ScoreTo(want, x[p:p+7]); got[p] != want[0] {
			t.Errorf("window %d after the large values: %v, want %v", p, got[p], want[0])
		}
	}
}

func BenchmarkTrack(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x := draw(r, "ACGT", 1<<15, false)
	for _, k := range []int{6, 8, 10, 14} {
		for _, bounded := range []bool{false, true} {
			kernel := Kernel{K: k, Bounded: bounded, Alphabet: stringkernel.DNA}
			sv := drawCorpus(b, r, stringkernel.DNA, 500, 300)
			coef := make([]float64, sv.Len())
			for i := range coef {
				coef[i] = r.NormFloat64()
			}
			s, err := stringkernel.Merge(b.Context(), kernel, sv, coef)
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]float64, len(x)-199)
			b.Run(fmt.Sprintf("score/k=%d,bounded=%v", k, bounded), func(b *testing.B) {
				b.SetBytes(int64(len(dst)))
				for b.Loop() {
					stringkernel.TrackerOf(s).TrackTo(dst, 0, x, 200)
				}
			})
			b.Run(fmt.Sprintf("norm/k=%d,bounded=%v", k, bounded), func(b *testing.B) {
				b.SetBytes(int64(len(dst)))
				for b.Loop() {
					kernel.TrackSelfTo(dst, x, 200)
				}
			})
		}
	}
}

// TestTrackStrands: both strands at once, with norms shared or not, are two tracks to the bit.
func TestTrackStrands(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 4))
	sv := drawCorpus(t, r, stringkernel.DNA, 12, 60)
	coef := make([]float64, 12)
	for i := range coef {
		coef[i] = r.NormFloat64()
	}
	plain := Kernel{K: 3, Alphabet: stringkernel.DNA}
	for _, k := range []stringkernel.Kernel{
		plain, compose.Normalized{Kernel: plain},
		compose.Normalized{Kernel: Kernel{K: 4, Bounded: true, Alphabet: stringkernel.DNA}},
		compose.Normalized{Kernel: compose.BothStrands{Kernel: plain, Alphabet: stringkernel.DNA}},
	} {
		s, err := stringkernel.Merge(t.Context(), k, sv, coef)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			x := draw(r, drawn[stringkernel.DNA], 1+r.IntN(120), r.IntN(2) == 0)
			rc, window := stringkernel.DNA.ReverseComplementTo(nil, x), 1+r.IntN(len(x))
			n := len(x) - window + 1
			got, want := [2][]float64{
				make([]float64, n),
				make([]float64, n),
			}, [2][]float64{
				make([]float64, n),
				make([]float64, n),
			}
			compose.TrackStrands(got[0], got[1], s, 0, x, rc, window)
			stringkernel.Track(want[0], s, 0, x, window)
			stringkernel.Track(want[1], s, 0, rc, window)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%v: windows of %d in %s: %v, one strand after the other %v", k, window, x, got, want)
			}
		}
	}
}
