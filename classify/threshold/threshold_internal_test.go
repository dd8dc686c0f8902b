package threshold

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestThresholdCriteria compares each criterion with its definition, tried at every threshold that divides the decision
// values in its own way.
func TestThresholdCriteria(t *testing.T) {
	const rate = 0.3
	for name, value := range map[string]func(tp, fp, p, n float64) float64{
		Youden: func(tp, fp, p, n float64) float64 { return tp/p - fp/n },
		F1:     func(tp, fp, p, _ float64) float64 { return 2 * tp / (tp + fp + p) },
		FDR + "0.3": func(tp, fp, _, n float64) float64 {
			if (fp+1)/(tp+fp+1) > rate {
				return 0
			}
			return tp + (n-fp)/(2*n) // fewer false ones decide between equal numbers of true ones
		},
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			m := LeftOut{Y: []float64{1, -1}}
			m.Y = append(m.Y, rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 1}), 0, 40).Draw(t, "y")...)
			for range m.Y {
				m.Decisions = append(m.Decisions, float64(rapid.IntRange(-8, 8).Draw(t, "decision"))/4)
			}
			_, criterion, err := Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			at := func(threshold float64) float64 {
				o := measured(m, threshold)
				positives, negatives := sides(m.Y)
				return value(o.right, o.wrong, float64(positives), float64(negatives))
			}
			best := 0.0
			for _, v := range m.Decisions {
				best = max(best, at(v-0.125), at(v+0.125))
			}
			got := criterion(m)
			if math.Abs(max(0, at(got))-best) > 1e-12 {
				t.Fatalf("threshold %v has %v, another %v", got, at(got), best)
			}
			if name != Youden && name != F1 && best == 0 && got != Never {
				t.Fatalf("threshold %v though none meets the rate", got)
			}
		}))
	}
}

// TestMCC: of two normal distributions around -1 + shift and 1 + shift, of equal shares, the best threshold is shift. That
// by the sigmoid is nearer to it, in the mean square, than that by counts. Of few positives it is as good as the best of
// many records.
func TestMCC(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	draw := func(n int, share, shift float64) (m LeftOut) {
		for range n {
			y := -1.0
			if rng.Float64() < share {
				y = 1
			}
			m.Decisions, m.Y = append(m.Decisions, y+shift+rng.NormFloat64()), append(m.Y, y)
		}
		return m
	}
	mcc := func(m LeftOut, at float64) float64 {
		o := measured(m, at)
		positives, negatives := sides(m.Y)
		p, n := float64(positives), float64(negatives)
		above := o.right + o.wrong
		return (o.right*n - o.wrong*p) / math.Sqrt(p*n*above*(p+n-above))
	}
	bySigmoid, byCounts := 0.0, 0.0
	for range 50 {
		m := draw(200, 0.5, 0.7)
		bySigmoid += math.Pow(mccThreshold(m)-0.7, 2)
		byCounts += math.Pow(youdenThreshold(m)-0.7, 2)
	}
	if bySigmoid > byCounts/3 {
		t.Errorf("squares of errors: %v by the sigmoid, %v by counts", bySigmoid, byCounts)
	}
	rare, best := draw(20000, 0.05, -1), 0.0
	for at := -3.0; at < 3; at += 0.05 {
		best = max(best, mcc(rare, at))
	}
	if got := mcc(rare, mccThreshold(rare)); got < best-0.01 {
		t.Errorf("MCC %v of rare ones, the best threshold has %v", got, best)
	}
	for _, y := range [][]float64{{1, 1}, {-1, 1}, {}} { // no other class, decisions that speak for the other
		if at := mccThreshold(LeftOut{[]float64{2, 1}[:len(y)], y}); at != 0 {
			t.Errorf("classes %v: threshold %v", y, at)
		}
	}
}

// TestAccuracy: the threshold of the greatest accuracy, or 0 where that does not last.
func TestAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, shift := range []float64{0, 1} {
		zero := shift == 0
		var m LeftOut
		for i := range 300 {
			y := float64(2*(i%2) - 1)
			m.Decisions, m.Y = append(m.Decisions, y+shift+rng.NormFloat64()), append(m.Y, y)
		}
		wrong := func(at float64) float64 { o := measured(m, at); return o.wrong + o.missed }
		got, least := accuracyThreshold(m), math.Inf(1)
		for _, v := range m.Decisions {
			least = min(least, wrong(v))
		}
		if (got == 0) != zero || !zero && wrong(got) != least {
			t.Errorf("classes around %v: threshold %v", shift, got)
		}
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
			var m LeftOut
			for range 200 {
				decision, y := draw(shift)
				m.Decisions, m.Y = append(m.Decisions, decision), append(m.Y, y)
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
