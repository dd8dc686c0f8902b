package table

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// Lister lists the records of features, feature by feature.
type Lister struct {
	countBits uint
	list      Chunks[uint32] // of postings
	starts    Chunks[uint32] // of features in the list
	size      uint32         // of the list
}

// NewLister returns an empty list of features of a number of records below [MostRecords].
func NewLister(records int) *Lister { return &Lister{countBits: countBitsOf(records)} }

// Add lists the records of the next feature, in order.
func (l *Lister) Add(holders []Occurrence) {
	most := mostCount(l.countBits)
	l.starts.Add(l.size)
	for _, o := range holders {
		for count := o.Count; count > 0; count -= min(count, most) {
			l.list.Add(o.Record<<l.countBits | min(count, most))
			l.size++
		}
	}
}

// Postings returns what was listed, and throws the lists away.
func (l *Lister) Postings(ctx context.Context) *Postings {
	l.starts.Add(l.size)
	return &Postings{countBits: l.countBits, starts: l.starts.List(ctx), list: l.list.List(ctx)}
}

// Chunks is a list that grows without being copied: it takes hardly more memory than its elements at any time.
type Chunks[T any] struct {
	full [][]T
	last []T
}

// Add appends an element.
func (c *Chunks[T]) Add(x T) {
	if len(c.last) == cap(c.last) {
		c.grow()
	}
	c.last = append(c.last, x)
}

func (c *Chunks[T]) grow() {
	c.full = append(c.full, c.last)
	c.last = make([]T, 0, min(max(1<<6, 2*cap(c.last)), 1<<16))
}

// len returns the number of elements.
func (c *Chunks[T]) len() int {
	n := len(c.last)
	for _, chunk := range c.full {
		n += len(chunk)
	}
	return n
}

// List returns the elements in one array, and throws the list away.
func (c *Chunks[T]) List(ctx context.Context) []T {
	all := make([]T, 0, c.len())
	for i, chunk := range c.full {
		cancel.Check(ctx)
		all = append(all, chunk...)
		c.full[i] = nil
	}
	all = append(all, c.last...)
	*c = Chunks[T]{}
	return all
}
