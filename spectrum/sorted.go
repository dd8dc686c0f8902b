package spectrum

import (
	"context"
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
	p := s.list.postings(ctx)
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
		values: countof.New(k.Count), list: postingLister{countBits: countBitsOf(c.Len())},
		documents: make([]sharing, c.Len()),
	}
	for _, list := range sortedKmers(ctx, c, newCoder(k.Alphabet, k.K)) {
		if len(list) > 1 {
			s.share(list)
		} else { // as most are
			s.alone(list[0].doc, list[0].count)
		}
	}
	return s
}

// sharer collects the shared features of sorted k-mers, feature by feature.
type sharer struct {
	values    countof.Values
	list      postingLister
	documents []sharing
}

// postingLister lists the documents of features, feature by feature.
type postingLister struct {
	countBits uint
	list      chunks[uint32] // of postings
	starts    chunks[uint32] // of features in the list
	size      uint32         // of the list
}

// add lists the documents of the next feature.
func (l *postingLister) add(documents []occurrence) {
	most := mostCount(l.countBits)
	l.starts.add(l.size)
	for _, o := range documents {
		for count := o.count; count > 0; count -= min(count, most) {
			l.list.add(o.doc<<l.countBits | min(count, most))
			l.size++
		}
	}
}

// postings returns what was listed, and throws the lists away.
func (l *postingLister) postings(ctx context.Context) *postings {
	l.starts.add(l.size)
	return &postings{l.countBits, l.starts.list(ctx), l.list.list(ctx)}
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

// share makes a feature of a k-mer that several documents have.
func (s *sharer) share(list []occurrence) {
	s.list.add(list)
	for _, o := range list {
		d := &s.documents[o.doc]
		d.occurrences += int(o.count)
		d.entries += countEntries(int(o.count))
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
