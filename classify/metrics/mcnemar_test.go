package metrics_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

// The p-value is that of the binomial distribution, both tails together, also for so many records that the terms at its
// ends underflow.
func TestMcNemar(t *testing.T) {
	for a := range 30 {
		for b := range 30 {
			want := 1.0
			if a != b {
				want = min(1, 2*distuv.Binomial{N: float64(a + b), P: 0.5}.CDF(float64(min(a, b))))
			}
			if got := metrics.McNemar(a, b); math.Abs(got/want-1) > 1e-9 {
				t.Errorf("%d, %d: %v, want %v", a, b, got, want)
			}
		}
	}
	if p := metrics.McNemar(50_000, 50_000); p != 1 {
		t.Errorf("equal: %v", p)
	}
	if p := metrics.McNemar(50_310, 49_690); math.Abs(p-0.05) > 0.001 { // 1.96 standard deviations
		t.Errorf("of 100,000: %v", p)
	}
}
