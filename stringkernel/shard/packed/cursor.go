package packed

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// Blocks returns the ends of the blocks, nil if the space has no Strands.
func (r *Records) Blocks() (ends []int) {
	if r.Space.Strands() == 0 {
		return nil
	}
	end := 0
	for _, s := range r.List {
		for _, at := range s.(*part).blocks {
			end += at.records
			ends = append(ends, end)
		}
	}
	return ends
}

// Cursor returns a cursor, which holds the blocks that are loaded.
func (r *Records) Cursor() shard.Cursor {
	c := &cursor{all: r, walker: newWalker(r.Space, r.alphabet), strands: r.Space.Strands(), ends: r.Blocks()}
	for _, s := range r.List {
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
	all     *Records
	walker  *walker
	strands int
	places  []placeOf
	ends    []int
	firsts  []int // of the blocks that are loaded, the number of the first record
	loaded  []loaded
	spaces  []*workspace // of blocks that are loaded
}

// loaded is the records of a block.
type loaded struct {
	*block
	spots []spot
	runs  map[int][]run // of the records that have any
}

// spot is where a record is in the text of its block: less than a record, so that more of them fit into the caches.
type spot struct {
	scale      float64
	at, length int
}

// Load reads blocks, on all processors.
func (c *cursor) Load(ctx context.Context, blocks []int) error {
	for len(c.spaces) < len(blocks) {
		c.spaces = append(c.spaces, c.all.newWorkspace())
		c.loaded = append(c.loaded, loaded{})
	}
	c.firsts = c.firsts[:0]
	for _, block := range blocks {
		at := c.places[block]
		c.firsts = append(c.firsts, c.ends[block]-at.part.blocks[at.block].records)
	}
	return parallel.Do(ctx, len(blocks), func(k int) error {
		at := c.places[blocks[k]]
		if err := at.part.read(c.spaces[k], at.block); err != nil {
			return err
		}
		c.loaded[k].take(&c.spaces[k].block)
		return nil
	})
}

// take lists the records of a block.
func (l *loaded) take(b *block) {
	l.block, l.spots = b, l.spots[:0]
	clear(l.runs)
	at := 0
	b.each(func(i int, r *record) {
		l.spots = append(l.spots, spot{r.scale, at, r.length})
		at += len(r.text)
		if len(r.runs) > 0 {
			if l.runs == nil {
				l.runs = map[int][]run{}
			}
			l.runs[i] = slices.Clone(r.runs)
		}
	})
}

// find returns where one of the records that are loaded is.
func (c *cursor) find(i int) (l *loaded, index int) {
	lo := 0
	for n := len(c.firsts); n > 1; n -= n / 2 { // without branches that depend on i
		next := lo + n/2
		if c.firsts[next] > i {
			next = lo
		}
		lo = next
	}
	return &c.loaded[lo], i - c.firsts[lo]
}

// record makes r one of those that are loaded, and returns it.
func (c *cursor) record(r *record, i int) *record {
	l, index := c.find(i)
	s := &l.spots[index]
	r.scale, r.length, r.text = s.scale, s.length, l.text[s.at:s.at+l.bytes(s.length)]
	if len(l.runs) > 0 {
		r.runs = l.runs[index]
	}
	return r
}

// Prefetch asks for the first letters of a record.
func (c *cursor) Prefetch(i int) {
	l, index := c.find(i)
	if s := &l.spots[index]; s.length > 0 {
		simd.Prefetch(&l.text[s.at])
	}
}

// Scatter adds the features of a record to a filtered table.
func (c *cursor) Scatter(table []float64, i int, a float64) {
	r := c.record(&record{}, i)
	a = float64(a * r.scale)
	if c.strands == 2 {
		c.walker.scatterStrands(table, r, float64(2*a))
	} else {
		c.walker.scatter(table, r, a)
	}
}

// Gather scores a record.
func (c *cursor) Gather(table []float64, i int) float64 {
	r := c.record(&record{}, i)
	return float64(c.walker.gather(table, r) * r.scale)
}
