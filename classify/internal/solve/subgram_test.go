package solve

import (
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestPartsAreServedAsTheWhole: what a solver uses of a part of a matrix is what it uses of the whole.
func TestPartsAreServedAsTheWhole(t *testing.T) {
	rows := svmtest.PairCounts(svmtest.Corpus(80))
	for _, c := range []struct {
		whole stringkernel.Gram
		want  svm.Access
	}{
		{&svm.Precomputed{N: 80, K: make([]float64, 80*80)}, svm.Rows}, {svmtest.Unbased{Gram: rows}, svm.Products}, {rows, svm.Features},
	} {
		if got := (auto.Solver{}).Uses(PartOf(c.whole, subset.Whole(51)), svm.Problem{}); got != c.want {
			t.Errorf("%T: %v, want %v", c.whole, got, c.want)
		}
	}
}

// countedGram counts its products.
type countedGram struct {
	stringkernel.Gram
	products int
}

func (g *countedGram) MulVecTo(dst, v []float64) {
	g.products++
	g.Gram.MulVecTo(dst, v)
}

func TestLastProduct(t *testing.T) {
	g := svmtest.PairCounts(svmtest.Corpus(12))
	counted := &countedGram{Gram: g}
	last := &lastProduct{Gram: counted}
	v, got, want := make([]float64, 12), make([]float64, 12), make([]float64, 12)
	for i, products := range []int{1, 1, 2, 2, 3} {
		v[i/2]++ // in place, at every second product
		if i%2 == 1 {
			v[i/2]--
		}
		g.MulVecTo(want, v)
		last.MulVecTo(got, v)
		if !slices.Equal(got, want) || counted.products != products {
			t.Errorf("product %d: %v, want %v; %d made, want %d", i, got, want, counted.products, products)
		}
		clear(got)
	}
}
