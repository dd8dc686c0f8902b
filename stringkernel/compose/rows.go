package compose

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rowsTo writes the rows of some records into dst: together if g has a [RowBlock].
func rowsTo(ctx context.Context, g stringkernel.Gram, dst [][]float64, records []int) {
	if b := RowBlockOf(g); b != nil {
		b.RowsTo(dst, records)
		return
	}
	parallel.EachContext(ctx, len(records), func(c int) { g.Row(dst[c], records[c]) })
}

// RowBlock takes the function of the wrapped matrix's rows.
func (g functionGram) RowBlock() RowBlock { return given(RowBlockOf(g.inner), RowBlock(g)) }

func (g functionGram) RowsTo(dst [][]float64, records []int) {
	RowBlockOf(g.inner).RowsTo(dst, records)
	parallel.Each(len(records), func(c int) { g.apply(dst[c], records[c]) })
}

// RowBlock scales the wrapped matrix's rows.
func (g *normalizedGram) RowBlock() RowBlock { return given(RowBlockOf(g.inner), RowBlock(g)) }

func (g *normalizedGram) RowsTo(dst [][]float64, records []int) {
	RowBlockOf(g.inner).RowsTo(dst, records)
	parallel.Each(len(records), func(c int) { g.scaleRow(dst[c], records[c]) })
}

// RowBlock adds up rows of both strands.
func (g *strandGram) RowBlock() RowBlock { return given(RowBlockOf(g.inner), RowBlock(g)) }

func (g *strandGram) RowsTo(dst [][]float64, records []int) {
	strands := make([]int, 0, 2*len(records))
	for _, i := range records {
		strands = append(strands, i, g.n+i)
	}
	rows := scratch.Vectors(len(strands), 2*g.n)
	RowBlockOf(g.inner).RowsTo(rows, strands)
	parallel.Each(len(records), func(c int) {
		forward, reverse := rows[2*c], rows[2*c+1]
		floats.AddTo(dst[c], forward[:g.n], forward[g.n:])
		for j := range dst[c] {
			dst[c][j] += reverse[j] + reverse[g.n+j]
		}
	})
}

// RowBlock has the mean of the terms' rows, if all terms have them.
func (g *meanGram) RowBlock() RowBlock {
	return givenAll(g.terms, RowBlockOf, RowBlock(meanRowBlock(*g)))
}

type meanRowBlock meanGram

func (b meanRowBlock) RowsTo(dst [][]float64, records []int) {
	one := scratch.Vectors(len(records), b.terms[0].Len())
	weights := shares(b.kernel.Weights)
	for c := range dst {
		clear(dst[c])
	}
	for t, term := range b.terms {
		RowBlockOf(term).RowsTo(one, records)
		for c := range dst {
			weights.add(dst[c], one[c], t)
		}
	}
	for c := range dst {
		divide(dst[c], weights.total(len(b.terms)))
	}
}
