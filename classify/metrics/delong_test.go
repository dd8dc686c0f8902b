package metrics_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// jackknife returns the covariance of two statistics of records of two sides by leaving out each record in turn, side
// by side (Arvesen 1969): Σ over the sides of (m − 1)/m · Σ (a_i − ā)(b_i − b̄), which for areas under ROC curves is
// DeLong's.
func jackknife(a, b func(skip int) float64, positive []bool) (cov float64) {
	for _, of := range []bool{true, false} {
		var as, bs []float64
		for i, p := range positive {
			if p == of {
				as, bs = append(as, a(i)), append(bs, b(i))
			}
		}
		m := float64(len(as))
		var sumA, sumB, sum float64
		for i := range as {
			sumA, sumB = sumA+as[i], sumB+bs[i]
		}
		for i := range as {
			sum += (as[i] - sumA/m) * (bs[i] - sumB/m)
		}
		cov += sum * (m - 1) / m
	}
	return cov
}

// areaWithout is the AUROC by its definition, without a record.
func areaWithout(scores []float64, positive []bool, skip int) float64 {
	if skip < 0 {
		return pairwiseAUROC(scores, positive)
	}
	return pairwiseAUROC(slices.Delete(slices.Clone(scores), skip, skip+1),
		slices.Delete(slices.Clone(positive), skip, skip+1))
}

// TestDeLongIsAJackknife: the variances, and the covariance, with and without ties.
func TestDeLongIsAJackknife(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 40 {
		n := 4 + rng.IntN(26)
		a, b, positive := make([]float64, n), make([]float64, n), make([]bool, n)
		for i := range a {
			positive[i] = i < 2 || i > 3 && rng.IntN(3) == 0
			a[i], b[i] = rng.NormFloat64(), rng.NormFloat64()
			if trial%2 == 0 {
				a[i], b[i] = float64(rng.IntN(4)), float64(rng.IntN(3))
			}
		}
		d := must.Get(metrics.NewDeLong(a, b, positive))(t)
		without := func(scores []float64) func(int) float64 {
			return func(skip int) float64 { return areaWithout(scores, positive, skip) }
		}
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"area", d.A, areaWithout(a, positive, -1)},
			{"area", d.B, areaWithout(b, positive, -1)},
			{"variance", d.VarA, jackknife(without(a), without(a), positive)},
			{"variance", d.VarB, jackknife(without(b), without(b), positive)},
			{"covariance", d.Cov, jackknife(without(a), without(b), positive)},
		} {
			if math.Abs(c.got-c.want) > 1e-12 {
				t.Fatalf("%s %v, want %v", c.name, c.got, c.want)
			}
		}
	}
}

// TestDeLongOfTheSame: a score does not differ from itself, nor from one of the same order.
func TestDeLongOfTheSame(t *testing.T) {
	a, positive := []float64{3, 1, 2, 0, math.Inf(1)}, []bool{true, false, true, true, false}
	b := []float64{30, 10, 20, -1, 1e9}
	d, err := metrics.NewDeLong(a, b, positive)
	if err != nil || d.Difference() != 0 || d.SD() != 0 || d.P() != 1 {
		t.Errorf("%+v, p = %v (%v)", d, d.P(), err)
	}
	if d, err := metrics.NewDeLong(a[:3], b[:3], positive[:3]); err != nil || !math.IsNaN(d.SD()) || d.A != 1 {
		t.Errorf("one negative: %+v (%v), want an area without variance", d, err)
	}
	if _, err := metrics.NewDeLong(a, b[:2], positive); err == nil {
		t.Error("two scores of five records are taken")
	}
	if _, err := metrics.NewDeLong(a, slices.Repeat([]float64{math.NaN()}, 5), positive); err == nil {
		t.Error("NaN is taken")
	}
}

// TestDifferencesAreDeLongs: the deviation of the difference of two areas over many samples is DeLong's.
func TestDifferencesAreDeLongs(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	a, truth := binormal(rng, 80, 120, 1)
	b, positive := make([]float64, len(a)), make([]bool, len(a))
	for i := range b {
		b[i], positive[i] = a[i]+rng.NormFloat64(), truth[i] == 1
	}
	d := must.Get(metrics.NewDeLong(a, b, positive))(t)
	bootstrap := metrics.Bootstrap{Replicates: 2000, Strata: truth}
	r := must.Get(bootstrap.Run(context.Background(), len(a), func(s metrics.Resample) ([]metrics.Float, error) {
		area := func(scores []float64) metrics.Float {
			drawn, y := make([]float64, len(s.Records)), make([]bool, len(s.Records))
			for k, i := range s.Records {
				drawn[k], y[k] = scores[i], positive[i]
			}
			value, err := metrics.AUROC(drawn, y)
			if err != nil {
				t.Error(err)
			}
			return metrics.Float(value)
		}
		return []metrics.Float{area(a), area(b)}, nil
	}))(t)
	lower, upper := r.Differences().Interval95(0, d.Difference(), metrics.Real)
	from, to := d.Interval95()
	if width := to - from; math.Abs(lower-from) > width/20 || math.Abs(upper-to) > width/20 {
		t.Errorf("bootstrap %v to %v, DeLong %v to %v", lower, upper, from, to)
	}
	if p, want := r.Differences().P(0, d.Difference()), d.P(); math.Abs(p-want) > 0.1*want+1e-3 {
		t.Errorf("bootstrap p = %v, DeLong %v", p, want)
	}
}

// TestTwoSided: the complementary error function of the standard library.
func TestTwoSided(t *testing.T) {
	for z := -9.0; z <= 9; z += 0.01 {
		if got, want := metrics.TwoSided(z), math.Erfc(math.Abs(z)/math.Sqrt2); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("%v: %v, want %v", z, got, want)
		}
	}
	if got := metrics.TwoSided(math.Inf(1)); got != 0 {
		t.Errorf("infinity: %v", got)
	}
	if got := metrics.TwoSided(math.NaN()); !math.IsNaN(got) {
		t.Errorf("NaN: %v", got)
	}
}
