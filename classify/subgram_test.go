package classify

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestSubGram(t *testing.T) {
	whole := dense(svmtest.PairCounts(svmtest.Corpus(12)))
	index := []int{7, 0, 11, 4}
	g := partOf(whole, index)
	row, diag, product := make([]float64, 4), make([]float64, 4), make([]float64, 4)
	v := []float64{1, -2, 0, 3}
	g.Diag(diag)
	g.MulVecTo(product, v)
	if stringkernel.FeatureRowsOf(g) != nil {
		t.Error("a dense matrix has rows")
	}
	for a, i := range index {
		g.Row(row, a)
		want := 0.0
		for b, j := range index {
			if row[b] != whole.K[i*12+j] {
				t.Errorf("entry (%d, %d) = %v, want %v", a, b, row[b], whole.K[i*12+j])
			}
			want += v[b] * whole.K[i*12+j]
		}
		if diag[a] != whole.K[i*13] || math.Abs(product[a]-want) > 1e-12 {
			t.Errorf("diagonal %v, product %v, want %v, %v", diag[a], product[a], whole.K[i*13], want)
		}
	}
}

// TestSubRows compares the rows of some records with those of all.
func TestSubRows(t *testing.T) {
	whole, _ := svmtest.Planted(12, 30, 3, 0.2, 0.1, 3)
	whole.Own = []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	index := []int{7, 0, 11, 4}
	g := partOf(whole, index)
	rows, row, own := stringkernel.FeatureRowsOf(g), make([]float64, 4), make([]float64, 4)
	rows.Own(own)
	for a := range index {
		table := make([]float64, rows.Width())
		rows.Scatter(table, a, 1)
		g.Row(row, a)
		for b, want := range row {
			got := rows.Gather(table, b)
			if a == b {
				got += own[a]
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("entry (%d, %d) = %v, want %v", a, b, got, want)
			}
		}
		ids, values := rows.AppendRow(nil, nil, a)
		if len(ids) != len(whole.IDs[index[a]]) || floats.Dot(values, values)+own[a]-row[a] > 1e-12 {
			t.Errorf("row %d lists %v, %v", a, ids, values)
		}
	}
}

// TestPartsAreServedAsTheWhole: what a solver uses of a part of a matrix is what it uses of the whole.
func TestPartsAreServedAsTheWhole(t *testing.T) {
	rows := svmtest.PairCounts(svmtest.Corpus(80))
	for _, c := range []struct {
		whole stringkernel.Gram
		want  svm.Access
	}{
		{dense(rows), svm.Rows}, {svmtest.Unbased{Gram: rows}, svm.Products}, {rows, svm.Features},
	} {
		if got := (svm.Auto{}).Uses(partOf(c.whole, indices(51)), svm.Problem{}); got != c.want {
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
	g := must.Get(toyKernel{}.Gram(t.Context(), toyData(12, 2).Corpus))(t)
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
