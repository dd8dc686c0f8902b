package disk

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// Blocks returns the ends of the blocks, nil if the space has no Strands.
func (f *File) Blocks() (ends []int) {
	if f.Space.Strands() == 0 {
		return nil
	}
	end := 0
	for _, s := range f.List {
		for _, at := range s.(*part).blocks {
			end += at.records
			ends = append(ends, end)
		}
	}
	return ends
}

// Cursor returns a cursor, which holds the blocks that are loaded.
func (f *File) Cursor() shard.Cursor {
	c := &cursor{file: f, walker: newWalker(f.Space, f.alphabet), strands: f.Space.Strands(), ends: f.Blocks()}
	for _, s := range f.List {
		p := s.(*part)
		for b := range p.blocks {
			c.places = append(c.places, placeOf{p, b})
		}
	}
	return c
}

// placeOf is where a block is.
type placeOf struct {
	part  *part
	block int
}

// cursor is the records of some blocks.
type cursor struct {
	file    *File
	walker  *walker
	strands int
	places  []placeOf
	ends    []int
	loaded  []loaded
	spaces  []*workspace // of blocks that are loaded
	table   []float64    // zeros, for norms
}

// loaded is the records of a block, with the number of the first.
type loaded struct {
	first   int
	records []record
	runs    []run // of all records
}

// Load reads blocks.
func (c *cursor) Load(ctx context.Context, blocks []int) (err error) {
	defer cancel.Catch(&err)
	for len(c.spaces) < len(blocks) {
		c.spaces = append(c.spaces, c.file.newWorkspace())
	}
	c.loaded = append(c.loaded[:cap(c.loaded)], make([]loaded, max(0, len(blocks)-cap(c.loaded)))...)[:len(blocks)]
	for k, block := range blocks {
		cancel.Check(ctx)
		at := c.places[block]
		if err := at.part.read(c.spaces[k], at.block); err != nil {
			return err
		}
		c.loaded[k].take(&c.spaces[k].block, c.ends[block])
	}
	return nil
}

// take lists the records of a block, the last of which has the number end − 1.
func (l *loaded) take(b *block, end int) {
	l.first, l.records, l.runs = end-b.records, l.records[:0], l.runs[:0]
	b.each(func(_ int, r *record) {
		kept := *r
		from := len(l.runs)
		l.runs = append(l.runs, r.runs...)
		kept.runs = l.runs[from:]
		l.records = append(l.records, kept)
	})
}

// record returns one of those that are loaded.
func (c *cursor) record(i int) *record {
	lo, hi := 0, len(c.loaded)
	for hi-lo > 1 {
		if middle := (lo + hi) / 2; c.loaded[middle].first <= i {
			lo = middle
		} else {
			hi = middle
		}
	}
	return &c.loaded[lo].records[i-c.loaded[lo].first]
}

// Scatter adds the features of a record to a filtered table.
func (c *cursor) Scatter(table []float64, i int, a float64) {
	r := c.record(i)
	c.scatter(table, r, float64(a*r.scale))
}

func (c *cursor) scatter(table []float64, r *record, a float64) {
	if c.strands == 2 {
		c.walker.scatterStrands(table, r, float64(2*a))
	} else {
		c.walker.scatter(table, r, a)
	}
}

// Gather scores a record.
func (c *cursor) Gather(table []float64, i int) float64 {
	r := c.record(i)
	return float64(c.walker.gather(table, r) * r.scale)
}

// Norm counts features, which leaves no rounding behind.
func (c *cursor) Norm(i int) float64 {
	if c.table == nil {
		c.table = make([]float64, c.file.Space.Size())
	}
	r := c.record(i)
	c.scatter(c.table, r, 1)
	square := c.walker.gather(c.table, r)
	c.scatter(c.table, r, -1)
	return float64(float64(square*r.scale) * r.scale)
}
