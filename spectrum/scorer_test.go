package spectrum_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

func merge(t testing.TB, k stringkernel.Kernel, sv *stringkernel.Corpus, coef ...[]float64) stringkernel.Scorer {
	t.Helper()
	return must.Get(stringkernel.Merge(t.Context(), k, sv, coef...))(t)
}

func scoresOf(s stringkernel.Scorer, x []byte) []float64 {
	dst := make([]float64, s.Outputs())
	s.ScoreTo(dst, x)
	return dst
}

func vector(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

func near(got, want, scale float64) bool { return math.Abs(got-want) <= 1e-11*(1+scale) }

// Every k-mer listed has the weight of its occurrences, and every occurrence gives each of its letters an equal share.
func TestExplanationsAreTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for a, of := range letters {
		for _, k := range []spectrum.Kernel{{K: 3}, {K: 8}, {K: 2, Bounded: true}, {K: 8, Bounded: true}} {
			k.Alphabet = a
			sv := records(a, 600)
			alpha, weights := vector(r, sv.Len()), map[string]float64{}
			for i := range sv.Len() {
				for mer, n := range counts(k, sv.Seq(i)) {
					weights[mer] += alpha[i] * n
				}
			}
			x := slices.Concat([]byte(of[1]), sv.Seq(2)[:30], []byte(of[1]), sv.Seq(3)[:20])
			want, got, s := make([]float64, len(x)), make([]float64, len(x)), merge(t, k, sv, alpha)
			for i := range x {
				for j := i + 1; j <= len(x); j++ {
					for p := i; p < j; p++ {
						want[p] += weights[string(x[i:j])] / float64(j-i)
					}
				}
			}
			stringkernel.ExplainerOf(s).ExplainTo(got, 0, x)
			for p := range x {
				if !near(got[p], want[p], 100) {
					t.Fatalf("%+v: position %d: %v, want %v", k, p, got[p], want[p])
				}
			}
			listed := map[string]bool{}
			for _, f := range stringkernel.FeatureListerOf(s).TopFeatures([]float64{-2}, stringkernel.AllFeatures) {
				if !near(f.Weight, -2*weights[f.Text], 10) {
					t.Fatalf("%+v: %q has the weight %v, by definition %v", k, f.Text, f.Weight, -2*weights[f.Text])
				}
				listed[f.Text] = true
			}
			for mer, weight := range weights {
				if !near(weight, 0, 10) && !listed[mer] && !explained(weights, mer) {
					t.Fatalf("%+v: %q of weight %v is not listed", k, mer, weight)
				}
			}
		}
	}
}

// explained reports whether a k-mer owes half its weight or more to one with a letter more.
func explained(weights map[string]float64, mer string) bool {
	for longer, weight := range weights {
		if len(longer) == len(mer)+1 && strings.Contains(longer, mer) && weight/weights[mer] > 0.49 {
			return true
		}
	}
	return false
}

// Weights that cancel leave k-mers without a weight whose extensions have one.
func TestCancellingWeights(t *testing.T) {
	sv, _ := stringkernel.NewCorpus([][]byte{[]byte("ACGTACGTAC"), []byte("ACGTACGTAG")}, nil)
	k := spectrum.Kernel{K: 10, Bounded: true, Alphabet: stringkernel.DNA}
	s := merge(t, k, sv, []float64{1, -1})
	for _, x := range []string{"ACGTACGTAC", "ACGTACGTAG", "TAC", "TAG", "ACG"} {
		want := k.Eval(sv.Seq(0), []byte(x)) - k.Eval(sv.Seq(1), []byte(x))
		if got := scoresOf(s, []byte(x))[0]; got != want {
			t.Errorf("score of %s = %v, want %v", x, got, want)
		}
	}
}

// One output has fast loops of eight letters and of blocks of k-mers; two go letter by letter. Their bits are the same,
// whatever byte is where and how long a sequence is.
func TestFastLoopsHaveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 15))
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA, stringkernel.Protein} {
		for _, k := range []spectrum.Kernel{{K: 3}, {K: 8}, {K: 3, Bounded: true}, {K: 12, Bounded: true}} {
			k.Alphabet = a
			sv, of := records(a, 3000), letters[a]
			alpha := vector(r, sv.Len())
			one, two := merge(t, k, sv, alpha), merge(t, k, sv, alpha, alpha)
			check := func(x []byte) {
				if got, want := scoresOf(one, x), scoresOf(two, x); got[0] != want[0] || got[0] != want[1] {
					t.Fatalf("%+v: scores of %q = %v, else %v", k, x, got, want)
				}
			}
			for b := range 256 {
				x := random(r, of[0], 24)
				x[b%16] = byte(b)
				check(x)
				check(random(r, of[0][:3], b%40))
			}
			for n := range 5 { // lengths around a block of k-mers
				check(random(r, of[0][:3], 254+n))
			}
			check(slices.Concat(random(r, of[0]+of[1], 2000), sv.Seq(2), sv.Seq(4)))
		}
	}
}

// A window after k-mers of enormous values is scored as if they had not been.
func TestTrackDoesNotDrift(t *testing.T) {
	sv, _ := stringkernel.NewCorpus([][]byte{[]byte("AAAAA"), []byte("CGCGCGTTT")}, nil)
	s := merge(t, spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, sv, []float64{1e18, 1})
	x := []byte("CGCGCGAAAAAAAAAAAAACGCGCGTTTCGCG")
	got := make([]float64, len(x)-6)
	stringkernel.TrackerOf(s).TrackTo(got, 0, x, 7)
	for p := 19; p < len(got); p++ {
		if want := scoresOf(s, x[p:p+7])[0]; got[p] != want {
			t.Errorf("window %d after the large values: %v, want %v", p, got[p], want)
		}
	}
}

// Both strands at once, with norms shared or not, are two tracks to the bit.
func TestTrackStrands(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 4))
	sv := records(stringkernel.DNA, 1000)
	plain := spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}
	for _, k := range []stringkernel.Kernel{
		plain, compose.Normalized(plain),
		compose.Normalized(spectrum.Kernel{K: 4, Bounded: true, Alphabet: stringkernel.DNA}),
		compose.Normalized(compose.BothStrands(plain, stringkernel.DNA)),
	} {
		s := merge(t, k, sv, vector(r, sv.Len()))
		for range 20 {
			x := random(r, "ACGTACGTN", 1+r.IntN(120))
			rc, window := stringkernel.DNA.ReverseComplementTo(nil, x), 1+r.IntN(len(x))
			n := len(x) - window + 1
			got, want := make([]float64, 2*n), make([]float64, 2*n)
			compose.TrackStrands(got[:n], got[n:], s, 0, x, rc, window)
			stringkernel.Track(want[:n], s, 0, x, window)
			stringkernel.Track(want[n:], s, 0, rc, window)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%v: windows of %d in %s: %v, one strand after the other %v", k, window, x, got, want)
			}
		}
	}
}
