package stringkernel

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// DirectGram is the Gram matrix of a kernel that has nothing but Eval: a row takes n evaluations, a product n².
// It makes any Kernel work with every solver; an index makes it fast. The evaluations of a row run on all processors.
type DirectGram struct {
	Kernel interface{ Eval(x, y []byte) float64 }
	Corpus *Corpus
}

// Len returns n.
func (g DirectGram) Len() int { return g.Corpus.Len() }

// Diag writes k(x_i, x_i).
func (g DirectGram) Diag(dst []float64) {
	parallel.Each(g.Len(), func(i int) { dst[i] = g.Kernel.Eval(g.Corpus.Seq(i), g.Corpus.Seq(i)) })
}

// Row writes k(x_j, x_i) for every j.
func (g DirectGram) Row(dst []float64, i int) {
	parallel.Each(g.Len(), func(j int) { dst[j] = g.Kernel.Eval(g.Corpus.Seq(j), g.Corpus.Seq(i)) })
}

// MulVecTo writes Σ_i v_i k(x_i, x_j), skipping zero entries of v.
func (g DirectGram) MulVecTo(dst, v []float64) { MulByRows(g, dst, v) }

// MulByRows writes K·v into dst from the rows of the entries of v that are not 0, in order: the MulVecTo of a Gram
// without an index.
func MulByRows(g Gram, dst, v []float64) {
	row := make([]float64, g.Len())
	clear(dst)
	for i, a := range v {
		if a == 0 {
			continue
		}
		g.Row(row, i)
		for j, value := range row {
			dst[j] += float64(a * value)
		}
	}
}

// DenseCost takes a value for a nanosecond per pair of letters, so that the whole matrix costs half a product.
func (g DirectGram) DenseCost(context.Context, float64) (matrix, product float64, err error) {
	pairs := float64(g.Corpus.Letters()) * float64(g.Corpus.Letters())
	return pairs / 2, pairs, nil
}

// DenseTo evaluates each pair once.
func (g DirectGram) DenseTo(ctx context.Context, dst []float64, from, to int) (err error) {
	defer cancel.Catch(&err)
	n := g.Len()
	parallel.EachContext(ctx, to-from, func(r int) {
		i, row := from+r, dst[r*n:(r+1)*n]
		for j := range n {
			if j <= i || j >= to {
				cancel.Check(ctx)
				row[j] = g.Kernel.Eval(g.Corpus.Seq(min(i, j)), g.Corpus.Seq(max(i, j)))
			}
		}
	})
	Mirror(dst, n, from, to)
	return nil
}

// Traits says that products are made of rows, without an index.
func (g DirectGram) Traits() Traits { return Traits{RowBased: true} }

// DirectComparison compares with every record of a corpus by one evaluation each.
func DirectComparison(k interface{ Eval(x, y []byte) float64 }, c *Corpus) Comparison {
	return func(dst []float64, x []byte) {
		parallel.Each(c.Len(), func(i int) { dst[i] = k.Eval(c.Seq(i), x) })
	}
}

// DirectScorer scores by one evaluation per support vector: what a kernel without a merged structure uses.
type DirectScorer struct {
	Kernel interface{ Eval(x, y []byte) float64 }
	SV     *Corpus
	Coef   *Coefficients
}

// Outputs returns the number of outputs of the coefficients.
func (s DirectScorer) Outputs() int { return s.Coef.Outputs }

// ScoreTo writes Σ_i coef[m][i]·k(x_i, x) for every m.
func (s DirectScorer) ScoreTo(dst []float64, x []byte) {
	clear(dst[:s.Coef.Outputs])
	for i := range s.SV.Len() {
		s.Coef.AddTo(dst, i, s.Kernel.Eval(s.SV.Seq(i), x))
	}
}

// MaxOutputs bounds the number of outputs of a scorer: one-vs-one among 1,448 classes.
const MaxOutputs = 1 << 20

// checkCoef returns an error unless there are 1 to MaxOutputs coefficient vectors and each has one entry per support
// vector.
func checkCoef(sv *Corpus, coef [][]float64) error {
	if len(coef) == 0 {
		return fmt.Errorf("no coefficients to merge %d support vectors with", sv.Len())
	}
	if len(coef) > MaxOutputs {
		return fmt.Errorf("%d outputs, want at most %d", len(coef), MaxOutputs)
	}
	for m, c := range coef {
		if len(c) != sv.Len() {
			return fmt.Errorf("coefficient vector %d has %d entries for %d support vectors", m, len(c), sv.Len())
		}
	}
	return nil
}
