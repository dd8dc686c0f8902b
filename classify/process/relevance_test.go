package process

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

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// denseEvidence is log N(t; 0, C) with C = noise·W⁻¹ + Σ φφᵀ/α, by a determinant of n rows.
func denseEvidence(t *testing.T, e *evidence, w, targets []float64) (value float64, inverse *mat.SymDense) {
	t.Helper()
	n := len(targets)
	c := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			v := 0.0
			for m, a := range e.alpha {
				v += e.columns[m][i] * e.columns[m][j] / a
			}
			if i == j {
				v += e.noise / w[i]
			}
			c.SetSym(i, j, v)
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(c) {
		t.Fatal("the covariance is not positive definite")
	}
	inverse = new(mat.SymDense)
	if err := factor.InverseTo(inverse); err != nil {
		t.Fatal(err)
	}
	square := mat.Inner(mat.NewVecDense(n, targets), inverse, mat.NewVecDense(n, targets))
	return -(float64(n)*math.Log(2*math.Pi) + factor.LogDet() + square) / 2, inverse
}

// What a change of one α is said to gain is what a determinant of all records says, and no other value of that α gains
// more.
func TestEvidenceChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 19))
	const n = 25
	s := newSample(rng, n, 0)
	targets, w := randomVector(rng, n), make([]float64, n)
	for i := range w {
		w[i] = 0.5 + rng.Float64()
	}
	kinds := map[string]int{}
	for range 8 {
		fresh := func() *evidence {
			e, err := Relevance{Columns: 12}.evidence(context.Background(), s.gram)
			if err != nil {
				t.Fatal(err)
			}
			e.noise = 0.3
			if err := e.weigh(context.Background(), w, targets, len(e.columns)); err != nil {
				t.Fatal(err)
			}
			return e
		}
		alphas := []float64{math.Exp(rng.NormFloat64()), 0.1, math.Exp(3 * rng.NormFloat64()), 20}
		members := rng.Perm(12)[:4]
		for m := range 13 {
			e := fresh()
			for k, a := range alphas {
				e.set(max(k, members[k]), a)
			}
			e.mean = e.posterior()
			before, inverse := denseEvidence(t, e, w, targets)
			old := math.Inf(1)
			if m < len(alphas) {
				old = e.alpha[m]
			}
			phi, y := mat.NewVecDense(n, e.columns[m]), mat.NewVecDense(n, targets)
			sparsity, quality := e.quality(m)
			if d := relative(sparsity, mat.Inner(phi, inverse, phi)); d > 1e-8 {
				t.Errorf("column %d: S off by %g", m, d)
			}
			if d := math.Abs(quality - mat.Inner(phi, inverse, y)); d > 1e-8 {
				t.Errorf("column %d: Q off by %g", m, d)
			}
			precision, gain := better(sparsity, quality, old)
			kinds[fmt.Sprint(math.IsInf(old, 1), math.IsInf(precision, 1))]++
			if precision == old {
				precision = 1e5 // no value is better than none
			}
			for _, factor := range []float64{1, 0.8, 1.25} {
				e := fresh()
				for k, a := range alphas {
					e.set(max(k, members[k]), a)
				}
				e.set(m, precision*factor)
				after, _ := denseEvidence(t, e, w, targets)
				if factor == 1 && gain > 0 && math.Abs(after-before-gain) > 1e-7 || after-before > gain+1e-7 {
					t.Errorf("column %d, α %g from %g: gain %g, by determinants %g", m, precision*factor, old, gain,
						after-before)
				}
			}
		}
	}
	if len(kinds) != 4 {
		t.Errorf("kinds of changes %v, want all four", kinds)
	}
}

// waves are noisy numbers that depend on the records of a sample.
func waves(rng *rand.Rand, s sample, noise float64) []float64 {
	y := make([]float64, s.n)
	for i := range y {
		y[i] = 3 + 4*s.all.At(i, 0) - 3*s.all.At(i, 1) + noise*rng.NormFloat64()
	}
	return y
}

// In the end the evidence is that of the determinant, no α alone raises it, and the mean solves its linear system.
func TestRelevanceRegress(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 19))
	const n, noise = 120, 0.2
	s := newSample(rng, n, 0)
	y := waves(rng, s, noise)
	for _, p := range []Regression{{Targets: y}, {Targets: y, Weights: slices.Repeat([]float64{1, 2}, n/2)}} {
		got, err := Relevance{Columns: 60}.Regress(context.Background(), s.gram, p)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Relevance{Columns: 60}.evidence(context.Background(), s.gram)
		if err != nil {
			t.Fatal(err)
		}
		w := p.Weights
		if w == nil {
			w = slices.Repeat([]float64{1}, n)
		}
		var used, columns int
		var value float64
		if _, err := fmt.Sscanf(got.Reason, "%d of %d columns, log evidence %g", &used, &columns, &value); err != nil {
			t.Fatal(err)
		}
		if got.SupportVectors() > 15 || used > got.SupportVectors()+1 || columns != 61 || got.Gap > 1e-12 {
			t.Errorf("%s, %d vectors, gap %g", got.Reason, got.SupportVectors(), got.Gap)
		}
		if sd := math.Sqrt(got.Scalars[0]); math.Abs(sd-noise) > 0.08 {
			t.Errorf("noise of standard deviation %g, want some %g", sd, noise)
		}
		// the α follow from the mean at a fixed point: α = γ/μ², here found by the evidence alone
		e.noise = got.Scalars[0]
		if err := e.weigh(context.Background(), w, y, len(e.columns)); err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			e.mean = e.posterior()
			if gain, _ := e.change(); gain < leastGain {
				break
			}
		}
		best, _ := denseEvidence(t, e, w, y)
		if math.Abs(best-value) > 0.1+1e-5*math.Abs(best) {
			t.Errorf("evidence %g, from nothing at the same noise %g", value, best)
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
	got, err := Relevance{Columns: 80}.Solve(context.Background(), s.gram, svm.Problem{Weights: labels})
	if err != nil {
		t.Fatal(err)
	}
	if got.SupportVectors() > 12 || got.Gap > 1e-9 || got.Dual > got.Primal {
		t.Errorf("%s, %d vectors, %g to %g", got.Reason, got.SupportVectors(), got.Dual, got.Primal)
	}
	full, err := Logistic{}.Solve(context.Background(), s.gram, svm.Problem{Weights: labels})
	if err != nil {
		t.Fatal(err)
	}
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
	s, y, _ := sklearnSample(t)
	var want struct {
		Vectors []int
		Weights []float64
		Noise   float64
	}
	file, err := os.ReadFile("testdata/kernlab.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &want); err != nil {
		t.Fatal(err)
	}
	ones := slices.Repeat([]float64{1}, s.n)
	theirs := &evidence{noise: want.Noise, alpha: make([]float64, len(want.Vectors))}
	precision := mat.NewSymDense(len(want.Vectors), nil)
	for _, i := range want.Vectors {
		column := make([]float64, s.n)
		s.gram.Row(column, i)
		theirs.columns = append(theirs.columns, column)
	}
	for m, a := range want.Weights {
		theirs.alpha[m] = 1 / (a * a)
	}
	var inverse mat.Dense
	for range 200 { // α = γ/μ² at the means of kernlab
		for m, a := range theirs.columns {
			for k, b := range theirs.columns {
				precision.SetSym(m, k, vectors.Dot(a, b)/theirs.noise)
			}
			precision.SetSym(m, m, precision.At(m, m)+theirs.alpha[m])
		}
		if err := inverse.Inverse(precision); err != nil {
			t.Fatal(err)
		}
		for m, a := range want.Weights {
			theirs.alpha[m] = (1 - theirs.alpha[m]*inverse.At(m, m)) / (a * a)
		}
	}
	least, _ := denseEvidence(t, theirs, ones, y)
	got, err := Relevance{Columns: s.n}.Regress(context.Background(), s.gram, Regression{Targets: y})
	if err != nil {
		t.Fatal(err)
	}
	var used, columns int
	var value float64
	if _, err := fmt.Sscanf(got.Reason, "%d of %d columns, log evidence %g", &used, &columns, &value); err != nil {
		t.Fatal(err)
	}
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
