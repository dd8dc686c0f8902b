package components_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestScikitLearn: eigenvalues, projections of the records and of others, and the adjusted Rand index are those of
// scikit-learn, up to the signs of components.
func TestScikitLearn(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/golden.json"))(t)
	var want map[string][][]float64
	must.Succeed(t, json.Unmarshal(text, &want))
	const n, others = 60, 8 // of testdata/golden.py
	point := func(i int) (float64, float64) { return 2 * math.Sin(float64(i*i)), 2 * math.Cos(float64(3*i)) }
	kernel := func(i, j int) float64 {
		a, b := point(i)
		c, d := point(j)
		return math.Exp(-((a-c)*(a-c) + (b-d)*(b-d)) / 2)
	}
	found := must.Get(components.PCA{Count: 8, Tol: 1e-12}.Fit(context.Background(), dense(n, kernel)))(t)
	if !floats.EqualApprox(found.Values, want["eigenvalues"][0], 1e-8) {
		t.Errorf("eigenvalues %v, want %v", found.Values, want["eigenvalues"][0])
	}
	points, coef := found.Points(), found.Coef()
	for j := range found.Values {
		sign := math.Copysign(1, points[0][j]*want["fitted"][j][0])
		for i := range n {
			if got := sign * points[i][j]; math.Abs(got-want["fitted"][j][i]) > 1e-8 {
				t.Errorf("record %d on component %d: %v, want %v", i, j, got, want["fitted"][j][i])
			}
		}
		for x := range others {
			score := -found.Rho[j]
			for i := range n {
				score += coef[j][i] * kernel(i, n+x)
			}
			if got := sign * score; math.Abs(got-want["others"][j][x]) > 1e-8 {
				t.Errorf("other %d on component %d: %v, want %v", x, j, got, want["others"][j][x])
			}
		}
	}
	a, b := make([]int, n+others), make([]int, n+others)
	for i := range a {
		a[i], b[i] = i%5, i*i%7/2
	}
	if got := metrics.Agree(a, b).AdjustedRand; math.Abs(got-want["adjusted_rand"][0][0]) > 1e-12 {
		t.Errorf("adjusted Rand index %v, want %v", got, want["adjusted_rand"][0][0])
	}
}
