package countof_test

import (
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The values of occurrences multiply to what the function makes of a pair of counts, by its definition.
func TestOccurrencesByDefinition(t *testing.T) {
	var counts []int
	for n := range 300 {
		counts = append(counts, n)
	}
	counts = append(counts, 1000, 1001, 12345, 100000)
	for f, pair := range map[stringkernel.Count]func(a, b float64) float64{
		stringkernel.CountMin:  math.Min,
		stringkernel.CountChi2: func(a, b float64) float64 { return 2 * a * b / max(a+b, 1) },
	} {
		o := countof.OccurrencesOf(f)
		for _, a := range counts {
			x := o.Values(a, a)
			if o.Number(a) != len(x) {
				t.Fatalf("%s: %d values of a count of %d, of which there are %d", f, len(x), a, o.Number(a))
			}
			for _, b := range counts {
				y, sum := o.Values(b, b), 0.0
				for i := range min(len(x), len(y)) {
					sum += x[i] * y[i]
				}
				if want := pair(float64(a), float64(b)); math.Abs(sum-want) > 1e-13*want {
					t.Fatalf("%s of %d and %d: %v, by definition %v", f, a, b, sum, want)
				}
			}
		}
	}
}
