package rows

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Vocabulary numbers named features in the order in which records have them. The zero value is empty.
type Vocabulary struct {
	Names  []string
	number map[string]int32
}

// RowsOf lists the features of the records of a corpus. New ones are added to the vocabulary if it is open, else left
// out. Package cancel ends it.
func (v *Vocabulary) RowsOf(ctx context.Context, k stringkernel.Enumerator, c *stringkernel.Corpus, open bool) *Rows {
	if v.number == nil {
		v.number = map[string]int32{}
	}
	rows := New(c.Len(), 0, 0)
	for i := range c.Len() {
		cancel.Check(ctx)
		k.EachFeature(c.Seq(i), func(name string, value float64) {
			id, known := v.number[name]
			if !known && open {
				id, known = int32(len(v.Names)), true
				v.number[name] = id
				v.Names = append(v.Names, name)
			}
			if known {
				rows.Add(id, value)
			}
		})
		rows.End()
	}
	rows.SetWidth(len(v.Names))
	return rows
}
