package compose

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// MaxSides is the greatest number of different sequences of a side whose values with each other are held in memory,
// 512 MB at most.
const MaxSides = 1 << 13

// pairGram is the matrix of a [Pair].
type pairGram struct {
	stringkernel.Sides
	diag     []float64
	grams    []stringkernel.Gram // of each corpus
	tables   [][]float64         // of each corpus, its values with itself, row by row; nil if there are too many
	explicit *pairProducts       // in place of tables, nil if there are too many features
	byRight  [][]int             // the records of each right side
	scratch  sync.Pool
}

// Gram indexes the different sequences of each side.
func (k Pair) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	k, err := k.ready(ctx, c)
	if err != nil {
		return nil, err
	}
	g := &pairGram{Sides: stringkernel.Divide(c, len(k.Sides))}
	if g.grams, err = ofSides(k, func(i int, side stringkernel.Kernel) (stringkernel.Gram, error) {
		return side.Gram(ctx, g.Corpora[i])
	}); err != nil {
		return nil, err
	}
	g.byRight = make([][]int, g.last().Len())
	for i, b := range g.Right {
		g.byRight[b] = append(g.byRight[b], i)
	}
	if g.diag, err = ofEach(ctx, k, c, k.SelfEval); err != nil {
		return nil, err
	}
	return g, g.tabulate(ctx)
}

// tabulate computes the values of the sides with each other, unless there are too many.
func (g *pairGram) tabulate(ctx context.Context) error {
	m, q := g.grams[0].Len(), g.last().Len()
	if max(m, q) > MaxSides {
		g.explicit = newPairProducts(g)
		return nil
	}
	if err := memory.Check(8 * float64(m*m+q*q)); err != nil {
		return err
	}
	for _, side := range g.grams {
		table := make([]float64, 0, side.Len()*side.Len())
		if err := stringkernel.EachRow(ctx, side, 0, side.Len(), func(_ int, row []float64) error {
			table = append(table, row...)
			return nil
		}); err != nil {
			return err
		}
		g.tables = append(g.tables, table)
	}
	return nil
}

// last returns the matrix of the right sides.
func (g *pairGram) last() stringkernel.Gram { return g.grams[len(g.grams)-1] }

func (g *pairGram) Len() int { return len(g.Left) }

func (g *pairGram) Diag(dst []float64) { copy(dst, g.diag) }

// row returns the values of a sequence with all of its corpus, in space that it may use.
func (g *pairGram) row(space []float64, corpus, i int) []float64 {
	m := g.grams[corpus].Len()
	if g.tables != nil {
		return g.tables[corpus][i*m:][:m]
	}
	g.grams[corpus].Row(space[:m], i)
	return space[:m]
}

func (g *pairGram) Row(dst []float64, i int) {
	m := g.grams[0].Len()
	space := scratch.Borrow(&g.scratch, m+g.last().Len())
	defer g.scratch.Put(space)
	combine(dst, g.Sides, g.row((*space)[:m], 0, g.Left[i]), g.row((*space)[m:], len(g.grams)-1, g.Right[i]))
	dst[i] = g.diag[i]
}

// MulVecTo sums, for each right side b, v_j·B(b, b_j) over the records j of each left side, and gathers these by the
// rows of the left sides that are with b.
func (g *pairGram) MulVecTo(dst, v []float64) {
	switch {
	case g.explicit != nil:
		g.explicit.mulVecTo(dst, v)
		return
	case g.tables == nil:
		stringkernel.MulByRows(g, dst, v)
		return
	}
	var left, right []int
	var values []float64
	for j, value := range v {
		if a, b := g.Left[j], g.Right[j]; value != 0 && len(g.grams) == 1 {
			left, right, values = append(left, a, b), append(right, b, a), append(values, value, value)
		} else if value != 0 {
			left, right, values = append(left, a), append(right, b), append(values, value)
		}
	}
	parallel.Each(len(g.byRight), func(b int) {
		space := scratch.Borrow(&g.scratch, g.grams[0].Len())
		defer g.scratch.Put(space)
		sums, row := *space, g.row(nil, len(g.grams)-1, b)
		clear(sums)
		for e, value := range values {
			sums[left[e]] += float64(value * row[right[e]])
		}
		for _, i := range g.byRight[b] {
			dst[i] = vectors.Dot(g.row(nil, 0, g.Left[i]), sums)
		}
	})
}

// Traits says that products are made of rows where the sides are too many for tables, and their features too.
func (g *pairGram) Traits() stringkernel.Traits {
	return stringkernel.Traits{
		RowBased: g.tables == nil && g.explicit == nil, QuickRows: g.tables != nil,
		Prepare: func(ctx context.Context) error { return prepareAll(ctx, g.grams) },
	}
}
