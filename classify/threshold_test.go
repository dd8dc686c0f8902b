package classify

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestThresholdCriteria compares each criterion with its definition, tried at every threshold that divides the decision
// values in its own way.
func TestThresholdCriteria(t *testing.T) {
	const rate = 0.3
	for name, value := range map[string]func(tp, fp, p, n float64) float64{
		ThresholdYouden: func(tp, fp, p, n float64) float64 { return tp/p - fp/n },
		ThresholdF1:     func(tp, fp, p, _ float64) float64 { return 2 * tp / (tp + fp + p) },
		ThresholdFDR + "0.3": func(tp, fp, _, n float64) float64 {
			if (fp+1)/(tp+fp+1) > rate {
				return 0
			}
			return tp + (n-fp)/(2*n) // fewer false ones decide between equal numbers of true ones
		},
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			m := leftOut{y: []float64{1, -1}}
			m.y = append(m.y, rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 1}), 0, 40).Draw(t, "y")...)
			for range m.y {
				m.decisions = append(m.decisions, float64(rapid.IntRange(-8, 8).Draw(t, "decision"))/4)
			}
			_, criterion, err := readThreshold(name)
			if err != nil {
				t.Fatal(err)
			}
			at := func(threshold float64) float64 {
				o := measured(m, threshold)
				positives, negatives := sides(m.y)
				return value(o.right, o.wrong, float64(positives), float64(negatives))
			}
			best := 0.0
			for _, v := range m.decisions {
				best = max(best, at(v-0.125), at(v+0.125))
			}
			got := criterion(m)
			if math.Abs(max(0, at(got))-best) > 1e-12 {
				t.Fatalf("threshold %v has %v, another %v", got, at(got), best)
			}
			if name != ThresholdYouden && name != ThresholdF1 && best == 0 && got != neverGiven {
				t.Fatalf("threshold %v though none meets the rate", got)
			}
		}))
	}
}

// TestRateOfThreshold: of records that are drawn as those left out were, the share of false ones above the threshold is
// on average no more than the rate, whatever the overlap of the classes.
func TestRateOfThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(shift float64) (decision, y float64) {
		if y = -1; rng.IntN(3) == 0 {
			y = 1
		}
		return rng.NormFloat64() + float64(y*shift), y
	}
	const rate, draws = 0.1, 400
	for _, shift := range []float64{0, 0.5, 1, 2} {
		sum, squares := 0.0, 0.0
		for range draws {
			var m leftOut
			for range 200 {
				decision, y := draw(shift)
				m.decisions, m.y = append(m.decisions, decision), append(m.y, y)
			}
			threshold, given, wrong := fdrThreshold(m, rate), 0.0, 0.0
			for range 1000 {
				if decision, y := draw(shift); decision > threshold {
					if given++; y < 0 {
						wrong++
					}
				}
			}
			share := wrong / max(1, given)
			sum, squares = sum+share, squares+share*share
		}
		mean := sum / draws
		if deviation := math.Sqrt(max(0, squares/draws-mean*mean) / draws); mean > rate+3*deviation {
			t.Errorf("classes %v apart: %.4f ± %.4f of the records above the threshold are false, want ≤ %v", 2*shift, mean,
				deviation, rate)
		}
	}
}

// TestTrainedThreshold: a threshold changes classes, and neither scores nor probabilities.
func TestTrainedThreshold(t *testing.T) {
	d := toyData(120, 2)
	folds, err := d.Folds(4, 1)
	if err != nil {
		t.Fatal(err)
	}
	plain := Trainer{Kernel: toyKernel{}, Probability: true, Seed: 1}
	before, err := plain.Train(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, threshold := range []string{ThresholdYouden, ThresholdF1, ThresholdFDR + "0.2", "-0.25"} {
		with := plain
		with.Threshold = threshold
		m, err := with.Train(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		at := m.Machines[0].Threshold
		if m.Criterion != threshold || threshold == "-0.25" && at != -0.25 || m.Machines[0].Rho != before.Machines[0].Rho ||
			*m.Machines[0].Sigmoid != *before.Machines[0].Sigmoid {
			t.Errorf("%s: %+v, %q", threshold, m.Machines[0], m.Criterion)
		}
		for _, score := range []float64{at, math.Nextafter(at, math.Inf(1))} {
			if want, got := score > at, m.Combine([]float64{score + m.Machines[0].Rho}); m.Machines[0].Rho == 0 &&
				(got.Class == m.Positive) != want {
				t.Errorf("%s = %v: class %d of score %v", threshold, at, got.Class, score)
			}
		}
		out, err := CrossValidate(t.Context(), with, d, folds)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range out.Predictions {
			r := out.Rules[out.Fold[i]]
			if (p.Class == d.Positive) != (p.Scores[0] > r.Machines[0].Threshold) || r.Criterion != threshold {
				t.Fatalf("%s: record %d of fold %d is of class %d by %v, threshold %v", threshold, i, out.Fold[i], p.Class,
					p.Scores[0], r.Machines[0].Threshold)
			}
		}
		if threshold != "-0.25" && slices.IndexFunc(out.Rules, func(r Rule) bool {
			return r.Machines[0].Threshold != out.Rules[0].Machines[0].Threshold
		}) < 0 {
			t.Errorf("%s: the thresholds of all folds are %v", threshold, out.Rules[0].Machines[0].Threshold)
		}
	}
	for _, wrong := range []string{"best", "fdr=0", "fdr=1", "fdr=", "fdr", "NaN", "1e300"} {
		with := plain
		if with.Threshold = wrong; with.CheckOptions() == nil {
			t.Errorf("threshold %q is accepted", wrong)
		}
	}
	several := Trainer{Kernel: toyKernel{}, Threshold: ThresholdF1}
	if err := several.CheckLabels(ManyClasses); err == nil || !strings.Contains(err.Error(), "two classes") {
		t.Errorf("three classes: %v", err)
	}
}
