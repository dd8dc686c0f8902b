package packed

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// Blocks returns the ends of the blocks, nil if the Strands of the space are 0.
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
	c := &cursor{walker: newWalker(r.Space, r.alphabet), strands: r.Space.Strands(), ends: r.Blocks()}
	c.lasting = r.store.lasting()
	for _, s := range r.List {
		p := s.(*part)
		for b := range p.blocks {
			c.blocks = append(c.blocks, blockOf{p, b})
		}
	}
	return c
}

// blockOf is a block, by its number in a part.
type blockOf struct {
	part   *part
	number int
}

// cursor is the records of some blocks.
type cursor struct {
	walker  *walker
	strands int
	blocks  []blockOf
	ends    []int
	firsts  []int     // of the blocks that are loaded, the number of the first record
	loaded  []*loaded // these blocks
	read    []loaded  // what blocks were read into: of blocks in memory one for each, else one for each loaded
	lasting bool      // blocks are in memory, and are read once
}

// loaded is the records of a block.
type loaded struct {
	block
	data   []byte
	spots  []spot
	runsOf map[int][]run // by record; of those that have any
}

// spot is where a record is in the text of its block: its first byte in the low bits, the number of its letters above.
// It takes much less than a record, so that the spots of all blocks in memory can be kept, and more fit into the
// caches.
type spot uint64

const spotBits = 20 // of the first byte: a record begins before the block has blockLetters

func (s spot) at() int { return int(s & (1<<spotBits - 1)) }

func (s spot) length() int { return int(s >> spotBits) }

// Load reads blocks, on all processors.
func (c *cursor) Load(ctx context.Context, blocks []int) error {
	most := len(blocks)
	if c.lasting {
		most = len(c.blocks)
	}
	for len(c.read) < most {
		c.read = append(c.read, loaded{})
	}
	c.firsts, c.loaded = c.firsts[:0], c.loaded[:0]
	var unread []int // of blocks
	for k, block := range blocks {
		at := c.blocks[block]
		c.firsts = append(c.firsts, c.ends[block]-at.part.blocks[at.number].records)
		if c.lasting {
			k = block
		}
		l := &c.read[k]
		c.loaded = append(c.loaded, l)
		if !c.lasting || l.data == nil {
			unread = append(unread, len(c.loaded)-1)
		}
	}
	return parallel.Do(ctx, len(unread), func(j int) (err error) {
		l, at := c.loaded[unread[j]], c.blocks[blocks[unread[j]]]
		if l.data, err = at.part.read(l.data, &l.block, at.number); err == nil {
			l.index()
		}
		return err
	})
}

// index lists where the records of the block are, and their runs.
func (l *loaded) index() {
	l.spots = l.spots[:0]
	clear(l.runsOf)
	at := 0
	l.each(func(i int, r *record) {
		l.spots = append(l.spots, spot(r.length)<<spotBits|spot(at))
		at += len(r.text)
		if len(r.runs) > 0 {
			if l.runsOf == nil {
				l.runsOf = map[int][]run{}
			}
			l.runsOf[i] = slices.Clone(r.runs)
		}
	})
}

// find returns the block of a record that is loaded, and its number there.
func (c *cursor) find(i int) (l *loaded, index int) {
	lo := 0
	for n := len(c.firsts); n > 1; n -= n / 2 { // without branches that depend on i
		next := lo + n/2
		if c.firsts[next] > i {
			next = lo
		}
		lo = next
	}
	return c.loaded[lo], i - c.firsts[lo]
}

// record makes r record i, which is loaded, and returns it.
func (c *cursor) record(r *record, i int) *record {
	l, index := c.find(i)
	s := l.spots[index]
	r.scale, r.length, r.repeats = l.scale(index), s.length(), l.repeatsOf(index)
	r.text = l.text[s.at():][:l.bytes(r.length)]
	if len(l.runsOf) > 0 {
		r.runs = l.runsOf[index]
	}
	return r
}

// Prefetch asks for the first letters of a record.
func (c *cursor) Prefetch(i int) {
	l, index := c.find(i)
	if s := l.spots[index]; s.length() > 0 {
		simd.Prefetch(&l.text[s.at()])
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
