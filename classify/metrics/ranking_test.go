package metrics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// pairwiseAUROC is the definition: every pair of a positive and a negative.
func pairwiseAUROC(scores []float64, positive []bool) float64 {
	var won, pairs float64
	for i, p := range positive {
		for j, q := range positive {
			if !p || q {
				continue
			}
			pairs++
			if scores[i] > scores[j] {
				won++
			} else if scores[i] == scores[j] {
				won += 0.5
			}
		}
	}
	return won / pairs
}

// thresholdAUPRC is the definition: each distinct score as a threshold, from the
// highest, recall gained times precision.
func thresholdAUPRC(scores []float64, positive []bool) float64 {
	thresholds := slices.Clone(scores)
	slices.Sort(thresholds)
	thresholds = slices.Compact(thresholds)
	slices.Reverse(thresholds)
	var all, area, recallBefore float64
	for _, p := range positive {
		if p {
			all++
		}
	}
	for _, t := range thresholds {
		var hit, retrieved float64
		for i, s := range scores {
			if s >= t {
				retrieved++
				if positive[i] {
					hit++
				}
			}
		}
		area += (hit/all - recallBefore) * hit / retrieved
		recallBefore = hit / all
	}
	if all == 0 {
		return math.NaN()
	}
	return area
}

// same holds for two NaNs and for values within 1e-12 of each other.
func same(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	return a == b || math.Abs(a-b) <= 1e-12
}

// Every labelling with every score from {0, 1, 2} of up to six records, which
// covers every pattern of ties and the one-class and empty cases.
func TestRankingExhaustive(t *testing.T) {
	for n := 0; n <= 6; n++ {
		scores, positive := make([]float64, n), make([]bool, n)
		total := 1
		for range n {
			total *= 6
		}
		for code := range total {
			for i, c := 0, code; i < n; i, c = i+1, c/6 {
				scores[i], positive[i] = float64(c%6/2), c%2 == 1
			}
			if got, want := must.Get(metrics.AUROC(scores, positive))(t), pairwiseAUROC(scores, positive); !same(got, want) {
				t.Fatalf("AUROC(%v, %v) = %v, want %v", scores, positive, got, want)
			}
			if got, want := must.Get(metrics.AUPRC(scores, positive))(t), thresholdAUPRC(scores, positive); !same(got, want) {
				t.Fatalf("AUPRC(%v, %v) = %v, want %v", scores, positive, got, want)
			}
		}
	}
}

func TestRankingErrors(t *testing.T) {
	for _, f := range []func([]float64, []bool) (float64, error){metrics.AUROC, metrics.AUPRC} {
		if v, err := f([]float64{1}, nil); err == nil || !math.IsNaN(v) ||
			!strings.Contains(err.Error(), "1 scores for 0 labels") {
			t.Errorf("unequal lengths: %v, %v", v, err)
		}
		if v, err := f([]float64{1, math.NaN()}, []bool{true, false}); err == nil || !math.IsNaN(v) ||
			!strings.Contains(err.Error(), "score 1 is NaN") {
			t.Errorf("NaN score: %v, %v", v, err)
		}
	}
}

// TestAreasOfZerosAndInfinities: -0 equals 0, and infinities are ordinary scores.
func TestAreasOfZerosAndInfinities(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	values := []float64{math.Copysign(0, -1), 0, math.Inf(1), math.Inf(-1), 1e-310, -1e-310, 1, -1, 1 + 0x1p-52}
	for range 200 {
		n := 2 + rng.IntN(40)
		scores, positive := make([]float64, n), make([]bool, n)
		for i := range scores {
			scores[i], positive[i] = values[rng.IntN(len(values))], i == 0 || i > 1 && rng.IntN(2) == 0
		}
		want := pairwiseAUROC(scores, positive)
		if got, err := metrics.AUROC(scores, positive); err != nil || math.Abs(got-want) > 1e-15 {
			t.Fatalf("AUROC(%v, %v) = %v, %v, want %v", scores, positive, got, err, want)
		}
		want = thresholdAUPRC(scores, positive)
		if got, err := metrics.AUPRC(scores, positive); err != nil || !same(got, want) {
			t.Fatalf("AUPRC(%v, %v) = %v, %v, want %v", scores, positive, got, err, want)
		}
	}
}

// TestSamples: a Ranking of all records gives a sample the curves of its own scores, counted from a sorted copy, and the
// areas of its ranks.
func TestSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		scores, positive := make([]float64, 2+rng.IntN(300)), []bool{}
		for i := range scores {
			scores[i] = math.Round(100*rng.NormFloat64()) / 50 // with ties, 0 and -0 among them
			positive = append(positive, rng.IntN(3) == 0)
		}
		scores[0], scores[1] = math.Inf(1), math.Inf(-1)
		ranks := metrics.RankScores(scores)
		ranking := must.Get(metrics.NewRanking(scores, positive))(t)
		var records []int
		var drawn, byRank []float64
		var is []bool
		for range scores {
			i := rng.IntN(len(scores))
			records = append(records, i)
			drawn, byRank, is = append(drawn, scores[i]), append(byRank, ranks[i]), append(is, positive[i])
		}
		thresholds := slices.Sorted(slices.Values(drawn))
		slices.Reverse(thresholds)
		thresholds = slices.Compact(thresholds)
		roc, precision := ranking.Curves(records)
		var p, n float64
		for _, yes := range is {
			p, n = p+indicator(yes), n+indicator(!yes)
		}
		for k, threshold := range thresholds {
			var tp, fp float64
			for i, s := range drawn {
				if s >= threshold {
					tp, fp = tp+indicator(is[i]), fp+indicator(!is[i])
				}
			}
			if want := (metrics.CurvePoint{threshold, fp / n, tp / p}); p*n > 0 && roc[k+1] != want {
				t.Fatalf("ROC: %v, want %v", roc[k+1], want)
			}
			if want := (metrics.CurvePoint{threshold, tp / p, tp / (tp + fp)}); p > 0 && precision[k+1] != want {
				t.Fatalf("precision-recall: %v, want %v", precision[k+1], want)
			}
		}
		if p*n == 0 && roc != nil || p == 0 && precision != nil {
			t.Fatalf("curves of %v positives and %v negatives", p, n)
		}
		for _, area := range []func([]float64, []bool) (float64, error){metrics.AUROC, metrics.AUPRC} {
			got, _ := area(byRank, is)
			if want, _ := area(drawn, is); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("area of ranks %v, of scores %v", got, want)
			}
		}
	}
	if _, err := metrics.NewRanking([]float64{1, math.NaN()}, make([]bool, 2)); err == nil {
		t.Error("NaN is ranked")
	}
	if ranks := metrics.RankScores([]float64{1, math.NaN()}); !math.IsNaN(ranks[1]) || math.IsNaN(ranks[0]) {
		t.Errorf("ranks of 1 and NaN: %v", ranks)
	}
}
