package seqio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// AllBatches reads inputs as [ReadAll] does and passes them to visit in collections of consecutive records, in order,
// so that they need not fit in memory: a collection is given as soon as its [BatchSize] is at least size, the last one
// when the inputs end. Small inputs come together, a large one in several sets. Together they are the collection of
// ReadAll, except that the labels of a set are nil if none of its own records has one, and that [Options].MaxLetters
// holds for each. A collection may be kept. Besides it, memory holds the record being read, and for an input
// whose records have their own ids, some 60 bytes and the id of each to find duplicates.
//
// An error in an input is the one that Read returns; collections before it have been given by then. When ctx has ended
// as reading fails, the records before are given too, few as they may be. An error of visit
// ends the reading and is returned as it is. [AmbiguousError] requires [Options].Alphabet or [Options].FirstDecides:
// that of an input is not known before its end.
func AllBatches(ctx context.Context, inputs []Input, opt Options, size int, visit func(*Collection) error) error {
	if err := opt.check(); err != nil {
		return err
	}
	if size < 1 {
		return fmt.Errorf("seqio: batches of size %d, want 1 or more", size)
	}
	if opt.Ambiguous == AmbiguousError && opt.Alphabet == "" && !opt.FirstDecides {
		return errors.New("seqio: batches with ambiguous = error need the alphabet")
	}
	if i := slices.IndexFunc(opt.Numbers, isPattern); i >= 0 {
		return fmt.Errorf("seqio: columns=%s is looked up in all records first; give the names for records that are read once",
			opt.Numbers[i])
	}
	c := newCollector(opt)
	c.batch = &batcher{size: size, visit: visit}
	err := c.readAll(ctx, inputs)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if c.set != nil && len(c.sets)+len(c.set.Lines) > 0 {
		c.give()
	}
	return cmp.Or(err, c.batch.err)
}

// BatchSize returns the approximate memory of records in bytes: their letters and 64 per record.
func BatchSize(records, letters int) int { return letters + 64*records }

// full reports whether it is time to pass the records on.
func (c *collector) full() bool {
	return BatchSize(c.records+len(c.set.Lines), c.total) >= c.batch.size
}

// give passes on what has been collected and begins another set of the same input.
func (c *collector) give() {
	b := c.batch
	if b.err != nil {
		return
	}
	if len(c.set.Lines) > 0 {
		if len(c.ids) > 0 {
			b.lines = append(b.lines, c.set.Lines...)
		}
		b.some = true
		c.sets = append(c.sets, c.set)
	}
	letters, records := c.total, len(c.set.Lines)
	collection, err := c.pack()
	if err == nil {
		err = b.visit(collection)
	}
	b.err = err
	c.sets, c.records = nil, 0
	c.names -= c.early
	c.total, c.beside, c.early, c.marks = 0, 0, 0, nil
	c.set = c.another()
	c.builder.Grow(records, letters) // the next are like these
}
