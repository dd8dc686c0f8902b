package smo

import (
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
// of the solver uses two at once. The least recently used row makes room for a new one. Of a [svm.Precomputed]
// matrix it copies none.
type rowCache struct {
	g        stringkernel.Gram
	rows     [][]float64 // by record; nil where not cached
	capacity int         // rows
	held     int
	misses   int
	passing  []float64 // a row that is not kept
	short    bool      // the last row took less than shortRow
	// A ring of records by recency: after[n] is the latest used, before[n] the least recently used; n is the sentinel.
	before, after []int32
}

// quickShare is the part of the bytes for rows that those of [stringkernel.Traits].QuickRows may take.
const quickShare = 3

func newRowCache(g stringkernel.Gram, bytes int64) *rowCache {
	n := g.Len()
	if stringkernel.TraitsOf(g).QuickRows {
		bytes /= quickShare
	}
	capacity := min(int64(n), max(2, bytes/int64(8*max(1, n))))
	c := &rowCache{
		g: g, rows: make([][]float64, n), capacity: int(capacity), before: make([]int32, n+1),
		after: make([]int32, n+1),
	}
	c.before[n], c.after[n] = int32(n), int32(n)
	return c
}

// get returns row i. The slice must not be modified; it stays valid through the next call, not longer.
func (c *rowCache) get(ctx context.Context, i int) ([]float64, error) {
	if row := c.rows[i]; row != nil {
		c.unlink(i)
		c.linkFirst(i)
		return row, nil
	}
	row, err := c.load(ctx, i, c.space)
	if err != nil {
		return nil, err
	}
	c.rows[i] = row
	c.linkFirst(i)
	return row, nil
}

// load fetches row i into a space. Those of a matrix in memory stay where they are.
func (c *rowCache) load(ctx context.Context, i int, space func() []float64) ([]float64, error) {
	var row []float64
	if p, ok := c.g.(*svm.Precomputed); ok {
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
// short records.
const shortRow = 100 * time.Microsecond

// fill writes row i, unless ctx ends before. After a short row it expects another one.
func (c *rowCache) fill(ctx context.Context, row []float64, i int) (err error) {
	begun, fill := time.Now(), func() { c.g.Row(row, i) }
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
	if c.held < c.capacity {
		c.held++
		return make([]float64, len(c.rows))
	}
	oldest := int(c.before[len(c.rows)])
	c.unlink(oldest)
	row, c.rows[oldest] = c.rows[oldest], nil
	return row
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
		row := c.rows[i]
		if row == nil {
			var err error
			if row, err = c.pass(ctx, i); err != nil {
				return err
			}
		}
		vectors.AddScaled(dst, vi, row)
	}
	return nil
}

// pass returns row i, which is not kept, until the next call; it is kept while there is room.
func (c *rowCache) pass(ctx context.Context, i int) ([]float64, error) {
	if c.held < c.capacity {
		return c.get(ctx, i)
	}
	return c.load(ctx, i, func() []float64 {
		if c.passing == nil {
			c.passing = make([]float64, len(c.rows))
		}
		return c.passing
	})
}

func (c *rowCache) unlink(i int) {
	b, a := c.before[i], c.after[i]
	c.after[b], c.before[a] = a, b
}

func (c *rowCache) linkFirst(i int) {
	n := int32(len(c.rows))
	first := c.after[n]
	c.before[i], c.after[i] = n, first
	c.after[n], c.before[first] = int32(i), int32(i)
}
