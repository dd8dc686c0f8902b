package process_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
)

// The sizes of testdata/golden.py.
const sklearnRecords, sklearnOthers = 30, 8

// sklearnSample returns the matrix and the targets of testdata/golden.py, and what scikit-learn says of them.
func sklearnSample(t *testing.T) (s sample, y []float64, want map[string][]float64) {
	t.Helper()
	const n = sklearnRecords + sklearnOthers
	s = sample{all: mat.NewSymDense(n, nil), n: sklearnRecords}
	point := func(i int) (float64, float64) { return 2 * math.Sin(float64(i*i)), 2 * math.Cos(float64(3*i)) }
	for i := range n {
		for j := range n {
			a, b := point(i)
			c, d := point(j)
			s.all.SetSym(i, j, math.Exp(-((a-c)*(a-c)+(b-d)*(b-d))/2))
		}
	}
	s.gram = &svm.Precomputed{N: s.n}
	for i := range s.n {
		for j := range s.n {
			s.gram.K = append(s.gram.K, s.all.At(i, j))
		}
		x, _ := point(i)
		y = append(y, math.Sin(5*float64(i))+x)
	}
	file := must.Get(os.ReadFile("testdata/golden.json"))(t)
	must.Succeed(t, json.Unmarshal(file, &want))
	return s, y, want
}

func TestRidgeAgainstSklearn(t *testing.T) {
	s, y, want := sklearnSample(t)
	weights := make([]float64, len(y))
	for i := range weights {
		weights[i] = float64(1 + i%4)
	}
	for name, p := range map[string]process.Regression{
		"ridge plain 0.01": {Lambda: 0.01}, "ridge weighted 0.01": {Lambda: 0.01, Weights: weights},
		"ridge plain 1": {Lambda: 1}, "ridge weighted 1": {Lambda: 1, Weights: weights},
	} {
		p.Targets, p.NoBias, p.Tol = y, true, 1e-24
		got := must.Get(process.Ridge{}.Solve(context.Background(), s.gram, p))(t)
		scale := 0.0
		for _, a := range want[name] {
			scale = max(scale, math.Abs(a))
		}
		if d := greatestDifference(got.Coef, want[name]); d > 1e-8*scale {
			t.Errorf("%s: off by %g of %g", name, d, scale)
		}
	}
}
