package wdk_test

import (
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
	"pgregory.net/rapid"
)

// contributions spreads each match of x with a support vector evenly over its letters, by definition.
func contributions(k wdk.Kernel, sv *stringkernel.Corpus, coef []float64, x []byte) []float64 {
	parts, codes := make([]float64, len(x)), k.Alphabet.Codes()
	for i, a := range coef {
		y := sv.Seq(i)
		for q := range x {
			for p := range y {
				for n := 1; n <= k.D && q+n <= len(x) && p+n <= len(y); n++ {
					if x[q+n-1] != y[p+n-1] || codes[x[q+n-1]] == stringkernel.Outside {
						break
					}
					weight := a * pairByDefinition(k, p, q) * 2 * float64(k.D-n+1) / float64(k.D*(k.D+1))
					for j := range n {
						parts[q+j] += weight / float64(n)
					}
				}
			}
		}
	}
	return parts
}

func TestExplainByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(1, 20).Draw(t, "length")
		k := drawKernel(t, length)
		sv := drawCorpus(t, k, rapid.OneOf(rapid.IntRange(1, 4), rapid.IntRange(20, 40)).Draw(t, "n"), length)
		coef := drawCoef(t, sv.Len(), rapid.IntRange(1, 2).Draw(t, "outputs"))
		s := must.Get(stringkernel.Merge(t.Context(), k, sv, coef...))(t)
		x := drawWindow(t, k, length)
		copy(x, sv.Seq(0)[:rapid.IntRange(0, length).Draw(t, "copied")])
		for m := range coef {
			got, want := make([]float64, length), contributions(k, sv, coef[m], x)
			stringkernel.ExplainerOf(s).ExplainTo(got, m, x)
			_, size := sumOfEval(k, sv, coef[m], x)
			for q := range want {
				if !near(got[q], want[q], 10*size) {
					t.Fatalf("%+v: position %d of %q for score %d: %v, want %v", k, q, x, m, got[q], want[q])
				}
			}
		}
	})
}

func TestTrackOtherWindows(t *testing.T) {
	sv := randomWindows(3, 10, 0)
	s := must.Get(stringkernel.Merge(t.Context(), wdk.Kernel{D: 3, Alphabet: stringkernel.DNA}, sv, []float64{1, 2, 3}))(t)
	track := []float64{math.NaN(), math.NaN()}
	stringkernel.TrackerOf(s).TrackTo(track, 0, []byte("ACGTACGTA"), 8)
	if track[0] != 0 || track[1] != 0 {
		t.Fatalf("windows of another length score %v, want 0", track)
	}
	batch, alone := []float64{math.NaN(), math.NaN()}, []float64{math.NaN()}
	stringkernel.ScoreBatch(s, batch, [][]byte{[]byte("ACGTACGT"), sv.Seq(1)})
	if s.ScoreTo(alone, sv.Seq(1)); batch[0] != 0 || batch[1] != alone[0] {
		t.Fatalf("a batch scores %v, want 0 of another length and %v", batch, alone)
	}
}
