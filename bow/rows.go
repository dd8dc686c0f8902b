package bow

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rowsOf returns the documents of a corpus as rows of the features of v. Those in known, if not nil, are not read
// again.
func (v *vocabulary) rowsOf(ctx context.Context, c *stringkernel.Corpus, known *fitted) *sparse.Rows {
	return sparse.Collect(ctx, c.Len(), v.nodes(), func(r *sparse.Rows, lo, hi int) {
		w := v.borrow()
		defer v.giveBack(w)
		for j := lo; j < hi; j++ {
			cancel.Check(ctx)
			addRow(r, w, known, c.Seq(j))
		}
	})
}

// addRow adds the row of x, from known or else computed by w, with the same result.
func addRow(r *sparse.Rows, w *weigher, known *fitted, x []byte) {
	if i, there := known.find(x); there {
		r.AddRow(known.rows.Row(i))
	} else {
		w.weigh(x, r.Add)
	}
	r.End()
}
