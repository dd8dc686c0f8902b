package rfe

import (
	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// vocabulary numbers features in the order in which training records have them.
type vocabulary struct {
	names  []string
	number map[string]int32
}

// rowsOf lists the features of the records of a corpus. Features that are new are added to the vocabulary if it is open, else left out.
func (v *vocabulary) rowsOf(k stringkernel.Enumerator, c *stringkernel.Corpus, open bool) *sparse.Rows {
	rows := sparse.New(c.Len(), 0, 0)
	for i := range c.Len() {
		k.EachFeature(c.Seq(i), func(name string, value float64) {
			id, known := v.number[name]
			if !known && open {
				id, known = int32(len(v.names)), true
				v.number[name] = id
				v.names = append(v.names, name)
			}
			if known {
				rows.Add(id, value)
			}
		})
		rows.End()
	}
	rows.SetWidth(len(v.names))
	return rows
}

// without returns the rows of the features that are kept, under the same numbers.
func without(rows *sparse.Rows, kept []bool) *sparse.Rows {
	some := sparse.New(rows.Len(), 0, rows.Width())
	for i := range rows.Len() {
		ids, values := rows.Row(i)
		for e, id := range ids {
			if kept[id] {
				some.Add(int32(id), values[e])
			}
		}
		some.End()
	}
	return some
}
