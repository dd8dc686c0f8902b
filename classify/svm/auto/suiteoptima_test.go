package auto_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/long"
)

// activeSets compares both objectives with the best of all active sets.
func (s *suite) activeSets(t testing.TB) {
	for trial := range long.Or(15, 9) {
		n := 2 + trial%4
		g, y := points(n, 2+trial%2*n, uint64(trial))
		costs := []svm.Costs{{Positive: 1, Negative: 1}, {Positive: 0.1, Negative: 0.3}, {Positive: 20, Negative: 5}}[trial%3]
		for name, p := range s.problems(y, costs) {
			if p.Risk != nil {
				continue
			}
			name = fmt.Sprintf("%s, trial %d", name, trial)
			p.Tol = 1e-7
			want := bestActiveSet(g, p)
			sol := s.solve(t, g, p)
			s.check(t, name, g, p, sol, p.Tol)
			if most := max(1e-6, 2*sol.Gap) * math.Abs(want); math.Abs(sol.Dual-want) > most || math.Abs(sol.Primal-want) > most {
				t.Errorf("%s: objectives %v and %v, want %v", name, sol.Primal, sol.Dual, want)
			}
		}
	}
}

// bestActiveSet solves a tiny dual exactly: every coefficient is at a bound or free, and the free ones solve a linear
// system, with the bias as multiplier of the sum.
func bestActiveSet(g *svmtest.Gram, p svm.Problem) float64 {
	n, states, best := g.Len(), 3, math.Inf(-1)
	k := mat.NewSymDense(n, nil)
	for i := range n {
		row := make([]float64, n)
		g.Row(row, i)
		for j := range i + 1 {
			k.SetSym(i, j, row[j])
		}
		if p.Loss == svm.SquaredHinge {
			k.SetSym(i, i, k.At(i, i)+1/(2*cost(p, i)))
			states = 2
		}
	}
	for code := range int(math.Pow(float64(states), float64(n))) {
		beta, free := mat.NewVecDense(n, nil), []int(nil)
		for i, c := 0, code; i < n; i, c = i+1, c/states {
			switch c % states {
			case 1:
				free = append(free, i)
			case 2:
				beta.SetVec(i, math.Copysign(cost(p, i), p.Weights[i]))
			}
		}
		if !stationary(k, p, beta, free) {
			continue
		}
		feasible := p.NoBias || math.Abs(mat.Sum(beta)-p.Sum) < 1e-9
		for i := range n {
			alpha := beta.AtVec(i) * math.Copysign(1, p.Weights[i])
			feasible = feasible && alpha >= -1e-9 && (states == 2 || alpha <= cost(p, i)+1e-9)
		}
		if feasible {
			best = max(best, floats.Dot(p.Linear, beta.RawVector().Data)-mat.Inner(beta, k, beta)/2)
		}
	}
	return best
}

// stationary sets the free coefficients to where the derivatives by them are all equal, or 0 without a bias.
func stationary(k *mat.SymDense, p svm.Problem, beta *mat.VecDense, free []int) bool {
	size := len(free)
	if size == 0 {
		return true
	}
	if !p.NoBias {
		size++
	}
	a, rhs := mat.NewDense(size, size, nil), mat.NewVecDense(size, nil)
	rhs.SetVec(size-1, p.Sum-mat.Sum(beta))
	var f, x mat.VecDense
	f.MulVec(k, beta)
	for i, r := range free {
		a.Set(i, size-1, 1)
		a.Set(size-1, i, 1)
		for j, c := range free {
			a.Set(i, j, k.At(r, c))
		}
		rhs.SetVec(i, p.Linear[r]-f.AtVec(r))
	}
	if x.SolveVec(a, rhs) != nil {
		return false
	}
	for i, r := range free {
		beta.SetVec(r, x.AtVec(i))
	}
	return true
}

// optima are the bounds of the optimum of each problem of certificates, once known: the solvers share them.
var optima = map[string][2]float64{}

// certificates checks solutions of every problem, and compares them with tight ones.
func (s *suite) certificates(t testing.TB) {
	g, y := svmtest.Planted(70, 60, 4, 0.2, 0.1, 3)
	g.Own = make([]float64, len(y))
	for i := range y {
		g.Own[i] = 0.1 * float64(i%4)
	}
	if s.Tables {
		g.Own = nil
	}
	for _, c := range []float64{0.02, 5} {
		costs := svm.Costs{Positive: c, Negative: c / 2}
		for name, p := range s.problems(y, costs) {
			of := fmt.Sprint(name, c, s.Tables)
			best, known := optima[of]
			if !known {
				best[0], best[1] = optimum(t, name, g, allProblems(y, costs)[name])
				optima[of] = best
			}
			for _, p.Tol = range []float64{0, 1e-6} {
				name := fmt.Sprintf("%s, C %v, tolerance %v", name, c, p.Tol)
				sol := s.solve(t, g, p)
				tol := p.Tol
				if tol == 0 {
					tol = 1e-3
				}
				s.check(t, name, g, p, sol, tol)
				compare(t, name, sol, best[0], best[1])
			}
		}
	}
}

// degenerate has records that leave solvers little to work with.
func (s *suite) degenerate(t testing.TB) {
	half, labels := points(20, 2, 1)
	for i := range half.Values {
		if i%4 < 2 {
			half.Values[i] = make([]float64, 2)
		}
	}
	unit := func(d, n int, size float64) []float64 {
		row := make([]float64, n)
		row[d] = size
		return row
	}
	alternate := func(n int) []float64 { return slices.Repeat([]float64{1, -1}, n)[:n] }
	for what, data := range map[string]struct {
		rows [][]float64
		y    []float64
	}{
		"all zero":                 {slices.Repeat([][]float64{{0}}, 5), alternate(5)},
		"all equal, labels differ": {slices.Repeat([][]float64{{1}}, 6), alternate(6)},
		"one positive": {[][]float64{unit(0, 5, 1), unit(1, 5, 1), unit(2, 5, 1), unit(3, 5, 1), unit(4, 5, 1)},
			[]float64{1, -1, -1, -1, -1}},
		"half without features": {half.Values, labels},
		"two records":           {[][]float64{{1, 0}, {0, 1}}, alternate(2)},
		"two equal records":     {[][]float64{{1}, {1}}, alternate(2)},
		"tiny kernel values":    {[][]float64{{1e-100, 0}, {0, 1e-100}}, alternate(2)},
		"values of all sizes":   {[][]float64{{1e4, 0, 0}, {0, 1, 0}, {0, 0, 1e-4}}, alternate(3)},
	} {
		g := &svmtest.Gram{Features: len(data.rows[0])}
		for _, row := range data.rows {
			add(g, row)
		}
		for _, costs := range []svm.Costs{{Positive: 1e-9, Negative: 1e-9}, {Positive: 1e3, Negative: 1e3},
			{Positive: 1e-3, Negative: 1e3}} {
			for name, p := range s.problems(data.y, costs) {
				if p.Risk == nil {
					s.check(t, fmt.Sprintf("%s, %s, %v", what, name, costs), g, p, s.solve(t, g, p), 1e-3)
				}
			}
		}
	}
}

// extremes: any costs and kernel values that solvers take give finite numbers, contradictory duplicates and records
// without features included.
func (s *suite) extremes(t testing.TB) {
	costs := []float64{1e-109, 1e-50, 1e-10, 1, 1e5, 1e10, 1e50, 1e109}
	sizes := []float64{1e-150, 1e-50, 1e-5, 1, 1e5, 1e15, 3e34}
	if s.Limited == nil || s.Tables {
		return // without a limit it may go on and on; tables are for features of ordinary size
	}
	s = &suite{s.Limited(1000), s.abilities}
	for seed := range uint64(long.Or(25, 10)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n, dims, size := 2+rng.IntN(8), 1+rng.IntN(3), sizes[rng.IntN(len(sizes))]
		g, y := &svmtest.Gram{Features: dims}, slices.Repeat([]float64{1, -1}, 5)[:n]
		for i := range n {
			row := make([]float64, dims)
			for d := range row {
				row[d] = size * float64(rng.IntN(3)-1) * (0.5 + rng.Float64()) / 3
			}
			if i > 1 && rng.IntN(3) == 0 {
				row = g.Values[rng.IntN(i)]
			}
			add(g, row)
		}
		c := svm.Costs{Positive: costs[rng.IntN(len(costs))], Negative: costs[rng.IntN(len(costs))]}
		for name, p := range s.problems(y, c) {
			if p.Risk != nil {
				continue
			}
			sol := s.solve(t, g, p)
			for _, v := range append([]float64{sol.Rho, sol.Primal, sol.Dual, sol.Gap}, sol.Coef...) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s, seed %d: %+v", name, seed, sol)
				}
			}
		}
	}
}

// invariance: an optimum is that of the same records in another order, of repeats in place of weights, and in other
// units.
func (s *suite) invariance(t testing.TB) {
	rng := rand.New(rand.NewPCG(5, 6))
	g, y := points(24, 3, 4)
	costs := svm.Costs{Positive: 2, Negative: 5}
	for name, p := range s.problems(y, costs) {
		if p.Risk != nil {
			continue
		}
		p.Tol = 1e-6
		want := s.solve(t, g, p)
		moved, repeated := &svmtest.Gram{Features: g.Features}, &svmtest.Gram{Features: g.Features}
		q, many := p, p
		q.Linear, q.Weights, many.Linear, many.Weights = nil, nil, nil, nil
		for _, i := range rng.Perm(len(y)) {
			add(moved, g.Values[i])
			q.Linear, q.Weights = append(q.Linear, p.Linear[i]), append(q.Weights, p.Weights[i])
			for range 2 {
				add(repeated, g.Values[i])
				many.Linear, many.Weights = append(many.Linear, p.Linear[i]), append(many.Weights, p.Weights[i]/2)
			}
		}
		q.Linear, q.Weights = append(q.Linear, 7), append(q.Weights, 0) // a record that is left out
		add(moved, g.Values[0])
		scale := math.Exp(40*rng.Float64() - 20)
		scaled, units := &svmtest.Gram{Features: g.Features}, p
		units.Costs = svm.Costs{Positive: costs.Positive / scale, Negative: costs.Negative / scale}
		for _, row := range g.Values {
			add(scaled, floats.ScaleTo(make([]float64, len(row)), math.Sqrt(scale), row))
		}
		same := func(what string, got svm.Solution, unit float64) {
			t.Helper()
			if !(math.Abs(want.Primal-unit*got.Primal) <= 3e-6*math.Abs(want.Primal)) {
				t.Errorf("%s, %s: objective %v, want %v", name, what, unit*got.Primal, want.Primal)
			}
		}
		same("another order", s.solve(t, moved, q), 1)
		same("repeats for weights", s.solve(t, repeated, many), 1)
		if p.Sum == 0 {
			same("other units", s.solve(t, scaled, units), scale)
		}
	}
}
