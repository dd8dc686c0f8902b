package oligo

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/gather"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// oligoGram is a corpus as lists of cells. A product takes a sum per cell, and spreads it over the cells of the same
// k-mer.
type oligoGram struct {
	cells
	bells   []float64
	diag    []float64
	scratch sync.Pool // *[]float64, an entry per cell
}

// Gram indexes a corpus of fewer than 2³¹ letters; see [Kernel] for time and memory.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if err := k.checkCorpus(c); err != nil {
		return nil, err
	}
	g := &oligoGram{cells: newCells(k, c), diag: make([]float64, c.Len())}
	g.bells = k.bells(max(1, g.length))
	parallel.For(c.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			g.diag[i] = k.SelfEval(c.Seq(i))
		}
	})
	return g, nil
}

// checkCorpus is Check with a limit on the number of letters: positions and cells are 32-bit numbers.
func (k Kernel) checkCorpus(c *stringkernel.Corpus) error {
	if err := k.Check(); err != nil {
		return err
	}
	if int64(c.Letters()) >= 1<<31 {
		return fmt.Errorf("oligo: %d letters, want fewer than 2³¹", c.Letters())
	}
	return nil
}

func (g *oligoGram) Len() int { return len(g.ends) }

func (g *oligoGram) Diag(dst []float64) { copy(dst, g.diag) }

// Row spreads the cells of one sequence.
func (g *oligoGram) Row(dst []float64, i int) {
	sums := g.borrow()
	defer g.scratch.Put(sums)
	clear(*sums)
	for _, cell := range g.of(i) {
		g.spread(*sums, g.bells, cell, 1)
	}
	g.collect(dst, *sums)
	dst[i] = g.diag[i]
}

// MulVecTo adds up the coefficients of each cell, and spreads them k-mer by k-mer.
func (g *oligoGram) MulVecTo(dst, v []float64) {
	coef, sums := g.borrow(), g.borrow()
	defer g.scratch.Put(coef)
	defer g.scratch.Put(sums)
	clear(*coef)
	clear(*sums)
	for i, a := range v {
		if a == 0 {
			continue
		}
		for _, cell := range g.of(i) {
			(*coef)[cell] += a
		}
	}
	parallel.For(g.words.n, func(lo, hi int) {
		for cell := g.starts[lo]; cell < g.starts[hi]; cell++ {
			if a := (*coef)[cell]; a != 0 {
				g.spread(*sums, g.bells, cell, a)
			}
		}
	})
	g.collect(dst, *sums)
}

// collect writes the sum over the cells of each sequence into dst.
func (g *oligoGram) collect(dst, sums []float64) {
	parallel.For(g.Len(), func(lo, hi int) {
		for j := lo; j < hi; j++ {
			dst[j] = gather.Sum(sums, g.of(j))
		}
	})
}

func (g *oligoGram) borrow() *[]float64 {
	if v, ok := g.scratch.Get().(*[]float64); ok {
		return v
	}
	v := make([]float64, len(g.at))
	return &v
}
