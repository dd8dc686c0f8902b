package process_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

func TestLogisticErrors(t *testing.T) {
	g := &svm.Precomputed{N: 2, K: []float64{1, 0, 0, 1}}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (process.Logistic{}).Solve(done, g, svm.Problem{Weights: []float64{1, -1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	for _, p := range []svm.Problem{
		{Weights: []float64{1}}, {Weights: []float64{1, 1}}, {Weights: []float64{1, 0}}, {Weights: []float64{1, -1}, Tol: 2},
		{Weights: []float64{1, math.NaN()}}, {Weights: []float64{-1, math.Inf(1)}},
	} {
		if _, err := (process.Logistic{}).Solve(context.Background(), g, p); err == nil {
			t.Errorf("%v: no error", p.Weights)
		}
	}
	for _, p := range []svm.MulticlassProblem{
		{Y: []int{0}, Classes: 2}, {Y: []int{0, 0}, Classes: 2}, {Y: []int{0, 2}, Classes: 2}, {Y: []int{0, 0}, Classes: 1},
		{Y: []int{0, 1}, Classes: 2, Costs: []float64{1}}, {Y: []int{0, 1}, Classes: 2, Costs: []float64{1, -1}},
	} {
		if _, err := (process.Multinomial{}).Solve(context.Background(), g, p); err == nil {
			t.Errorf("%v: no error", p)
		}
	}
}

// Two records, one of each class, are alike up to the sign: the bias is 0, and α = C/(1 + e^{α}).
func ExampleLogistic() {
	g := &svm.Precomputed{N: 2, K: []float64{1, 0, 0, 1}}
	machine, err := process.Logistic{}.Solve(context.Background(), g, svm.Problem{Weights: []float64{1, -1}, Tol: 1e-12})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := machine.Coef[0]
	fmt.Printf("%.4f %.4f, bias %.1f\n", a, 1/(1+math.Exp(a)), math.Abs(machine.Rho))
	// Output: 0.4011 0.4011, bias 0.0
}

// denseMultinomial returns the least objective of multinomial regression, and the scores and biases there, by Newton's
// method on all weights of the features in the rows of a square root of the matrix.
func denseMultinomial(t *testing.T, s sample, y []int, cost []float64, k int, bias bool) (float64, *mat.Dense) {
	t.Helper()
	n := s.n
	var eigen mat.EigenSym
	part := s.all.SliceSym(0, n)
	if !eigen.Factorize(part, true) {
		t.Fatal("no eigenvalues")
	}
	var phi mat.Dense // rows with φ(x_i), and 1 for the bias
	eigen.VectorsTo(&phi)
	for j, v := range eigen.Values(nil) {
		for i := range n {
			phi.Set(i, j, phi.At(i, j)*math.Sqrt(max(0, v)))
		}
	}
	d := n
	if bias {
		d = n + 1
		ones := mat.NewDense(n, 1, nil)
		for i := range n {
			ones.Set(i, 0, 1)
		}
		var wide mat.Dense
		wide.Augment(&phi, ones)
		phi = wide
	}
	w := mat.NewDense(d, k, nil)
	objective := func(w *mat.Dense) (value float64, f *mat.Dense) {
		f = mat.NewDense(n, k, nil)
		f.Mul(&phi, w)
		for j := range n {
			for m := range k {
				value += w.At(j, m) * w.At(j, m) / 2
			}
		}
		for i := range n {
			sum := 0.0
			for m := range k {
				sum += math.Exp(f.At(i, m) - f.At(i, y[i]))
			}
			value += cost[i] * math.Log(sum)
		}
		return value, f
	}
	for range 60 {
		value, f := objective(w)
		gradient, hessian := mat.NewVecDense(d*k, nil), mat.NewSymDense(d*k, nil)
		for j := range d {
			for m := range k {
				at := m*d + j
				if j < n {
					gradient.SetVec(at, w.At(j, m))
					hessian.SetSym(at, at, 1)
				} else {
					hessian.SetSym(at, at, 1e-9) // the biases are free up to a common constant
				}
			}
		}
		for i := range n {
			p, sum := make([]float64, k), 0.0
			for m := range k {
				p[m] = math.Exp(f.At(i, m) - f.At(i, y[i]))
				sum += p[m]
			}
			row := phi.RowView(i)
			for m := range k {
				residual := p[m] / sum
				if m == y[i] {
					residual--
				}
				for j := range d {
					gradient.SetVec(m*d+j, gradient.AtVec(m*d+j)+cost[i]*residual*row.AtVec(j))
				}
				for c := m; c < k; c++ {
					curve := -p[m] / sum * p[c] / sum
					if c == m {
						curve += p[m] / sum
					}
					for j := range d {
						for l := range d {
							if m*d+j <= c*d+l {
								at := hessian.At(m*d+j, c*d+l)
								hessian.SetSym(m*d+j, c*d+l, at+cost[i]*curve*row.AtVec(j)*row.AtVec(l))
							}
						}
					}
				}
			}
		}
		var factor mat.Cholesky
		if !factor.Factorize(hessian) {
			t.Fatal("Hessian is not positive definite")
		}
		step := mat.NewVecDense(d*k, nil)
		must.Succeed(t, factor.SolveVecTo(step, gradient))
		size := 1.0
		for ; size > 1e-12; size /= 2 {
			next := mat.DenseCopyOf(w)
			for j := range d {
				for m := range k {
					next.Set(j, m, w.At(j, m)-size*step.AtVec(m*d+j))
				}
			}
			if lower, _ := objective(next); lower < value {
				w = next
				break
			}
		}
		if size <= 1e-12 {
			break
		}
	}
	value, f := objective(w)
	return value, f
}

// classProblem returns classes of the records of a sample, by the first column of the matrix with noise.
func classProblem(rng *rand.Rand, s sample, k int) (y []int, cost []float64) {
	for i := range s.n {
		c := int(math.Floor(float64(k)*s.all.At(i, 0) + rng.NormFloat64()/2))
		y = append(y, min(k-1, max(0, c)))
		if i < k {
			y[i] = i
		}
		cost = append(cost, 0.5+3*rng.Float64())
	}
	return y, cost
}

// Two classes of costs C/2 in multinomial regression are logistic regression with costs C, at half the objective.
func TestLogistic(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	for _, n := range []int{2, 25} {
		for _, bias := range []bool{true, false} {
			s := newSample(rng, n, 0)
			y, cost := classProblem(rng, s, 2)
			half, weights := make([]float64, n), make([]float64, n)
			for i := range half {
				half[i], weights[i] = cost[i]/2, cost[i]*float64(2*y[i]-1)
			}
			want, scores := denseMultinomial(t, s, y, half, 2, bias)
			got := must.Get(process.Logistic{}.Solve(context.Background(), s.gram,
				svm.Problem{Weights: weights, NoBias: !bias, Tol: 1e-12}))(t)
			if relative(got.Primal, 2*want) > 1e-9 || relative(got.Dual, 2*want) > 1e-9 || got.Gap > 1e-12 {
				t.Errorf("n %d, bias %v: %v to %v, gap %g, want %v", n, bias, got.Dual, got.Primal, got.Gap, 2*want)
			}
			sum := 0.0
			for i, a := range got.Coef {
				sum += a
				f := s.score(got.Coef, i) - got.Rho
				if want := scores.At(i, 1) - scores.At(i, 0); math.Abs(f-want) > 1e-4 {
					t.Errorf("n %d, bias %v: score of record %d is %v, want %v", n, bias, i, f, want)
				}
			}
			if bias && math.Abs(sum) > 1e-12*float64(n) {
				t.Errorf("coefficients sum to %g", sum)
			}
		}
	}
}

// At every tolerance the optimum lies between dual and primal.
func TestLogisticGap(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 2))
	s := newSample(rng, 200, 0)
	y, _ := classProblem(rng, s, 2)
	weights := make([]float64, s.n)
	for i, c := range y {
		weights[i] = float64(2*c - 1)
	}
	for _, c := range []float64{1e-3, 1, 1e4} {
		p := svm.Problem{Weights: weights, Costs: svm.Costs{Positive: c, Negative: 2 * c}, Tol: 1e-13}
		best, err := process.Logistic{}.Solve(context.Background(), s.gram, p)
		if err != nil || best.Gap > 1e-12 {
			t.Fatalf("C = %g: gap %g, %v", c, best.Gap, err)
		}
		for _, p.Tol = range []float64{0.5, 1e-2, 1e-4, 1e-7} {
			got := must.Get(process.Logistic{}.Solve(context.Background(), s.gram, p))(t)
			if got.Gap > p.Tol || got.Dual > best.Primal*(1+1e-12) || got.Primal < best.Dual*(1-1e-12) {
				t.Errorf("C = %g: %v to %v, gap %g, optimum %v", c, got.Dual, got.Primal, got.Gap, best.Primal)
			}
		}
	}
}

func TestMultinomial(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 2))
	const n, k = 14, 3
	s := newSample(rng, n, 0)
	y, _ := classProblem(rng, s, k)
	costs, cost := []float64{2, 0.5, 7}, make([]float64, n)
	for i, c := range y {
		cost[i] = costs[c]
	}
	want, scores := denseMultinomial(t, s, y, cost, k, true)
	got := must.Get(process.Multinomial{}.Solve(context.Background(), s.gram,
		svm.MulticlassProblem{Y: y, Classes: k, Costs: costs, Tol: 1e-12}))(t)
	if relative(got.Primal, want) > 1e-9 || relative(got.Dual, want) > 1e-9 || got.Gap > 1e-12 {
		t.Errorf("%v to %v, gap %g, want %v", got.Dual, got.Primal, got.Gap, want)
	}
	for i := range n {
		for m := range k {
			f := s.score(got.Coef[m], i) - got.Rho[m] - s.score(got.Coef[0], i) + got.Rho[0]
			if want := scores.At(i, m) - scores.At(i, 0); math.Abs(f-want) > 1e-4 {
				t.Errorf("record %d, class %d less class 0: %v, want %v", i, m, f, want)
			}
		}
	}
}
