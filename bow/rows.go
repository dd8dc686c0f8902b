package bow

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rowsOf returns the documents of a corpus as rows of the features of v. Those in known, if not nil, are not read
// again.
func (v *vocabulary) rowsOf(ctx context.Context, c *stringkernel.Corpus, known *fitted) *rows.Rows {
	return rows.Collect(ctx, c.Len(), v.Len(), func(r *rows.Rows, lo, hi int) {
		w := v.borrow()
		defer v.Return(w)
		for j := lo; j < hi; j++ {
			cancel.Check(ctx)
			addRow(r, w, known, c.Seq(j))
		}
	})
}

// addRow adds the row of x, from known or else computed by w, with the same result.
func addRow(r *rows.Rows, w *weigher, known *fitted, x []byte) {
	if i, there := known.find(x); there {
		r.AddRow(known.rows.Row(i))
	} else {
		w.eachOf(x, r.Add)
	}
	r.End()
}

// compare lists the texts of a corpus by feature. O(N).
func (k Kernel) compare(ctx context.Context, c *stringkernel.Corpus) (texts stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	var v *vocabulary
	if k.fitted != nil {
		v = k.fitted.vocabulary
	} else if v, err = k.collect(ctx, c); err != nil {
		return nil, fmt.Errorf("words: %w", err)
	}
	all := v.rowsOf(ctx, c, k.fitted)
	if k.Count.Separable() {
		return rows.Compare(v, all), nil
	}
	o, all, err := k.occurrences(ctx, all)
	return rows.Compare(occurring{v, o}, all), err
}

// fitted is what a kernel knows of its reference corpus.
type fitted struct {
	corpus     *stringkernel.Corpus
	vocabulary *vocabulary
	rows       *rows.Rows     // of corpus
	byHash     map[uint64]int // a document of each hash
}

func newFitted(c *stringkernel.Corpus, v *vocabulary, r *rows.Rows) *fitted {
	f := &fitted{corpus: c, vocabulary: v, rows: r, byHash: make(map[uint64]int, c.Len())}
	for j := range c.Len() {
		f.byHash[maphash.Bytes(intern.Seed, c.Seq(j))] = j
	}
	return f
}

// find returns the number of a document of the reference corpus that equals x. A nil receiver has none.
func (f *fitted) find(x []byte) (j int, there bool) {
	if f == nil {
		return 0, false
	}
	j, there = f.byHash[maphash.Bytes(intern.Seed, x)]
	return j, there && bytes.Equal(f.corpus.Seq(j), x)
}
