package compose

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/parallel"
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
