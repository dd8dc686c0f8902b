package spectrum

import (
	"context"
	"iter"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// classList collects features with as many postings each, or with frequent postings or more. What it has collected
// stays where it is, so that postings never take their memory twice.
type classList struct {
	classes  []class // numbered from 0
	features int
}

// add makes room for a feature with the given number of postings.
func (l *classList) add(size int) (list []uint32) {
	l.features++
	if size < frequent {
		return l.addEqual(size)
	}
	return l.addFrequent(size)
}

// addEqual is add for a list whose features have as many postings each: they are one class.
func (l *classList) addEqual(size int) []uint32 {
	const partBits = 15
	if l.classes == nil {
		l.classes = []class{{size: size, shift: uint(partBits - bits.Len(uint(size-1)))}}
	}
	c := &l.classes[0]
	if c.features>>c.shift == len(c.parts) {
		var part []uint32
		if c.features > 0 { // the first part grows
			part = make([]uint32, 0, size<<c.shift)
		}
		c.parts = append(c.parts, part)
	}
	c.features++
	last := &c.parts[len(c.parts)-1]
	at := len(*last)
	*last = slices.Grow(*last, size)[:at+size]
	return (*last)[at:]
}

// addFrequent is add for the others. Each class is an eighth of those before it, so that little room stays empty.
func (l *classList) addFrequent(size int) []uint32 {
	const least, most = 1 << 12, 1 << 22
	if n := len(l.classes); n == 0 || cap(l.classes[n-1].parts[0])-len(l.classes[n-1].parts[0]) < size {
		room := 0
		for i := range l.classes {
			room += cap(l.classes[i].parts[0])
		}
		part := make([]uint32, 0, max(size, min(max(room/8, least), most)))
		l.classes = append(l.classes, class{parts: [][]uint32{part}, starts: []uint32{0}})
	}
	c := &l.classes[len(l.classes)-1]
	c.features++
	at := len(c.parts[0])
	c.parts[0] = c.parts[0][:at+size]
	c.starts = append(c.starts, uint32(at+size))
	return c.parts[0][at:]
}

// chunks is a list that grows without being copied: it takes hardly more memory than its elements at any time.
type chunks[T any] struct {
	full [][]T
	last []T
}

// add appends an element.
func (c *chunks[T]) add(x T) {
	if len(c.last) == cap(c.last) {
		c.grow()
	}
	c.last = append(c.last, x)
}

func (c *chunks[T]) grow() {
	c.full = append(c.full, c.last)
	c.last = make([]T, 0, min(max(1<<6, 2*cap(c.last)), 1<<16))
}

// len returns the number of elements.
func (c *chunks[T]) len() int {
	n := len(c.last)
	for _, chunk := range c.full {
		n += len(chunk)
	}
	return n
}

// list returns the elements in one array, and throws the list away.
func (c *chunks[T]) list(ctx context.Context) []T {
	all := make([]T, 0, c.len())
	for i, chunk := range c.full {
		cancel.Check(ctx)
		all = append(all, chunk...)
		c.full[i] = nil
	}
	all = append(all, c.last...)
	*c = chunks[T]{}
	return all
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
