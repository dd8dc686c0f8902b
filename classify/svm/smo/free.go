package smo

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// withFree returns a problem without a bias as one with: a last record, with a row of zeros, a linear term of 0 and a
// weight without limit, makes coefficients sum to 0 and changes nothing else.
func withFree(p *dual.Program) *dual.Program {
	q := *p
	q.Gram = freeGram{p.Gram}
	q.Linear = append(slices.Clone(p.Linear), 0)
	q.Weights = append(slices.Clone(p.Weights), math.Inf(1))
	return &q
}

// freeGram is a matrix with a row and a column of zeros added.
type freeGram struct{ stringkernel.Gram }

func (g freeGram) Len() int { return g.Gram.Len() + 1 }

func (g freeGram) Row(dst []float64, i int) {
	if n := g.Gram.Len(); i < n {
		g.Gram.Row(dst[:n], i)
		dst[n] = 0
		return
	}
	clear(dst)
}

func (g freeGram) Diag(dst []float64) {
	n := g.Gram.Len()
	g.Gram.Diag(dst[:n])
	dst[n] = 0
}

func (g freeGram) MulVecTo(dst, v []float64) {
	n := g.Gram.Len()
	g.Gram.MulVecTo(dst[:n], v[:n])
	dst[n] = 0
}

// Describer says whether rows are as fast as products, as of the matrix itself.
func (g freeGram) Describer() stringkernel.Describer { return stringkernel.DescriberOf(g.Gram) }
