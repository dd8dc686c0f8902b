package svm

import (
	"container/list"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// rowCache keeps recently used rows of a Gram matrix in at most a given number of bytes, but at least two rows: a step
// of SMO uses two at once. The least recently used row makes room for a new one. Of a [Precomputed]
// matrix it copies none.
type rowCache struct {
	g        stringkernel.Gram
	rows     []*list.Element // by record; nil where not cached
	recent   list.List       // of cachedRow, the latest used first
	capacity int             // rows
	held     int
	misses   int
}

type cachedRow struct {
	record int
	row    []float64
}

func newRowCache(g stringkernel.Gram, bytes int64) *rowCache {
	n := g.Len()
	capacity := min(int64(n), max(2, bytes/int64(8*max(1, n))))
	return &rowCache{g: g, rows: make([]*list.Element, n), capacity: int(capacity)}
}

// get returns row i. The slice must not be modified; it stays valid through the next call, not longer.
func (c *rowCache) get(i int) ([]float64, error) {
	if e := c.rows[i]; e != nil {
		c.recent.MoveToFront(e)
		return e.Value.(cachedRow).row, nil
	}
	row, err := c.load(i)
	if err != nil {
		return nil, err
	}
	c.rows[i] = c.recent.PushFront(cachedRow{i, row})
	return row, nil
}

// load fetches row i. Those of a matrix in memory stay where they are.
func (c *rowCache) load(i int) ([]float64, error) {
	var row []float64
	if p, ok := c.g.(*Precomputed); ok {
		row = p.row(i)
	} else {
		row = c.space()
		c.g.Row(row, i)
	}
	c.misses++
	if j := firstBeyond(row); j >= 0 {
		return nil, fmt.Errorf("svm: entry %d of row %d of the Gram matrix is %v, want a kernel value of at most %g",
			j, i, row[j], float64(mostValue))
	}
	return row, nil
}

// space returns the space of an evicted row, or new space while there is room.
func (c *rowCache) space() (row []float64) {
	if c.held < c.capacity {
		c.held++
		return make([]float64, len(c.rows))
	}
	oldest := c.recent.Remove(c.recent.Back()).(cachedRow)
	c.rows[oldest.record] = nil
	return oldest.row
}

// combine writes Σ_i v_i row_i into dst, in order of i, unless ctx ends before.
func (c *rowCache) combine(ctx context.Context, dst, v []float64) error {
	clear(dst)
	for i, vi := range v {
		if vi == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		row, err := c.get(i)
		if err != nil {
			return err
		}
		addScaled(dst, vi, row)
	}
	return nil
}
