package oligo

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/gather"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// gram is a corpus as lists of cells. A product takes a sum per cell, and spreads it over the cells of the same
// k-mer.
type gram struct {
	cells
	bells   []float64
	diag    []float64
	scratch sync.Pool // *[]float64, an entry per cell
}

// Gram indexes a corpus of fewer than 2³¹ letters; see [Kernel] for time and memory.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (matrix stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if err := k.checkCorpus(c); err != nil {
		return nil, err
	}
	if k.resembling() {
		k, err := k.Compile()
		return stringkernel.DirectGram{Kernel: k, Corpus: c}, err
	}
	g := &gram{cells: newCells(ctx, k, c), diag: make([]float64, c.Len())}
	g.bells = k.bells(max(1, g.length))
	parallel.EachContext(ctx, c.Len(), func(i int) { g.diag[i] = k.SelfEval(c.Seq(i)) })
	return g, nil
}

// checkCorpus is Check with a limit on the number of letters: positions and cells are 32-bit numbers.
func (k Kernel) checkCorpus(c *stringkernel.Corpus) error {
	if err := k.Check(); err != nil {
		return err
	}
	if err := stringkernel.CheckLetters(c); err != nil {
		return fmt.Errorf("oligo: %w", err)
	}
	const letterBytes = 48 // of cells and what they are sorted in, as measured
	if err := stringkernel.CheckIndex(c, letterBytes); err != nil {
		return fmt.Errorf("oligo: %w", err)
	}
	return nil
}

func (g *gram) Len() int { return len(g.ends) }

func (g *gram) Diag(dst []float64) { copy(dst, g.diag) }

// Row spreads the cells of one sequence.
func (g *gram) Row(dst []float64, i int) {
	sums := g.borrow()
	defer g.scratch.Put(sums)
	for _, cell := range g.of(i) {
		g.spread(*sums, g.bells, cell, 1)
	}
	g.collect(dst, *sums)
	dst[i] = g.diag[i]
}

// MulVecTo adds up the coefficients of each cell, and spreads them k-mer by k-mer.
func (g *gram) MulVecTo(dst, v []float64) {
	coef, sums := g.borrow(), g.borrow()
	defer g.scratch.Put(coef)
	defer g.scratch.Put(sums)
	for i, a := range v {
		if a != 0 {
			for _, cell := range g.of(i) {
				(*coef)[cell] += a
			}
		}
	}
	parallel.For(len(g.kmers.codes), func(lo, hi int) {
		for cell := g.starts[lo]; cell < g.starts[hi]; cell++ {
			if a := (*coef)[cell]; a != 0 {
				g.spread(*sums, g.bells, cell, a)
			}
		}
	})
	g.collect(dst, *sums)
}

// collect writes the sum over the cells of each sequence into dst.
func (g *gram) collect(dst, sums []float64) {
	parallel.Each(g.Len(), func(j int) { dst[j] = gather.Sum(sums, g.of(j)) })
}

// borrow takes a zero for each cell from a pool.
func (g *gram) borrow() *[]float64 {
	v := scratch.Borrow(&g.scratch, len(g.at))
	clear(*v)
	return v
}
