package auto_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// abilities says what a solver is for.
type abilities struct {
	Refused []string                                // problems that it refuses with an [svm.OptionError]
	Gram    func(g *svmtest.Gram) stringkernel.Gram // how it is given records; nil: as they are
	Limited func(iterations int) svm.Solver         // with a limit of iterations
	Tables  bool                                    // its Coef are weights of features, not of records
	Starts  bool                                    // it starts from Problem.Start
	Open    func(s svm.Solution) bool               // whether it may leave a gap; nil: never
}

// Names of problems, for abilities.Refused.
var (
	squares = []string{"squared hinge", "squared hinge without a bias"}
	risks   = []string{"insensitive", "nu-insensitive", "pinball", "novelty", "nu-classes", "unlabelled", "ordinal",
		"ranking"}
)

// allProblems returns a problem of each kind, for records with labels ±1, by its name. A Risk is for one run.
func allProblems(y []float64, costs svm.Costs) map[string]svm.Problem {
	n := len(y)
	targets, weights, class := make([]float64, n), make([]float64, n), make([]int, n)
	for i := range y {
		targets[i], weights[i], class[i] = float64(i%7)/3+y[i], 0.5+float64(i%3), i%3
	}
	ones := slices.Repeat([]float64{1}, n)
	c := max(costs.Positive, costs.Negative)
	all := map[string]svm.Problem{
		"hinge":                        {Linear: y, Weights: y, Costs: costs},
		"weighted hinge":               {Linear: y, Weights: risk.Times(y, weights), Costs: costs},
		"hinge without a bias":         {Linear: y, Weights: y, Costs: costs, NoBias: true},
		"one label without a bias":     {Linear: ones, Weights: ones, Costs: costs, NoBias: true},
		"regression":                   {Linear: targets, Weights: risk.Times(y, weights), Costs: costs},
		"sum":                          {Linear: targets, Weights: ones, Sum: 0.3 * float64(n)},
		"squared hinge":                {Linear: y, Weights: y, Costs: costs, Loss: svm.SquaredHinge},
		"squared hinge without a bias": {Linear: y, Weights: y, Costs: costs, Loss: svm.SquaredHinge, NoBias: true},
	}
	ranking, _ := risk.NewRanking(targets, nil, c)
	for name, r := range map[string]risk.Risk{
		"insensitive": risk.Insensitive(targets, weights, c, 0.5), "nu-insensitive": risk.NuInsensitive(targets, c, 0.3),
		"pinball": risk.Pinball(targets, nil, c, 0.8), "novelty": risk.OneClass(n, nil, 0.2),
		"nu-classes": risk.NuClasses(y, 0.3), "unlabelled": risk.Unlabelled(y, c, 0.6),
		"ordinal": risk.Ordinal(class, 3, nil, c), "ranking": ranking,
	} {
		all[name] = svm.Problem{Risk: r}
	}
	return all
}

// runSuite runs the conformance suite of solvers as subtests.
//
// It checks each solution by the definitions of the problem: bounds and sum of the coefficients, both objectives, the
// gap. It compares optima with those of all active sets of tiny problems, with a tight solution by another solver, and
// with what an optimum keeps: under another order of records, repeats in place of weights, and other units. Solutions
// depend on neither threads nor what was solved before, inputs stay as they are, bad ones are refused by name, and a
// run ends soon after its context.
func runSuite(t *testing.T, s svm.Solver, opt abilities) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.run(&suite{s, opt}, t) })
	}
}

// checks lists the parts of the suite.
var checks = []struct {
	name string
	run  func(s *suite, t testing.TB)
}{
	{"active sets", (*suite).activeSets},
	{"certificates", (*suite).certificates},
	{"degenerate data", (*suite).degenerate},
	{"extremes", (*suite).extremes},
	{"invariance", (*suite).invariance},
	{"conduct", (*suite).conduct},
	{"cancellation", (*suite).cancellation},
	{"limits", (*suite).limits},
	{"starts", (*suite).starts},
	{"refusals", (*suite).refusals},
}

type suite struct {
	svm.Solver
	abilities
}

// solve solves the problem of a name for records with labels.
func (s *suite) solve(t testing.TB, g *svmtest.Gram, p svm.Problem) svm.Solution {
	t.Helper()
	sol, err := s.Solve(t.Context(), s.gram(g), p)
	if err != nil {
		t.Fatal(err)
	}
	return sol
}

func (s *suite) gram(g *svmtest.Gram) stringkernel.Gram {
	if s.Gram == nil {
		return g
	}
	return s.Gram(g)
}

// problems returns the problems of records with labels that the solver does not refuse.
func (s *suite) problems(y []float64, costs svm.Costs) map[string]svm.Problem {
	all := allProblems(y, costs)
	for _, name := range s.Refused {
		delete(all, name)
	}
	return all
}

// Points returns records of random features, with labels of classes that overlap.
func points(n, dims int, seed uint64) (*svmtest.Gram, []float64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	g, y := &svmtest.Gram{Features: dims}, make([]float64, n)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		row := make([]float64, dims)
		for d := range row {
			row[d] = rng.NormFloat64() + 0.4*y[i]
		}
		add(g, row)
	}
	return g, y
}

// add adds a record with its features, zeros too.
func add(g *svmtest.Gram, row []float64) {
	ids := make([]int32, len(row))
	for d := range ids {
		ids[d] = int32(d)
	}
	g.IDs, g.Values = append(g.IDs, ids), append(g.Values, row)
}

// cost returns the greatest size of a coefficient.
func cost(p svm.Problem, i int) float64 {
	c := p.Costs.Positive
	if p.Weights[i] < 0 {
		c = p.Costs.Negative
	}
	if c == 0 {
		c = 1
	}
	return c * math.Abs(p.Weights[i])
}

// losses returns the losses of scores and a bias by definition, with the slack of each record.
func losses(p svm.Problem, f []float64, bias float64) (loss float64) {
	for i, v := range p.Linear {
		slack := max(0, math.Copysign(1, p.Weights[i])*(v-f[i]-bias))
		if p.Loss == svm.SquaredHinge {
			slack *= slack
		}
		loss += cost(p, i) * slack
	}
	return loss + p.Sum*bias
}

// scored returns the scores of the records and the squared norm of w.
func (s *suite) scored(g *svmtest.Gram, coef []float64) (f []float64, square float64) {
	f = make([]float64, g.Len())
	if !s.Tables {
		g.MulVecTo(f, coef)
		return f, floats.Dot(f, coef)
	}
	for i := range f {
		f[i] = g.FeatureRows().Gather(coef, i)
	}
	return f, floats.Dot(coef, coef)
}

// check recomputes from the definitions all that a solution claims.
func (s *suite) check(t testing.TB, name string, g *svmtest.Gram, p svm.Problem, sol svm.Solution, tol float64) {
	t.Helper()
	f, square := s.scored(g, sol.Coef)
	primal, size := square/2, square
	if p.Risk != nil {
		loss, _ := p.Risk.Plane(make([]float64, len(f)), f)
		primal += loss
		size += math.Abs(loss)
		s.checkSubgradient(t, name, p.Risk, f, sol)
	} else {
		primal += losses(p, f, -sol.Rho)
		size += math.Abs(p.Sum*sol.Rho) + losses(p, f, -sol.Rho)
		if !s.Tables {
			checkFeasible(t, name, p, sol, square)
		}
	}
	if !(math.Abs(primal-sol.Primal) <= 1e-9*(size+1e-12)) {
		t.Errorf("%s: primal %v, want %v", name, sol.Primal, primal)
	}
	if p.NoBias && sol.Rho != 0 {
		t.Errorf("%s: ρ = %v without a bias", name, sol.Rho)
	}
	gap := max(0, sol.Primal-sol.Dual) / max(math.Abs(sol.Primal), 1e-300)
	if most := 1e-9 * max(1, size/max(math.Abs(primal), 1e-300)); !(math.Abs(sol.Gap-gap) <= most) {
		t.Errorf("%s: gap %v, want %v, that of %v and %v", name, sol.Gap, gap, sol.Primal, sol.Dual)
	}
	if !(sol.Gap <= tol) && (s.Open == nil || !s.Open(sol)) {
		t.Errorf("%s: gap %v, want at most %v", name, sol.Gap, tol)
	}
}

// checkFeasible compares coefficients with their bounds and their sum, and the lower bound with the value they have.
func checkFeasible(t testing.TB, name string, p svm.Problem, sol svm.Solution, square float64) {
	t.Helper()
	sum, size, dual := -p.Sum, 0.0, -square/2
	for i, b := range sol.Coef {
		c, alpha := cost(p, i), b*math.Copysign(1, p.Weights[i])
		if !(alpha >= -1e-12*c) || p.Loss != svm.SquaredHinge && alpha > c*(1+1e-12) {
			t.Errorf("%s: coefficient %d is %v, its bound %v", name, i, b, c)
		}
		sum += b
		size += math.Abs(b)
		dual += p.Linear[i] * b
		if p.Loss == svm.SquaredHinge {
			dual -= b * b / (4 * c)
		}
	}
	if !p.NoBias && math.Abs(sum) > 1e-9*size {
		t.Errorf("%s: coefficients sum to %v more than %v", name, sum, p.Sum)
	}
	if sol.Dual < dual-1e-9*(size+square) {
		t.Errorf("%s: dual %v, but the coefficients have %v", name, sol.Dual, dual)
	}
}

// checkSubgradient: the coefficients are those of a plane that lies below the risk everywhere, but for the gap. With
// w = Σ a_i φ(x_i) that is what an optimum is.
func (s *suite) checkSubgradient(t testing.TB, name string, r risk.Risk, f []float64, sol svm.Solution) {
	t.Helper()
	if s.Tables {
		return
	}
	plane, g := make([]float64, len(f)), make([]float64, len(f))
	at, _ := r.Plane(plane, f)
	rng := rand.New(rand.NewPCG(1, 7))
	for k := range 30 {
		for i := range g {
			g[i] = f[i] + math.Pow(4, float64(k%5-3))*rng.NormFloat64()
		}
		value, _ := r.Plane(plane, g)
		below := at + floats.Dot(sol.Coef, f) - floats.Dot(sol.Coef, g) - sol.Gap*math.Abs(sol.Primal)
		if value < below-1e-9*(math.Abs(at)+math.Abs(value)+floats.Norm(sol.Coef, 1)) {
			t.Errorf("%s: coefficients bound the risk by %v where it is %v", name, below, value)
		}
	}
}

// optimum returns bounds of the optimum: the objectives of a tight solution, checked.
func optimum(t testing.TB, name string, g *svmtest.Gram, p svm.Problem) (lower, upper float64) {
	t.Helper()
	by := suite{Solver: smo.Solver{}}
	if p.Risk != nil {
		by.Solver = bundle.Solver{}
	}
	p.Tol, p.Start = 1e-8, nil
	sol := by.solve(t, g, p)
	by.check(t, name+", reference", g, p, sol, 1e-8)
	return sol.Dual, sol.Primal
}

// compare compares the objectives of a solution with bounds of the optimum.
func compare(t testing.TB, name string, sol svm.Solution, lower, upper float64) {
	t.Helper()
	slack := 1e-7 * max(math.Abs(lower), math.Abs(upper))
	if sol.Dual > upper+slack || sol.Primal < lower-slack {
		t.Errorf("%s: objectives %v and %v, but the optimum is %v to %v", name, sol.Dual, sol.Primal, lower, upper)
	}
}
