package metrics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// Scores, labels and probabilities for which scikit-learn 1.2.1 gives the points below: roc_curve with
// drop_intermediate=False, whose first threshold that version makes the greatest score + 1, precision_recall_curve
// and calibration_curve with 10 bins.
var (
	curveScores   = []float64{3, 2.5, 2.5, 1, 1, 1, 0.25, -0.5, -0.5, -2, -2.75, -3}
	curvePositive = []bool{true, true, false, true, false, true, false, true, false, false, true, false}
	announced     = []float64{0.02, 0.11, 0.17, 0.21, 0.33, 0.36, 0.38, 0.55, 0.58, 0.77, 0.93, 1}

	wantROC = []metrics.CurvePoint{
		{math.Inf(1), 0.0, 0.0}, {3.0, 0.0, 0.16666666666666666}, {2.5, 0.16666666666666666, 0.3333333333333333},
		{1.0, 0.3333333333333333, 0.6666666666666666}, {0.25, 0.5, 0.6666666666666666},
		{-0.5, 0.6666666666666666, 0.8333333333333334}, {-2.0, 0.8333333333333334, 0.8333333333333334},
		{-2.75, 0.8333333333333334, 1.0}, {-3.0, 1.0, 1.0},
	}
	wantPrecisionRecall = []metrics.CurvePoint{
		{math.Inf(1), 0.0, 1.0}, {3.0, 0.16666666666666666, 1.0}, {2.5, 0.3333333333333333, 0.6666666666666666},
		{1.0, 0.6666666666666666, 0.6666666666666666}, {0.25, 0.6666666666666666, 0.5714285714285714},
		{-0.5, 0.8333333333333334, 0.5555555555555556}, {-2.0, 0.8333333333333334, 0.5},
		{-2.75, 1.0, 0.5454545454545454}, {-3.0, 1.0, 0.5},
	}
	wantCalibration = [][2]float64{ // announced, happened
		{0.02, 1.0}, {0.14, 0.5}, {0.21, 1.0}, {0.35666666666666663, 0.3333333333333333}, {0.565, 0.5}, {0.77, 0.0},
		{0.9650000000000001, 0.5},
	}
)

func samePoints(t *testing.T, name string, got, want []metrics.CurvePoint) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d points, want %d: %v", name, len(got), len(want), got)
	}
	for i, p := range got {
		if p.Threshold != want[i].Threshold || math.Abs(p.X-want[i].X) > 1e-15 || math.Abs(p.Y-want[i].Y) > 1e-15 {
			t.Errorf("%s: point %d is %v, want %v", name, i, p, want[i])
		}
	}
}

func TestCurvesOfScikitLearn(t *testing.T) {
	roc := must.Get(metrics.ROC(curveScores, curvePositive))(t)
	samePoints(t, "ROC", roc, wantROC)
	pr := must.Get(metrics.PrecisionRecall(curveScores, curvePositive))(t)
	samePoints(t, "precision-recall", pr, wantPrecisionRecall)
	bins, err := metrics.Calibration(announced, curvePositive, 10)
	if err != nil || len(bins) != len(wantCalibration) {
		t.Fatalf("%v, %v", bins, err)
	}
	for i, want := range wantCalibration {
		if math.Abs(bins[i].Announced-want[0]) > 1e-15 || math.Abs(bins[i].Happened-want[1]) > 1e-15 {
			t.Errorf("bin %d is %v, want %v", i, bins[i], want)
		}
	}
}

// TestCurvesByCounting: every point is what its threshold says, counted; areas are those of AUROC and AUPRC; and what
// is between points is the best that a threshold reaches.
func TestCurvesByCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		scores, positive := make([]float64, 1+rng.IntN(30)), []bool{}
		for i := range scores {
			scores[i] = float64(rng.IntN(12))
			positive = append(positive, rng.IntN(3) == 0)
		}
		count := func(threshold float64) (tp, fp, p, n float64) {
			for i, s := range scores {
				switch called := s >= threshold; {
				case positive[i]:
					p++
					if called {
						tp++
					}
				default:
					n++
					if called {
						fp++
					}
				}
			}
			return tp, fp, p, n
		}
		roc, _ := metrics.ROC(scores, positive)
		pr, _ := metrics.PrecisionRecall(scores, positive)
		if _, _, p, n := count(0); (roc == nil) != (p == 0 || n == 0) || (pr == nil) != (p == 0) {
			t.Fatalf("%v positives, %v negatives: %v, %v", p, n, roc, pr)
		}
		area, sum := 0.0, 0.0
		for i, at := range roc {
			tp, fp, p, n := count(at.Threshold)
			if at.X != fp/n || at.Y != tp/p {
				t.Errorf("ROC at %v is %v, %v", at.Threshold, at.X, at.Y)
			}
			if i > 0 {
				area += (at.X - roc[i-1].X) * (at.Y + roc[i-1].Y) / 2
			}
		}
		for i, at := range pr[min(1, len(pr)):] {
			if tp, fp, p, _ := count(at.Threshold); at.X != tp/p || at.Y != tp/(tp+fp) {
				t.Errorf("precision-recall at %v is %v, %v", at.Threshold, at.X, at.Y)
			}
			sum += (at.X - pr[i].X) * at.Y
		}
		if want, _ := metrics.AUROC(scores, positive); roc != nil && math.Abs(area-want) > 1e-12 {
			t.Errorf("area %v, AUROC %v", area, want)
		}
		if want, _ := metrics.AUPRC(scores, positive); pr != nil && math.Abs(sum-want) > 1e-12 {
			t.Errorf("sum %v, AUPRC %v", sum, want)
		}
		checkBetween(t, roc, pr, rng.Float64())
	}
}

func checkBetween(t *testing.T, roc, pr []metrics.CurvePoint, at float64) {
	t.Helper()
	if roc != nil {
		best := 0.0
		for _, p := range roc {
			if p.X <= at {
				best = max(best, p.Y)
			}
		}
		if got := metrics.YAt(roc, at); got != best {
			t.Errorf("Y at %v is %v, want %v", at, got, best)
		}
	}
	for _, p := range pr {
		if p.X >= at {
			if got := metrics.PrecisionAt(pr, at); got != p.Y {
				t.Errorf("precision at %v is %v, want %v", at, got, p.Y)
			}
			break
		}
	}
}

func TestCurveErrors(t *testing.T) {
	if _, err := metrics.ROC([]float64{1}, nil); err == nil {
		t.Error("ROC of unequal lengths")
	}
	if _, err := metrics.PrecisionRecall([]float64{math.NaN()}, []bool{true}); err == nil {
		t.Error("precision-recall of NaN")
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := metrics.Calibration([]float64{p}, []bool{true}, 10); err == nil {
			t.Errorf("calibration of %v", p)
		}
	}
	if _, err := metrics.Calibration(nil, nil, 0); err == nil {
		t.Error("calibration of no bins")
	}
}
