package metrics_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
)

// binormal draws scores of positives and negatives, normal with means ±shift/2 and variance 1. The probability of a
// positive given a score s is then the sigmoid of shift·s, where there are as many positives as negatives.
func binormal(rng *rand.Rand, positives, negatives int, shift float64) (scores []float64, truth []int) {
	for i := range positives + negatives {
		y := 0
		if i < positives {
			y = 1
		}
		scores, truth = append(scores, rng.NormFloat64()+shift*(float64(y)-0.5)), append(truth, y)
	}
	return scores, truth
}

// judged measures records that were scored by their scores and, as probabilities, by the sigmoid of these.
func judged(t testing.TB, scores []float64, truth []int, shift float64, records []int) metrics.Report {
	s, y, predicted := make([]float64, len(records)), make([]int, len(records)), make([]int, len(records))
	p := [][]float64{make([]float64, len(records)), make([]float64, len(records))}
	for k, i := range records {
		s[k], y[k] = scores[i], truth[i]
		if s[k] > 0 {
			predicted[k] = 1
		}
		p[1][k] = 1 / (1 + math.Exp(-shift*s[k]))
		p[0][k] = 1 - p[1][k]
	}
	r, err := metrics.Evaluate([]string{"-", "+"}, y, predicted, [][]float64{s}, 1)
	if err == nil {
		err = r.AddProbabilities(p, y)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const shift = 1.2 // between the means of the two classes

// TestBootstrapCoverage has the values of metrics in the whole population in closed form or those of many records. That
// of reliability is 0, the end of its range, where every interval begins. The shares of 95 % intervals that hold them
// are to be 93 to 97 of 100 with the build tag long, without it, of fewer experiments, 85 to 100.
func TestBootstrapCoverage(t *testing.T) {
	size := long.Or(500_000, 20_000)
	scores, truth := binormal(rand.New(rand.NewPCG(3, 4)), size, size, shift)
	whole := judged(t, scores, truth, shift, upTo(len(scores)))
	normal := distuv.UnitNormal
	for name, want := range map[string]float64{
		"accuracy": normal.CDF(shift / 2), "auroc": normal.CDF(shift / math.Sqrt2),
	} {
		if math.Abs(whole.Value(name)-want) > 1.5/math.Sqrt(float64(size)) {
			t.Fatalf("%s of the population is %v, want %v", name, whole.Value(name), want)
		}
	}
	experiments, replicates, least, most := 40, 80, 0.85, 1.0
	if long.Tests {
		experiments, replicates, least, most = 1200, 300, 0.93, 0.97
	}
	rng, held := rand.New(rand.NewPCG(3, 4)), make([]float64, len(whole.Names))
	for e := range experiments {
		scores, truth := binormal(rng, 100, 100, shift)
		b := metrics.Bootstrap{Replicates: replicates, Seed: uint64(e), Strata: truth}
		r := must.Get(b.Run(t.Context(), len(truth), func(s metrics.Resample) ([]metrics.Float, error) {
			return judged(t, scores, truth, shift, s.Records).Values, nil
		}))(t)
		interval := r.Intervals(judged(t, scores, truth, shift, upTo(len(scores))).Scalars)
		for m, value := range whole.Values {
			if interval.Lower.Values[m] <= value && value <= interval.Upper.Values[m] {
				held[m] += 1 / float64(experiments)
			}
		}
	}
	for m, name := range whole.Names {
		t.Logf("%s = %.4f is in %.3f of the intervals", name, whole.Values[m], held[m])
		if name != "reliability" && !(held[m] >= least && held[m] <= most+1e-9) {
			t.Errorf("%s is in %.3f of the intervals, want %v to %v", name, held[m], least, most)
		}
	}
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// TestBootstrapDraws: every stratum keeps its number of groups, groups stay whole, copies have names of their own, the
// mean number of copies is 1, and the samples depend on the seed alone.
func TestBootstrapDraws(t *testing.T) {
	groups := []string{"a", "b", "a", "c", "d", "d", "e", "f", "f"}
	strata := []int{0, 0, 0, 0, 1, 1, 1, 0, 1} // f is of both
	stratumOf := map[string]int{"a": 0, "b": 0, "c": 0, "d": 1, "e": 1, "f": 2}
	sizes, copies := map[string]int{"a": 2, "b": 1, "c": 1, "d": 2, "e": 1, "f": 2}, map[string]int{}
	run := func() [][]int {
		samples := make([][]int, 400)
		var next atomic.Int64
		b := metrics.Bootstrap{Replicates: len(samples), Seed: 7, Strata: strata, Groups: groups}
		r, err := b.Run(context.Background(), len(groups), func(s metrics.Resample) ([]metrics.Float, error) {
			members, of := map[int]int{}, map[int]string{}
			for k, i := range s.Records {
				if name, again := of[s.Draws[k]]; again && name != groups[i] {
					t.Errorf("draw %d is of %s and %s", s.Draws[k], name, groups[i])
				}
				members[s.Draws[k]]++
				of[s.Draws[k]] = groups[i]
			}
			drawn := [3]int{}
			for draw, name := range of {
				drawn[stratumOf[name]]++
				if members[draw] != sizes[name] {
					t.Errorf("draw %d has %d records of %s", draw, members[draw], name)
				}
			}
			if drawn != [3]int{3, 2, 1} || !slices.IsSorted(s.Records) {
				t.Errorf("%v groups drawn, want 3, 2 and 1; records %v", drawn, s.Records)
			}
			samples[next.Add(1)-1] = s.Records
			return []metrics.Float{metrics.Float(len(s.Records))}, nil
		})
		if err != nil || r.Units != 6 || r.Freedom != 3 {
			t.Fatalf("%d units, %d degrees of freedom (%v), want 6 and 3", r.Units, r.Freedom, err)
		}
		slices.SortFunc(samples, slices.Compare)
		return samples
	}
	samples := run()
	for _, s := range samples {
		for _, i := range s {
			copies[groups[i]]++
		}
	}
	for name, n := range copies {
		if mean := float64(n) / float64(sizes[name]*len(samples)); math.Abs(mean-1) > 0.15 {
			t.Errorf("%s was drawn %v times on average", name, mean)
		}
	}
	if again := run(); !slices.EqualFunc(samples, again, slices.Equal) {
		t.Error("the same seed gives other samples")
	}
	for _, b := range []metrics.Bootstrap{{Replicates: -1}, {Strata: []int{1}}, {Groups: []string{"a"}}} {
		if _, err := b.Run(context.Background(), 2, nil); err == nil {
			t.Errorf("%+v is taken", b)
		}
	}
}

// TestIntervalsOfFew: undefined and constant replicates.
func TestIntervalsOfFew(t *testing.T) {
	nan := metrics.Float(math.NaN())
	r := &metrics.Replicates{Values: [][]metrics.Float{{1, nan, 0.1}, {1, nan, 0.3}, {1, 0.5, nan}}, Units: 10, Freedom: 9}
	if lower, upper := r.Interval95(0, 1, metrics.Unit); lower != 1 || upper != 1 {
		t.Errorf("perfect: %v to %v", lower, upper)
	}
	if lower, _ := r.Interval95(1, 0.5, metrics.Unit); !math.IsNaN(lower) {
		t.Errorf("mostly undefined: from %v", lower)
	}
	// by hand: mean 0.2, deviation √0.02·√(10/9), Student's t of 9 degrees 2.262157
	want := 2.262157 * math.Sqrt(0.02*10/9)
	lower, upper := r.Interval95(2, 0.25, metrics.Real)
	if math.Abs(lower-(0.3-want)) > 1e-5 || math.Abs(upper-(0.3+want)) > 1e-5 {
		t.Errorf("%v to %v, want 0.3 ± %v", lower, upper, want)
	}
	if p, want := r.P(2, 0.25), math.Erfc(metrics.Normal95*0.3/want/math.Sqrt2); math.Abs(p-want) > 1e-5 {
		t.Errorf("p = %v, want %v", p, want)
	}
	for _, degrees := range []int{1, 2, 3, 5, 10, 30, 200, 100_000} {
		r := &metrics.Replicates{Values: [][]metrics.Float{{0}, {1}}, Units: degrees, Freedom: degrees}
		lower, upper := r.Interval95(0, 0.5, metrics.Real)
		want := distuv.StudentsT{Nu: float64(degrees), Sigma: 1}.Quantile(0.975)
		if got := (upper - lower) / math.Sqrt2; math.Abs(got-want) > 0.04*math.Pow(float64(degrees), -2)*want+1e-9 {
			t.Errorf("%d degrees: %v deviations, want %v", degrees, got, want)
		}
	}
	for scale, ends := range map[metrics.Scale][2]float64{metrics.Unit: {0, 1}, metrics.Signed: {-1, 1}, metrics.Positive: {0, math.Inf(1)},
		metrics.Bounded: {0, math.Inf(1)}, metrics.AtMost1: {math.Inf(-1), 1}} {
		for _, estimate := range []metrics.Float{0.02, 0.98} {
			r := &metrics.Replicates{Values: [][]metrics.Float{{estimate - 0.019}, {estimate + 0.019}}, Units: 10, Freedom: 9}
			lower, upper := r.Interval95(0, float64(estimate), scale)
			if !(lower >= ends[0] && upper <= ends[1] && lower < float64(estimate) && upper > float64(estimate)) {
				t.Errorf("scale %d: %v to %v around %v, want them within %v", scale, lower, upper, estimate, ends)
			}
		}
	}
	same := &metrics.Replicates{Values: [][]metrics.Float{{0.5, 0.5}, {0.7, 0.7}}, Units: 2, Freedom: 1}
	if p := same.Differences().P(0, 0); p != 1 {
		t.Errorf("no difference: p = %v", p)
	}
}
