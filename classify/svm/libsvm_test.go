package svm_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// formulaProblem is a Gaussian kernel on 14 points of the plane that anyone can recompute.
func formulaProblem() (*svm.Precomputed, []float64) {
	const n = 14
	g, y := &svm.Precomputed{N: n, K: make([]float64, n*n)}, make([]float64, n)
	x := func(i int) (float64, float64) { return math.Sin(float64(i * i)), math.Cos(float64(3 * i)) }
	for i := range n {
		y[i] = -1
		if (5*i*i+i)%7 < 4 {
			y[i] = 1
		}
		for j := range n {
			a, b := x(i)
			c, d := x(j)
			g.K[i*n+j] = math.Exp(-((a-c)*(a-c) + (b-d)*(b-d)) / 2)
		}
	}
	return g, y
}

// libsvmSolution is what svm-train says: signed coefficients, rho, and the dual objective (obj with its sign changed).
type libsvmSolution struct {
	alpha     []float64
	rho, dual float64
}

// golden holds LIBSVM 3.24's answers (Debian libsvm-tools 3.24+ds-6) to formulaProblem, whose rows were written with 17
// digits:
//
//	svm-train -s 0 -t 4 -e 1e-12 OPTIONS matrix.txt
//
// Coefficients and rho are those of the model file, the objective is the one printed (six decimals). LIBSVM keeps rows
// in single precision, which shows in its sixth digit at C = 100.
var golden = []struct {
	options string
	costs   svm.Costs
	libsvmSolution
}{
	{"-c 2", svm.Costs{Positive: 2, Negative: 2}, libsvmSolution{[]float64{1.6270323520253454, -1.1519902106664686, 2, 0,
		2, -0.57069649696593561, -2, 2, -2, 2, -2, 2, -1.9043456443929412, -2}, -0.050075645233964683, 19.561254}},
	{"-c 1 -w1 3 -w-1 0.5", svm.Costs{Positive: 3, Negative: 0.5},
		libsvmSolution{[]float64{0, -0.5, 0.66337003059053223, -0.5, 0.13711537677824862, -0.5, -0.5, 0, -0.5,
			1.9745750489130893, -0.5, 1.2249395437181296, -0.5, -0.5}, -0.89233559051040012, 7.632904}},
	{"-c 100", svm.Costs{Positive: 100, Negative: 100},
		libsvmSolution{[]float64{0, -10.375298115853578, 3.5096151290447808, 0, 31.136381206628716, -9.3867731993518859,
			-20.406894331958569, 0, -40.016459914971009, 100, 0, 45.43637782559022, -99.896948599128635, 0},
			-1.4545294312180188, 190.757826}},
}

// solvers are those of any matrix.
var solvers = []svm.Solver{smo.Solver{}, bundle.Solver{}, bundle.Solver{Sparse: true},
	auto.Solver{}}

func TestGoldenLIBSVM(t *testing.T) {
	g, y := formulaProblem()
	for _, want := range golden {
		compareLIBSVM(t, want.options, g, y, want.costs, 1e-11, want.libsvmSolution, 1e-5)
	}
}

// compareLIBSVM compares objectives to 1e-6, rho and decision values to tol.
func compareLIBSVM(t *testing.T, name string, g *svm.Precomputed, y []float64, costs svm.Costs, gap float64,
	want libsvmSolution, tol float64) {
	t.Helper()
	scores := func(coef []float64, rho float64) []float64 {
		f := make([]float64, g.N)
		g.MulVecTo(f, coef)
		floats.AddConst(-rho, f)
		return f
	}
	for _, s := range solvers {
		got := mustSolve(t, s, g, svm.Problem{Linear: y, Weights: y, Costs: costs, Tol: gap})
		if math.Abs(got.Dual-want.dual) > 1e-6*(1+want.dual) || math.Abs(got.Rho-want.rho) > tol {
			t.Errorf("%s, %+v: dual %v, rho %v, LIBSVM %v, %v", name, s, got.Dual, got.Rho, want.dual, want.rho)
		}
		if a, b := scores(got.Coef, got.Rho), scores(want.alpha, want.rho); !floats.EqualApprox(a, b, tol) {
			t.Errorf("%s, %+v: decision values %v, LIBSVM %v", name, s, a, b)
		}
	}
}

func mustSolve(t testing.TB, s svm.Solver, g stringkernel.Gram, p svm.Problem) svm.Solution {
	t.Helper()
	sol, err := s.Solve(t.Context(), g, p)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return sol
}

const testC, testEpsilon, testNu = 2.0, 0.1, 0.4

// libsvmMachines are those of svm-train -t 4 -e 1e-9 OPTIONS, with the objective ½ aᵀKa + R(Ka) of LIBSVM 3.24's
// coefficients on formulaProblem. Those of ν-classification, which LIBSVM scales so that the margin is 1, are scaled to
// the size testNu, those of one class, which it scales so that they sum to νn, to the size 1 and the other sign.
var libsvmMachines = []struct {
	options string
	risk    func(y []float64) risk.Risk
	golden  float64
}{
	{"-s 1 -n 0.4", func(y []float64) risk.Risk { return risk.NuClasses(y, testNu) }, -0.000284578060},
	{"-s 2 -n 0.4", func(y []float64) risk.Risk { return risk.OneClass(len(y), nil, testNu) }, -0.207479616977},
	{"-s 3 -c 2 -p 0.1", func(y []float64) risk.Risk { return risk.Insensitive(waves(y), nil, testC, testEpsilon) },
		14.8785655843},
	{"-s 4 -c 2 -n 0.4", func(y []float64) risk.Risk { return risk.NuInsensitive(waves(y), testC, testNu) }, 11.6585172627},
}

// waves are numbers to learn.
func waves(y []float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = v/2 + math.Sin(float64(i))
	}
	return out
}

// TestGoldenMachines compares optima with those of LIBSVM to 1e-6.
func TestGoldenMachines(t *testing.T) {
	g, y := formulaProblem()
	for _, m := range libsvmMachines {
		sol := mustSolve(t, bundle.Solver{}, g, svm.Problem{Risk: m.risk(y), Tol: 1e-9})
		if sol.Gap > 1e-9 || sol.Dual > m.golden+1e-9*math.Abs(m.golden) ||
			math.Abs(sol.Primal-m.golden) > 1e-6*math.Abs(m.golden) {
			t.Errorf("%s: %v to %v, LIBSVM %v", m.options, sol.Dual, sol.Primal, m.golden)
		}
	}
}
