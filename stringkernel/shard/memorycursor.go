package shard

import "context"

// memoryBlock is the number of records of a block in memory.
const memoryBlock = 256

// Blocks returns blocks of 256 records if Filter leaves tables as they are, else nil.
func (s *Memory) Blocks() (ends []int) {
	if s.space.Strands() != 1 {
		return nil
	}
	for end := memoryBlock; end < s.Len()+memoryBlock; end += memoryBlock {
		ends = append(ends, min(end, s.Len()))
	}
	return ends
}

// Cursor returns a cursor, all of whose records can be visited at any time.
func (s *Memory) Cursor() Cursor { return memoryCursor{s} }

// memoryCursor visits records in memory.
type memoryCursor struct{ *Memory }

func (c memoryCursor) Load(ctx context.Context, _ []int) error { return ctx.Err() }

func (c memoryCursor) Scatter(table []float64, i int, a float64) {
	c.space.Scatter(table, c.corpus.Seq(i), float64(a*c.scale[i]))
}

func (c memoryCursor) Gather(table []float64, i int) float64 {
	return float64(c.space.Gather(table, c.corpus.Seq(i)) * c.scale[i])
}

// Prefetch does nothing: neighbours in memory follow one another.
func (c memoryCursor) Prefetch(int) {}
