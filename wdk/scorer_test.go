package wdk

import (
	"context"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"pgregory.net/rapid"
)

// drawCoef draws coefficients for some outputs, a few of them 0.
func drawCoef(t *rapid.T, n, outputs int) [][]float64 {
	coef := make([][]float64, outputs)
	for m := range coef {
		coef[m] = rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-2, 2), rapid.Just(0.0)), n, n).Draw(t, "coef")
	}
	return coef
}

// sumOfEval returns Σ coef·k and the size of its terms.
func sumOfEval(k Kernel, sv *stringkernel.Corpus, coef []float64, x []byte) (sum, size float64) {
	norm := math.Sqrt(k.SelfEval(x))
	for i, a := range coef {
		sum += a * k.Eval(sv.Seq(i), x)
		size += math.Abs(a) * norm * math.Sqrt(k.SelfEval(sv.Seq(i)))
	}
	return sum, size
}

func checkScores(t *rapid.T, k Kernel, s stringkernel.Scorer, sv *stringkernel.Corpus, coef [][]float64, x []byte) {
	got := make([]float64, len(coef))
	for m := range got {
		got[m] = math.NaN()
	}
	s.ScoreTo(got, x)
	for m := range coef {
		if want, size := sumOfEval(k, sv, coef[m], x); !near(got[m], want, 10*size) {
			t.Fatalf("%+v: score %d of %q = %v, want %v", k, m, x, got[m], want)
		}
	}
}

// With tables of few letters, tails are tables and lists at any depth.
func TestScoresByEval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(1, 22).Draw(t, "length")
		k := drawKernel(t, length)
		sv := drawCorpus(t, k, rapid.OneOf(rapid.IntRange(1, 6), rapid.IntRange(20, 60)).Draw(t, "n"), length)
		coef := drawCoef(t, sv.Len(), rapid.IntRange(1, 3).Draw(t, "outputs"))
		p := newPacking(k.Alphabet, sv)
		s := newScorer(k, p, length, len(coef), rapid.IntRange(1, min(k.D, length, 6/p.bits+1)).Draw(t, "depth"))
		s.fold(context.Background(), sv, coef)
		merged, err := stringkernel.Merge(t.Context(), k, sv, coef...)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			x := drawWindow(t, k, length)
			copy(x, sv.Seq(rapid.IntRange(0, sv.Len()-1).Draw(t, "like"))[:rapid.IntRange(0, length).Draw(t, "copied")])
			checkScores(t, k, s, sv, coef, x)
			checkScores(t, k, merged, sv, coef, x)
		}
		checkScores(t, k, merged, sv, coef, drawWindow(t, k, length+1))
	})
}
