package process_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// sample is a positive semidefinite matrix over training and other points, and its part over the training points.
type sample struct {
	all  *mat.SymDense
	n    int
	gram *svm.Precomputed
}

// newSample returns the matrix of a Gaussian kernel on n + others random points of the cube.
func newSample(rng *rand.Rand, n, others int) sample {
	const dimensions = 3
	points := make([][dimensions]float64, n+others)
	for i := range points {
		for d := range points[i] {
			points[i][d] = 3 * rng.Float64()
		}
	}
	s := sample{all: mat.NewSymDense(n+others, nil), n: n, gram: &svm.Precomputed{N: n, K: make([]float64, n*n)}}
	for i := range points {
		for j := range i + 1 {
			square := 0.0
			for d := range points[i] {
				square += (points[i][d] - points[j][d]) * (points[i][d] - points[j][d])
			}
			s.all.SetSym(i, j, math.Exp(-square/2))
		}
	}
	for i := range n {
		for j := range n {
			s.gram.K[i*n+j] = s.all.At(i, j)
		}
	}
	return s
}

// score returns f at point x of the sample.
func (s sample) score(coef []float64, x int) (f float64) {
	for i, a := range coef {
		f += a * s.all.At(i, x)
	}
	return f
}

// bordered returns the coefficients and the bias of ridge regression, and the inverse of its matrix, by dense algebra
// on the records kept.
func (s sample) bordered(t *testing.T, p process.Regression, kept []int) (coef []float64, bias float64, inverse *mat.Dense) {
	t.Helper()
	m := len(kept)
	size := m + 1
	if p.NoBias {
		size = m
	}
	a, right := mat.NewDense(size, size, nil), mat.NewVecDense(size, nil)
	for i, x := range kept {
		for j, y := range kept {
			a.Set(i, j, s.all.At(x, y))
		}
		w := 1.0
		if p.Weights != nil {
			w = p.Weights[x]
		}
		a.Set(i, i, s.all.At(x, x)+p.Lambda/w)
		if !p.NoBias {
			a.Set(i, m, 1)
			a.Set(m, i, 1)
		}
		right.SetVec(i, p.Targets[x])
	}
	inverse = mat.NewDense(size, size, nil)
	must.Succeed(t, inverse.Inverse(a))
	var solution mat.VecDense
	must.Succeed(t, solution.SolveVec(a, right))
	coef = solution.RawVector().Data[:m]
	if !p.NoBias {
		bias = solution.AtVec(m)
	}
	return coef, bias, inverse
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func randomVector(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func relative(got, want float64) float64 { return math.Abs(got-want) / max(math.Abs(want), 1e-300) }

func greatestDifference(a, b []float64) (d float64) {
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}
