package seqio

import (
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// room returns an error if there is no room for another record, or its visitor has failed.
func (c *collector) room(line int) error {
	if c.batch != nil && c.batch.err != nil {
		return c.batch.err
	}
	if most := min(c.limit, MaxRecords); c.stream == nil && c.records+len(c.set.Lines) == most {
		return c.Errorf(line, "more than %d records; split the input", most)
	}
	return c.Fits(0, line)
}

// Fits returns an error unless there is memory for that many bytes more.
func (c *collector) Fits(more, line int) error {
	if err := lines.CheckHeld(c.bytes()+int64(more), "records"); err != nil {
		return c.Errorf(line, "%w", err)
	}
	return nil
}

// bytes estimates the memory of the records so far: letters twice, since an arena that grows is copied, their names,
// and what is kept per record.
func (c *collector) bytes() int64 {
	const (
		record = 128 // measured: 87 where ids are line numbers, 180 with short ids
		// of a record that is no longer kept, whose id must not recur: in a list and a table that are copied as
		// they grow, with its line
		known = 96
		mark  = 48
	)
	kept, gone := c.records+len(c.set.Lines), 0
	switch {
	case c.stream != nil:
		kept, gone = 0, kept
	case c.batch != nil:
		gone = len(c.batch.lines)
	}
	return 2*int64(c.total) + int64(c.names) + int64(c.beside) + record*int64(kept) + known*int64(gone) +
		mark*int64(len(c.marks))
}

// makeRoom doubles the arena if it has no room for that many letters, or makes it that of a whole batch once it is
// seen that the input is large. A record may be larger than a batch. It returns an error unless there is memory for it.
func (c *collector) makeRoom(letters, line int) error {
	const small, large = 64 << 10, 1 << 20
	arena := c.builder.Letters()
	if cap(arena)-len(arena) >= letters {
		return nil
	}
	// while the arena is copied to another, both are there
	least := c.bytes() - 2*int64(c.total) + int64(cap(arena)+len(arena)+letters)
	if err := lines.CheckHeld(least, "records"); err != nil {
		return c.Errorf(line, "%w", err)
	}
	more := max(c.total, small)
	if c.batch != nil && c.total >= large && c.total < c.batch.size {
		more = c.batch.size - c.total
	}
	most := min(int64(c.limit-c.total), int64(letters)+memory.Limit()-least)
	c.builder.Grow(c.records+len(c.set.Lines), int(min(int64(max(more, letters)), most)))
	return nil
}
