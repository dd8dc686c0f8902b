package spectrum

import (
	"context"
	"iter"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// newSortedPart indexes the k-mers of K letters by sorting them. K-mers that several documents share become features
// with dense ids. A k-mer that one document has is not a feature: it only adds to own.
func newSortedPart(ctx context.Context, k Kernel, c *stringkernel.Corpus) *flatPart {
	s := newSharer(ctx, k, c)
	collectAfter(c) // sorting
	s.starts.add(s.size)
	p := &postings{s.countBits, s.starts.list(ctx), s.list.list(ctx)}
	collectAfter(c) // the lists in chunks
	return s.part(ctx, k, p)
}

// collectAfter collects what a step has left of a large corpus, or its memory may still be there when that of the next
// step is taken.
func collectAfter(c *stringkernel.Corpus) {
	if c.Letters() > wholeLetters {
		runtime.GC()
	}
}

// newSharer collects the features of the k-mers.
func newSharer(ctx context.Context, k Kernel, c *stringkernel.Corpus) *sharer {
	s := &sharer{
		values:    countof.New(k.Count),
		countBits: countBitsOf(c.Len()), documents: make([]sharing, c.Len()), tally: make([]uint32, c.Len()),
	}
	for list := range sortedOccurrences(ctx, c, newCoder(k.Alphabet, k.K), k.K) {
		for lo, hi := 0, 0; lo < len(list); lo = hi {
			for hi < len(list) && list[hi].key == list[lo].key {
				hi++
			}
			if lo/leastStretch != hi/leastStretch {
				cancel.Check(ctx)
			}
			s.emit(list[lo:hi])
		}
	}
	s.tally = nil
	return s
}

// sharer collects the shared features of sorted k-mers, feature by feature.
type sharer struct {
	values    countof.Values
	countBits uint
	list      chunks[uint32] // of postings
	starts    chunks[uint32] // of features in the list
	size      uint32         // of the list
	documents []sharing

	tally []uint32 // a count per document, zero at rest
	met   []uint32 // those with a count, in order
}

// sharing is what a document has of features.
type sharing struct {
	own                  float64 // squares of features that none has, in units of that of one occurrence
	occurrences, entries int     // of features that others have too, and what those take with counts
}

// alone counts a feature that one document has.
func (s *sharer) alone(doc, count uint32) {
	value := float64(count) + s.values.Surplus(count)
	s.documents[doc].own += float64(value * value)
}

// emit makes a feature of a k-mer if several documents have it.
func (s *sharer) emit(list []occurrence) {
	if len(list) == 1 { // as most are
		s.alone(list[0].doc, uint32(list[0].count))
		return
	}
	s.met = s.met[:0]
	for i := range list {
		w := &list[i]
		if s.tally[w.doc] == 0 {
			s.met = append(s.met, w.doc)
		}
		s.tally[w.doc] += uint32(w.count)
	}
	if len(s.met) == 1 {
		doc := s.met[0]
		s.alone(doc, s.tally[doc])
		s.tally[doc] = 0
		return
	}
	s.share()
}

// share makes a feature of the tally, and clears it.
func (s *sharer) share() {
	most := mostCount(s.countBits)
	s.starts.add(s.size)
	for _, doc := range s.met {
		count := s.tally[doc]
		s.tally[doc] = 0
		d := &s.documents[doc]
		d.occurrences += int(count)
		d.entries += countEntries(int(count))
		for ; count > 0; count -= min(count, most) {
			s.list.add(doc<<s.countBits | min(count, most))
			s.size++
		}
	}
}

// part makes a part of the features.
func (s *sharer) part(ctx context.Context, k Kernel, p *postings) *flatPart {
	n := len(s.documents)
	own, sizes, counted := make([]float64, n), make([]int, n), make([]int, n)
	for j, d := range s.documents {
		own[j], sizes[j], counted[j] = d.own, d.occurrences, d.entries
	}
	s.documents = nil
	return newSharedPart(ctx, k, p, own, sizes, counted)
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
