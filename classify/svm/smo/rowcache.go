package smo

import (
	"container/list"
	"context"
	"fmt"
	"time"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rowCache keeps recently used rows of a Gram matrix in at most a given number of bytes, but at least two rows: a step
// of the solver uses two at once. The least recently used row makes room for a new one. Of a [svm.Precomputed] matrix
// it copies none. There may be a record more than the matrix has, whose row is 0.
type rowCache struct {
	g        stringkernel.Gram
	rows     []*list.Element // by record; nil where not cached
	recent   list.List       // of cachedRow, the latest used first
	capacity int             // rows
	misses   int
	passing  []float64 // a row that is not kept
	short    bool      // the last row took less than shortRow
}

type cachedRow struct {
	record int
	row    []float64
}

// quickShare is the part of the bytes for rows that those of [stringkernel.Traits].QuickRows may take. Results do
// not depend on it.
const quickShare = 3

func newRowCache(g stringkernel.Gram, n int, bytes int64) *rowCache {
	if stringkernel.TraitsOf(g).QuickRows {
		bytes /= quickShare
	}
	c := &rowCache{g: g, rows: make([]*list.Element, n), capacity: n}
	if c.inMemory() == nil {
		c.capacity = int(min(int64(n), max(2, bytes/int64(8*max(1, n)))))
	}
	return c
}

// inMemory returns the matrix if its rows are as they are wanted, else nil.
func (c *rowCache) inMemory() *svm.Precomputed {
	if p, ok := c.g.(*svm.Precomputed); ok && p.N == len(c.rows) {
		return p
	}
	return nil
}

// get returns row i. The slice must not be modified; it stays valid through the next call, not longer.
func (c *rowCache) get(ctx context.Context, i int) ([]float64, error) {
	if at := c.rows[i]; at != nil {
		c.recent.MoveToFront(at)
		return at.Value.(cachedRow).row, nil
	}
	row, err := c.load(ctx, i, c.space)
	if err == nil {
		c.rows[i] = c.recent.PushFront(cachedRow{i, row})
	}
	return row, err
}

// load fetches row i into a space. Those of a matrix in memory stay where they are.
func (c *rowCache) load(ctx context.Context, i int, space func() []float64) ([]float64, error) {
	var row []float64
	if p := c.inMemory(); p != nil {
		row = p.Of(i)
	} else {
		row = space()
		if err := c.fill(ctx, row, i); err != nil {
			return nil, err
		}
	}
	c.misses++
	if j := dual.FirstBeyond(row); j >= 0 {
		return nil, fmt.Errorf("svm: entry %d of row %d of the Gram matrix is %v, want a kernel value of at most %g",
			j, i, row[j], float64(svm.MostValue))
	}
	return row, nil
}

// shortRow is the time up to which a row is waited for: [cancel.Run] takes 1 to 2 µs, as long as a row of a hundred
// short records. Results do not depend on it.
const shortRow = 100 * time.Microsecond

// fill writes row i, unless ctx ends before. After a short row it expects another one.
func (c *rowCache) fill(ctx context.Context, row []float64, i int) (err error) {
	n := c.g.Len()
	if i == n {
		clear(row)
		return nil
	}
	begun, fill := time.Now(), func() { c.g.Row(row[:n], i) }
	if c.short {
		fill()
	} else {
		err = cancel.Run(ctx, fill)
	}
	c.short = time.Since(begun) < shortRow
	return err
}

// space returns the space of an evicted row, or new space while there is room.
func (c *rowCache) space() (row []float64) {
	if c.recent.Len() < c.capacity {
		return make([]float64, len(c.rows))
	}
	oldest := c.recent.Remove(c.recent.Back()).(cachedRow)
	c.rows[oldest.record] = nil
	return oldest.row
}

// combine writes Σ_i v_i row_i into dst, in order of i, unless ctx ends before. Rows that are not kept then take the
// place of none: they are asked for once, those of the steps before will be again.
func (c *rowCache) combine(ctx context.Context, dst, v []float64) error {
	clear(dst)
	for i, vi := range v {
		if vi == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		row, err := c.pass(ctx, i)
		if err != nil {
			return err
		}
		vectors.AddScaled(dst, vi, row)
	}
	return nil
}

// pass returns row i, which is kept while there is room, until the next call. The order of use is as it was.
func (c *rowCache) pass(ctx context.Context, i int) ([]float64, error) {
	if at := c.rows[i]; at != nil {
		return at.Value.(cachedRow).row, nil
	}
	if c.recent.Len() < c.capacity {
		return c.get(ctx, i)
	}
	return c.load(ctx, i, func() []float64 {
		if c.passing == nil {
			c.passing = make([]float64, len(c.rows))
		}
		return c.passing
	})
}
