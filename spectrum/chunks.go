package spectrum

import (
	"context"
	"iter"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// chunks is a list that grows without being copied: it takes hardly more memory than its elements at any time.
type chunks[T any] struct {
	full [][]T
	last []T
}

// add appends an element.
func (c *chunks[T]) add(x T) {
	if len(c.last) == cap(c.last) {
		c.full = append(c.full, c.last)
		c.last = make([]T, 0, min(max(1<<6, 2*cap(c.last)), 1<<16))
	}
	c.last = append(c.last, x)
}

// drain yields the elements, and throws those away that it has yielded.
func (c *chunks[T]) drain(ctx context.Context) iter.Seq[T] {
	return func(yield func(T) bool) {
		c.full, c.last = append(c.full, c.last), nil
		for i, chunk := range c.full {
			cancel.Check(ctx)
			for _, x := range chunk {
				if !yield(x) {
					return
				}
			}
			c.full[i] = nil
		}
		c.full = nil
	}
}
