package wdk

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// gram is the matrix of a corpus of windows. Rows and products have separate indexes, built on first use.
type gram struct {
	kernel  Kernel
	corpus  *stringkernel.Corpus
	length  int
	diag    func() []float64
	rows    func() *rows
	product cancel.Once[operator]
}

// operator computes products.
type operator interface {
	MulVecTo(dst, v []float64)
}

// Gram indexes a corpus of windows of one length; see the package comment for time and memory. It returns an error that
// names the first record of another length, and one if there are 2³⁰ windows or more.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	length, err := k.windows(c)
	if err != nil {
		return nil, err
	}
	if k.resembling() {
		k, err := k.Compile()
		return stringkernel.DirectGram{Kernel: k, Corpus: c}, err
	}
	if c.Len() > math.MaxInt32/2 {
		return nil, fmt.Errorf("wd: %d windows, want fewer than 2³⁰", c.Len())
	}
	if err := stringkernel.CheckIndex(c, k.indexBytes(c, length)); err != nil {
		return nil, fmt.Errorf("wd: %w", err)
	}
	g := &gram{
		kernel: k, corpus: c, length: length,
		rows: sync.OnceValue(func() *rows { return newRows(k, c, length) }),
	}
	g.diag = sync.OnceValue(g.selfValues)
	g.product.Make = func(ctx context.Context) operator {
		if k.tabulated(c.Len()) {
			return newTables(ctx, k, c, length)
		}
		return newOperator(ctx, k, c, length)
	}
	return g, nil
}

// indexBytes returns the memory of a letter, of rows and products at their peak, as measured.
func (k Kernel) indexBytes(c *stringkernel.Corpus, length int) float64 {
	if k.tabulated(c.Len()) {
		return 20 + k.tableBytes(length)/float64(max(1, c.Letters()))
	}
	return float64(20 + 12*min(k.Shift, length))
}

// operator returns the index of products.
func (g *gram) operator() operator { return g.product.Get(context.Background()) }

// Traits says that products need an index of their own.
func (g *gram) Traits() stringkernel.Traits {
	return stringkernel.Traits{Prepare: func(ctx context.Context) (err error) {
		defer cancel.Catch(&err)
		g.product.Get(ctx)
		return nil
	}}
}

// Len returns n.
func (g *gram) Len() int { return g.corpus.Len() }

// Diag writes k(x_i, x_i).
func (g *gram) Diag(dst []float64) { copy(dst, g.diag()) }

// selfValues returns k(x_i, x_i).
func (g *gram) selfValues() []float64 {
	values := make([]float64, g.Len())
	parallel.Each(len(values), func(i int) { values[i] = g.kernel.SelfEval(g.corpus.Seq(i)) })
	return values
}

// Row writes column i by comparing bit masks.
func (g *gram) Row(dst []float64, i int) { g.rows().row(dst, i) }

// MulVecTo walks the trees, or tables, of all positions.
func (g *gram) MulVecTo(dst, v []float64) { g.operator().MulVecTo(dst, v) }
