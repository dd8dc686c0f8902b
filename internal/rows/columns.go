package rows

import "github.com/seqsvm/seqsvm/internal/ends"

// Columns are rows turned round: of each feature the records that have it, in order, with its values there. They are
// only read, and may be by several goroutines.
type Columns struct {
	ends    []int // ends[id] is the offset just after feature id
	records []uint32
	values  []float64
}

// Columns turns the rows round. O(entries + width).
func (r *Rows) Columns() *Columns {
	c := &Columns{
		ends: make([]int, r.width), records: make([]uint32, len(r.ids)), values: make([]float64, len(r.ids)),
	}
	for _, id := range r.ids {
		c.ends[id]++
	}
	at := 0
	for id, count := range c.ends { // starts first; each moves up to its end as it is filled
		c.ends[id] = at
		at += count
	}
	for j := range r.ends {
		ids, values := r.Row(j)
		for e, id := range ids {
			c.records[c.ends[id]], c.values[c.ends[id]] = uint32(j), values[e]
			c.ends[id]++
		}
	}
	return c
}

// Column returns the records that have a feature, in order, with its values, both only to be read.
func (c *Columns) Column(id uint32) (records []uint32, values []float64) {
	lo, hi := ends.Bounds(c.ends, int(id))
	return c.records[lo:hi], c.values[lo:hi]
}

// AddTo adds a times the values of a feature to the entries of the records that have it.
func (c *Columns) AddTo(dst []float64, id uint32, a float64) {
	records, values := c.Column(id)
	for e, j := range records {
		dst[j] += float64(a * values[e])
	}
}
