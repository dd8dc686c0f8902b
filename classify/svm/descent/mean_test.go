package descent

import (
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

func blockedRun(t *testing.T, n, length int, p svm.Problem, ends ...int) *coordinateRun {
	t.Helper()
	g, y := svmtest.Planted(n, length, 5, 0.2, 0.1, 3)
	rows, _, err := rowsOf(g)
	if err != nil {
		t.Fatal(err)
	}
	p.Linear, p.Weights = y, y
	rows.blocks = ends
	of := must.Get(dual.Of(n, p, Solver{}.Check))(t)
	return must.Get(Solver{}.newRun(t.Context(), of, rows, nil))(t)
}

// primalByDefinition is the least value over the bias, which is at a corner of a hinge.
func primalByDefinition(r *coordinateRun, table []float64) float64 {
	f := make([]float64, len(r.Linear))
	for i := range f {
		f[i] = r.rows.Gather(table, i)
	}
	best := math.Inf(1)
	for k := range f {
		b, value := r.Linear[k]-f[k], 0.0
		for i, y := range r.Linear {
			value += r.Cost(i) * math.Max(0, 1-y*(f[i]+b))
		}
		best = min(best, value)
	}
	for _, w := range table {
		best += w * w / 2
	}
	return best
}

// TestMeanTables compares certified primal values with the definition, at the better of the mean and the table.
func TestMeanTables(t *testing.T) {
	means := 0
	for _, c := range []float64{0.1, 1, 10} {
		r := blockedRun(t, 400, 60, svm.Problem{Costs: svm.Costs{Positive: c, Negative: c / 2}}, 100, 150, 400)
		for pass := range 8 {
			must.Succeed(t, r.pass(t.Context()))
			mean, taken := slices.Clone(r.mean.table), r.mean.taken
			now := must.Get(r.certificate(t.Context()))(t)
			if taken == 0 {
				t.Fatal("no table is in the mean")
			}
			want := min(primalByDefinition(r, r.table), primalByDefinition(r, mean))
			if math.Abs(now.Primal-want) > 1e-9*want || now.Dual > now.Primal {
				t.Errorf("C %v, pass %d: primal value %v, want %v; dual value %v", c, pass, now.Primal, want, now.Dual)
			}
			r.keep()
			if got := primalByDefinition(r, r.mean.best); math.Abs(got-want) > 1e-9*want {
				t.Errorf("C %v, pass %d: the table kept has the primal value %v, want %v", c, pass, got, want)
			}
			if r.mean.isBest {
				means++
			}
		}
	}
	if means == 0 {
		t.Error("no mean was better than the table")
	}
}
