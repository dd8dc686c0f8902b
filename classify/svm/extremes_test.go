package svm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
)

// TestSolversAtTheLimits: any costs and kernel values that the solvers take give finite numbers soon, contradictory
// duplicates and records without features included.
func TestSolversAtTheLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, y := extremePoints(t)
		k := precomputedOf(g)
		cost := rapid.SampledFrom([]float64{leastCost, 1e-50, 1e-10, 1, 1e5, 1e10, 1e50, mostCost})
		costs := Costs{cost.Draw(t, "positive"), cost.Draw(t, "negative")}
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			checkFinite(t, task{SMO{MaxIterations: 10_000}, Problem{Costs: costs, Loss: loss}},
				func(ctx context.Context, s task) (Solution, error) {
					return s.Solve(ctx, k, y)
				})
			checkFinite(t, task{DualCoordinate{}, Problem{Costs: costs, Loss: loss}},
				func(ctx context.Context, s task) (Solution, error) {
					return s.Solve(ctx, g, y)
				})
		}
		checkFinite(t, task{CuttingPlane{}, Problem{Costs: costs}},
			func(ctx context.Context, s task) (Solution, error) {
				return s.Solve(ctx, k, y)
			})
	})
}

func checkFinite(t *rapid.T, s task, solve func(context.Context, task) (Solution, error)) {
	sol, err := solve(context.Background(), s)
	if err != nil {
		t.Fatalf("%T: %v", s.solver, err)
	}
	if i := firstNonFinite(append([]float64{sol.Rho, sol.Primal, sol.Dual, sol.Gap}, sol.Coef...)); i >= 0 {
		t.Fatalf("%T: number %d of %+v is not finite", s.solver, i, sol)
	}
}

// extremePoints returns a few points of one, two or three features, up to the greatest kernel values, some of them
// zeros and some twice.
func extremePoints(t *rapid.T) (*svmtest.Gram, []float64) {
	n, dims := rapid.IntRange(2, 9).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "dims")
	size := math.Sqrt(rapid.SampledFrom([]float64{1e-300, 1e-100, 1e-10, 1, 1e10, 1e30, mostValue / 9}).Draw(t, "size"))
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
	g, y := &svmtest.Gram{Features: dims, Own: make([]float64, n)}, make([]float64, n)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		var ids []int32
		var values []float64
		for d := range dims {
			ids, values = append(ids, int32(d)), append(values, size*float64(rng.IntN(3)-1)*(0.5+rng.Float64()))
		}
		if i > 1 && rng.IntN(3) == 0 {
			twin := rng.IntN(i)
			ids, values = g.IDs[twin], g.Values[twin]
		}
		g.IDs, g.Values = append(g.IDs, ids), append(g.Values, values)
	}
	return g, y
}

func precomputedOf(g *svmtest.Gram) *Precomputed {
	p := &Precomputed{N: g.Len(), K: make([]float64, g.Len()*g.Len())}
	for i := range p.N {
		g.Row(p.row(i), i)
	}
	return p
}

// TestBeyondTheLimits: what would leave float64 is refused by name.
func TestBeyondTheLimits(t *testing.T) {
	g, y := points(6, 2, false, 1)
	large := &Precomputed{N: 6, K: append([]float64(nil), g.K...)}
	large.K[7] = 1e71
	far := &Precomputed{N: 6, K: append([]float64(nil), g.K...)}
	far.K[2], far.K[12] = -1e71, -1e71
	for _, c := range []struct {
		want   string
		solver task
		g      *Precomputed
	}{
		{"Costs.Positive = 1.7e+308", task{SMO{}, Problem{Costs: Costs{Positive: 1.7e308}}}, g},
		{"Costs.Negative = 5e-324", task{CuttingPlane{}, Problem{Costs: Costs{Negative: 5e-324}}}, g},
		{"entry (1, 1) of the Gram matrix is 1e+71", task{SMO{}, Problem{}}, large},
		{"entry (1, 1) of the Gram matrix is 1e+71", task{CuttingPlane{}, Problem{}}, large},
		{"of the Gram matrix is -1e+71", task{SMO{}, Problem{}}, far},
	} {
		if _, err := c.solver.Solve(context.Background(), c.g, y); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: error %v, want one with %q", c.solver.solver, err, c.want)
		}
	}
	for _, cost := range []float64{1e-101, 1e101} {
		_, err := multiTask{CrammerSinger{},
			MulticlassProblem{Costs: []float64{1, cost * cost}}}.Solve(context.Background(), g,
			[]int{0, 1, 0, 1, 0, 1}, 2)
		if want := fmt.Sprintf("Costs[1] = %v", cost*cost); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
