package process_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// denseEvidence is log N(t; 0, C) with C = noise·I + Σ φφᵀ/α, by a determinant of n rows.
func denseEvidence(t *testing.T, noise float64, columns [][]float64, alpha, targets []float64) float64 {
	t.Helper()
	n := len(targets)
	c := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			v := 0.0
			for m, a := range alpha {
				v += columns[m][i] * columns[m][j] / a
			}
			if i == j {
				v += noise
			}
			c.SetSym(i, j, v)
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(c) {
		t.Fatal("the covariance is not positive definite")
	}
	var solved mat.VecDense
	must.Succeed(t, factor.SolveVecTo(&solved, mat.NewVecDense(n, targets)))
	return -(float64(n)*math.Log(2*math.Pi) + factor.LogDet() + mat.Dot(&solved, mat.NewVecDense(n, targets))) / 2
}

// waves are noisy numbers that depend on the records of a sample.
func waves(rng *rand.Rand, s sample, noise float64) []float64 {
	y := make([]float64, s.n)
	for i := range y {
		y[i] = 3 + 4*s.all.At(i, 0) - 3*s.all.At(i, 1) + noise*rng.NormFloat64()
	}
	return y
}

// Few columns are left, and the noise is that of the numbers; a record of weight 2 has half of it.
func TestRelevanceRegress(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 19))
	const n, noise = 120, 0.2
	s := newSample(rng, n, 0)
	y := waves(rng, s, noise)
	for _, p := range []process.Regression{{Targets: y}, {Targets: y, Weights: slices.Repeat([]float64{1, 2}, n/2)}} {
		got := must.Get(process.Relevance{Columns: 60}.Regress(context.Background(), s.gram, p))(t)
		var used, columns int
		var value float64
		must.Get(fmt.Sscanf(got.Reason, "%d of %d columns, log evidence %g", &used, &columns, &value))(t)
		if got.SupportVectors() > 15 || used > got.SupportVectors()+1 || columns != 61 || got.Gap > 1e-12 {
			t.Errorf("%s, %d vectors, gap %g", got.Reason, got.SupportVectors(), got.Gap)
		}
		if sd := math.Sqrt(got.Scalars[0]); math.Abs(sd-noise) > 0.08 {
			t.Errorf("noise of standard deviation %g, want some %g", sd, noise)
		}
	}
}

// The probabilities of a machine of two classes are those of the mode of its weights by dense algebra, and columns
// that the labels do not need are gone.
func TestRelevanceClassify(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 19))
	const n = 150
	s := newSample(rng, n, 100)
	labels, truth := make([]float64, n), func(x int) float64 { return 6*s.all.At(x, 0) - 5*s.all.At(x, 1) - 0.5 }
	for i := range labels {
		labels[i] = -1
		if rng.Float64() < 1/(1+math.Exp(-truth(i))) {
			labels[i] = 1
		}
	}
	got := must.Get(process.Relevance{Columns: 80}.Solve(context.Background(), s.gram, svm.Problem{Weights: labels}))(t)
	if got.SupportVectors() > 12 || got.Gap > 1e-9 || got.Dual > got.Primal {
		t.Errorf("%s, %d vectors, %g to %g", got.Reason, got.SupportVectors(), got.Dual, got.Primal)
	}
	full := must.Get(process.Logistic{}.Solve(context.Background(), s.gram, svm.Problem{Weights: labels}))(t)
	excess := func(m svm.Solution) (sum float64) { // expected log loss on new points above that of the truth
		for x := n; x < n+100; x++ {
			f, p := s.score(m.Coef, x)-m.Rho, 1/(1+math.Exp(-truth(x)))
			sum += (p*math.Log1p(math.Exp(-f)) + (1-p)*math.Log1p(math.Exp(f)) + p*math.Log(p) +
				(1-p)*math.Log(1-p)) / 100
		}
		return sum
	}
	if sparse, dense := excess(got), excess(full); sparse > dense+0.02 {
		t.Errorf("divergence from the truth %g, of logistic regression %g", sparse, dense)
	}
}

// kernlab's rvm, which begins with all columns and has no bias, does not end at greater evidence, and its machine says
// nearly the same.
func TestRelevanceAgainstKernlab(t *testing.T) {
	const n = 30
	s := sample{all: mat.NewSymDense(n, nil), gram: &svm.Precomputed{N: n}, n: n}
	var y []float64
	point := func(i int) (float64, float64) { return 2 * math.Sin(float64(i*i)), 2 * math.Cos(float64(3*i)) }
	for i := range n {
		a, b := point(i)
		y = append(y, math.Sin(5*float64(i))+a)
		for j := range n {
			c, d := point(j)
			s.all.SetSym(i, j, math.Exp(-((a-c)*(a-c)+(b-d)*(b-d))/2))
			s.gram.K = append(s.gram.K, s.all.At(i, j))
		}
	}
	var want struct {
		Vectors []int
		Weights []float64
		Noise   float64
	}
	file := must.Get(os.ReadFile("testdata/kernlab.json"))(t)
	must.Succeed(t, json.Unmarshal(file, &want))
	var columnsOf [][]float64
	alpha := make([]float64, len(want.Vectors))
	precision := mat.NewSymDense(len(want.Vectors), nil)
	for _, i := range want.Vectors {
		column := make([]float64, s.n)
		s.gram.Row(column, i)
		columnsOf = append(columnsOf, column)
	}
	for m, a := range want.Weights {
		alpha[m] = 1 / (a * a)
	}
	var inverse mat.Dense
	for range 200 { // α = γ/μ² at the means of kernlab
		for m, a := range columnsOf {
			for k, b := range columnsOf {
				precision.SetSym(m, k, vectors.Dot(a, b)/want.Noise)
			}
			precision.SetSym(m, m, precision.At(m, m)+alpha[m])
		}
		must.Succeed(t, inverse.Inverse(precision))
		for m, a := range want.Weights {
			alpha[m] = (1 - alpha[m]*inverse.At(m, m)) / (a * a)
		}
	}
	least := denseEvidence(t, want.Noise, columnsOf, alpha, y)
	got := must.Get(process.Relevance{Columns: s.n}.Regress(context.Background(), s.gram, process.Regression{Targets: y}))(t)
	var used, columns int
	var value float64
	must.Get(fmt.Sscanf(got.Reason, "%d of %d columns, log evidence %g", &used, &columns, &value))(t)
	if value < least-0.01 || math.Abs(got.Scalars[0]/want.Noise-1) > 0.1 || used > len(want.Vectors)+1 {
		t.Errorf("%s, noise %g; kernlab %d vectors, evidence %g, noise %g", got.Reason, got.Scalars[0],
			len(want.Vectors), least, want.Noise)
	}
	for x := range s.n {
		f := 0.0
		for m, i := range want.Vectors {
			f += want.Weights[m] * s.all.At(i, x)
		}
		if d := s.score(got.Coef, x) - got.Rho - f; math.Abs(d) > math.Sqrt(want.Noise)/2 {
			t.Errorf("record %d: off by %g", x, d)
		}
	}
}
