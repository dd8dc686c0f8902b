package svm

import (
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// roundedGram is a matrix of equal records whose entries beside the diagonal are a unit of rounding too large, as those
// of a normalised kernel may be.
type roundedGram struct{ stringkernel.Gram }

func (roundedGram) Len() int { return 4 }

func (g roundedGram) Diag(dst []float64) {
	for i := range dst {
		dst[i] = 1
	}
}

func (g roundedGram) Row(dst []float64, i int) {
	for j := range dst {
		dst[j] = 1 + 0x1p-52
	}
	dst[i] = 1
}

func (g roundedGram) MulVecTo(dst, v []float64) {
	row := make([]float64, len(v))
	for i := range dst {
		g.Row(row, i)
		dst[i] = 0
		for j, k := range row {
			dst[i] += float64(k * v[j])
		}
	}
}

// Where rounding of the matrix outweighs the objective, no gap is certified: the optimum is 4C, that of no features.
func TestRoundingIsNoCertificate(t *testing.T) {
	for _, c := range []struct {
		cost      float64
		certified bool
	}{{1, true}, {1e6, true}, {1e30, false}} {
		p, err := Classify([]float64{1, -1, 1, -1}, Costs{Positive: c.cost, Negative: c.cost})
		if err != nil {
			t.Fatal(err)
		}
		p.Tol = 1e-3
		sol, err := SMO{}.Solve(t.Context(), roundedGram{}, p)
		if err != nil {
			t.Fatal(err)
		}
		if (sol.Gap <= p.Tol) != c.certified {
			t.Errorf("C = %g: gap %g, primal %g", c.cost, sol.Gap, sol.Primal)
		}
	}
}
