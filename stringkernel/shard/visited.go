package shard

import (
	"context"
	"sort"
)

// Visited is a Shard whose records can be visited one by one, if its space has Strands.
type Visited interface {
	Shard
	// Blocks returns the number of records up to the end of each block of neighbours; nil if they cannot be visited.
	Blocks() []int
	// Cursor returns what visits records, for one goroutine. There must be Blocks.
	Cursor() Cursor
}

// Cursor visits the records of some blocks at a time, in any order. Records are numbered as those of the shard.
type Cursor interface {
	// Load makes blocks, in ascending order, those whose records can be visited. The error is that of ctx or of
	// reading.
	Load(ctx context.Context, blocks []int) error
	// Scatter adds a times the features of a record to a filtered table.
	Scatter(table []float64, i int, a float64)
	// Gather returns ⟨table, φ(x_i)⟩ of a filtered table.
	Gather(table []float64, i int) float64
	// Prefetch asks for some of a record, so that visiting it soon finds it in the caches.
	Prefetch(i int)
}

// Blocks returns those of all shards, nil if there is one whose records cannot be visited.
func (l List) Blocks() (ends []int) {
	from := 0
	for _, s := range l {
		v, _ := s.(Visited)
		if s.Len() == 0 {
			continue
		}
		if v == nil || v.Blocks() == nil {
			return nil
		}
		for _, end := range v.Blocks() {
			ends = append(ends, from+end)
		}
		from += s.Len()
	}
	return ends
}

// Cursor returns a cursor of the records of all shards.
func (l List) Cursor() Cursor {
	c := &listCursor{}
	records, blocks := 0, 0
	for _, s := range l {
		if s.Len() == 0 {
			continue
		}
		v := s.(Visited)
		c.parts = append(c.parts, listPart{v.Cursor(), records, blocks})
		records, blocks = records+v.Len(), blocks+len(v.Blocks())
	}
	return c
}

// listCursor is the cursors of the shards of a list.
type listCursor struct{ parts []listPart }

// listPart is the cursor of a shard, with the numbers of its first record and block.
type listPart struct {
	cursor        Cursor
	record, block int
}

func (c *listCursor) Load(ctx context.Context, blocks []int) error {
	for p, part := range c.parts {
		var own []int
		for _, b := range blocks {
			if b >= part.block && (p == len(c.parts)-1 || b < c.parts[p+1].block) {
				own = append(own, b-part.block)
			}
		}
		if len(own) == 0 {
			continue
		}
		if err := part.cursor.Load(ctx, own); err != nil {
			return err
		}
	}
	return nil
}

// of returns the part of a record.
func (c *listCursor) of(i int) *listPart {
	return &c.parts[sort.Search(len(c.parts), func(p int) bool { return c.parts[p].record > i })-1]
}

func (c *listCursor) Scatter(table []float64, i int, a float64) {
	p := c.of(i)
	p.cursor.Scatter(table, i-p.record, a)
}

func (c *listCursor) Gather(table []float64, i int) float64 {
	p := c.of(i)
	return p.cursor.Gather(table, i-p.record)
}

func (c *listCursor) Prefetch(i int) {
	p := c.of(i)
	p.cursor.Prefetch(i - p.record)
}
