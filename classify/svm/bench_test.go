package svm

import (
	"context"
	"fmt"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Planted motifs in sequences of 200 letters, 6-spectrum, 10 % of labels flipped. Bytes are the corpus's letters.
func benchmarkSolver(b *testing.B, n int, g stringkernel.Gram, y []float64, s task) {
	b.SetBytes(int64(n * 200))
	b.ReportAllocs()
	var sol Solution
	for b.Loop() {
		var err error
		if sol, err = s.Solve(context.Background(), g, y); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(sol.Iterations), "iterations")
	b.ReportMetric(float64(sol.Products), "products")
	b.ReportMetric(float64(sol.Rows), "rows")
	b.ReportMetric(float64(sol.SupportVectors()), "vectors")
}

func BenchmarkSolvers(b *testing.B) {
	for _, n := range svmtest.Sizes(100, 500, 2000, 5000) {
		g, y := svmtest.Planted(n, 200, 6, 0.2, 0.1, 1)
		for _, c := range []float64{1, 10} {
			for _, s := range []struct {
				name string
				s    task
			}{
				{"cutting-plane", task{CuttingPlane{}, Problem{Costs: Costs{c, c}}}},
				{"sparse-planes", task{CuttingPlane{Sparse: true}, Problem{Costs: Costs{c, c}}}},
				{"smo", task{SMO{}, Problem{Costs: Costs{c, c}}}},
				{"dual-coordinate", task{DualCoordinate{}, Problem{Costs: Costs{c, c}}}},
			} {
				b.Run(fmt.Sprintf("%s/n=%d/C=%g", s.name, n, c), func(b *testing.B) {
					benchmarkSolver(b, n, g, y, s.s)
				})
			}
		}
	}
}

func BenchmarkSolversPrecomputed(b *testing.B) {
	for _, n := range svmtest.Sizes(100, 500, 2000) {
		g, y := svmtest.Planted(n, 200, 6, 0.2, 0.1, 1)
		k := dense(g)
		b.Run(fmt.Sprintf("cutting-plane/n=%d", n),
			func(b *testing.B) { benchmarkSolver(b, n, k, y, task{CuttingPlane{}, Problem{}}) })
		b.Run(fmt.Sprintf("smo/n=%d", n), func(b *testing.B) { benchmarkSolver(b, n, k, y, task{SMO{}, Problem{}}) })
	}
}

// BenchmarkProduct is the cost of what the cutting planes ask for, BenchmarkPlane that of what they do in between,
// several times per product.
func BenchmarkProduct(b *testing.B) {
	g, y := svmtest.Planted(5000, 200, 6, 0.2, 0.1, 1)
	dst := make([]float64, len(y))
	b.SetBytes(5000 * 200)
	b.ReportAllocs()
	for b.Loop() {
		g.MulVecTo(dst, y)
	}
}

func BenchmarkPlane(b *testing.B) {
	g, y := svmtest.Planted(5000, 200, 6, 0.2, 0.1, 1)
	h := risk.Classes(y, nil, risk.Costs{Positive: 1, Negative: 1})
	f, a := make([]float64, len(y)), make([]float64, len(y))
	g.MulVecTo(f, y)
	b.SetBytes(8 * 5000)
	b.ReportAllocs()
	for b.Loop() {
		h.Plane(a, f)
	}
}
