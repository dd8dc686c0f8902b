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
