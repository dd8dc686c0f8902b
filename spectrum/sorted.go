package spectrum

import (
	"context"
	"runtime"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// newSortedPart indexes the k-mers of more than above letters (the plain kernel: of K letters) by sorting them, and
// adds their squares to diag. K-mers that several documents share become features with dense ids. A k-mer that one
// document has is not a feature: it only adds to own.
//
// In the bounded kernel a k-mer and its extension by a letter that occur at the same places are one feature of weight
// 2, and so on: there are fewer features than k-mers of all lengths, as a suffix tree has fewer nodes than substrings.
func newSortedPart(ctx context.Context, k Kernel, c *stringkernel.Corpus, above int, diag []float64) *flatPart {
	s := newSharer(ctx, k, c, above)
	collectAfter(c) // sorting
	return s.part(ctx, diag)
}

// collectAfter collects what a step has left of a large corpus, or its memory may still be there when that of the next
// step is taken.
func collectAfter(c *stringkernel.Corpus) {
	if c.Letters() > wholeLetters {
		runtime.GC()
	}
}

// newSharer collects the features of the k-mers of more than above letters.
func newSharer(ctx context.Context, k Kernel, c *stringkernel.Corpus, above int) *sharer {
	coder := newCoder(k.Alphabet, k.K)
	s := &sharer{
		bits: coder.Bits, k: k.K, weighted: k.Bounded, countBits: countBitsOf(c.Len()),
		documents: make([]sharing, c.Len()), tally: make([]uint32, c.Len()),
	}
	first := max(above+1, k.shortest())
	for list := range sortedOccurrences(ctx, c, coder, first) {
		s.list = list
		s.eachGroup(ctx, 0, len(list), first, func(lo, hi, size int) {
			if k.Bounded {
				s.descend(ctx, lo, hi, size, first)
			} else {
				s.emit(lo, hi, k.K, 1)
			}
		})
	}
	s.list, s.tally = nil, nil
	return s
}

// sharer collects the shared features of sorted k-mers, feature by feature.
type sharer struct {
	bits     uint
	k        int
	weighted bool
	list     []occurrence

	countBits uint
	classes   [frequent + 1]classList
	documents []sharing

	tally []uint32 // a count per document, zero at rest: documents are in order among equal keys only
	met   []uint32 // those with a count, in order of first meeting
}

// sharing is what a document has of features.
type sharing struct {
	shared, own          float64 // Σ weight·count² of features that others have too, and of those that none has
	occurrences, entries int     // of shared features, and what those take with counts
}

// Features are numbered by their number of postings, and in order of code among equals, of a prefix and its extensions
// the prefix first. Numbers of frequent or more count as equal.
const frequent = 64

// eachGroup calls visit for each group of k-mers in lo…hi−1 that have at least length letters and share the first
// length ones; size is the number of such k-mers. Shorter k-mers are in between, since equal keys are not ordered by
// length.
func (s *sharer) eachGroup(ctx context.Context, lo, hi, length int, visit func(lo, hi, size int)) {
	shift := s.bits * uint(s.k-length)
	start, size := lo, 0
	var prefix uint64
	for i := range cancel.Steps(ctx, lo, hi) {
		w := &s.list[i]
		if int(w.length) < length {
			continue
		}
		if p := w.key >> shift; size == 0 || p != prefix {
			if size > 0 {
				visit(start, i, size)
			}
			start, size, prefix = i, 0, p
		}
		size++
	}
	if size > 0 {
		visit(start, hi, size)
	}
}

// descend emits the group of size k-mers that share length letters, and then the groups of longer prefixes within it.
func (s *sharer) descend(ctx context.Context, lo, hi, size, length int) {
	if size == 1 {
		s.single(lo, hi, length)
		return
	}
	weight := 1
	for length < s.k && s.extends(lo, hi, size, length+1) {
		weight++
		length++
	}
	s.emit(lo, hi, length, weight)
	if length == s.k {
		return
	}
	s.eachGroup(ctx, lo, hi, length+1, func(lo, hi, size int) { s.descend(ctx, lo, hi, size, length+1) })
}

// single counts the one k-mer of at least length letters in lo…hi−1, for each length from there to its own.
func (s *sharer) single(lo, hi, length int) {
	for i := lo; i < hi; i++ {
		if w := &s.list[i]; int(w.length) >= length {
			s.alone(w.doc, int(w.count), int(w.length)-length+1)
		}
	}
}

// extends reports whether all size k-mers of a group share length letters.
func (s *sharer) extends(lo, hi, size, length int) bool {
	shift := s.bits * uint(s.k-length)
	var prefix uint64
	seen := 0
	for i := lo; i < hi; i++ {
		w := &s.list[i]
		if int(w.length) < length {
			continue
		}
		if p := w.key >> shift; seen == 0 {
			prefix = p
		} else if p != prefix {
			return false
		}
		seen++
	}
	return seen == size
}

// alone counts a feature that one document has.
func (s *sharer) alone(doc uint32, count, weight int) {
	s.documents[doc].own += float64(float64(weight) * (float64(count) * float64(count)))
}

// emit makes a feature of the k-mers in lo…hi−1 that have at least length letters if several documents have them.
func (s *sharer) emit(lo, hi, length, weight int) {
	if hi-lo == 1 { // as most are
		s.alone(s.list[lo].doc, int(s.list[lo].count), weight)
		return
	}
	s.met = s.met[:0]
	for i := lo; i < hi; i++ {
		w := &s.list[i]
		if int(w.length) < length {
			continue
		}
		if s.tally[w.doc] == 0 {
			s.met = append(s.met, w.doc)
		}
		s.tally[w.doc] += uint32(w.count)
	}
	if len(s.met) == 1 {
		doc := s.met[0]
		s.alone(doc, int(s.tally[doc]), weight)
		s.tally[doc] = 0
		return
	}
	s.share(weight)
}

// share makes a feature of the tally, and clears it.
func (s *sharer) share(weight int) {
	most, size := mostCount(s.countBits), 0
	for _, doc := range s.met {
		size += int((s.tally[doc] + most - 1) / most)
	}
	list := s.classes[min(size, frequent)].add(size)
	for _, doc := range s.met {
		count := s.tally[doc]
		s.tally[doc] = 0
		d := &s.documents[doc]
		d.occurrences += int(count)
		d.entries += countEntries(int(count))
		d.shared += float64(float64(weight) * (float64(count) * float64(count)))
		for ; count > 0; count -= min(count, most) {
			list[0] = doc<<s.countBits | min(count, most)
			list = list[1:]
		}
	}
	if s.weighted {
		s.classes[min(size, frequent)].weights.add(uint8(weight))
	}
}

// part makes a part of the features and adds their squares to diag.
func (s *sharer) part(ctx context.Context, diag []float64) *flatPart {
	p, weights := s.postings(ctx)
	own := make([]float64, len(diag))
	sizes, counted := make([]int, len(diag)), make([]int, len(diag))
	for j, d := range s.documents {
		diag[j] += d.own + d.shared
		own[j], sizes[j], counted[j] = d.own, d.occurrences, d.entries
	}
	s.documents = nil
	return newSharedPart(ctx, p, weights, own, sizes, counted)
}

// postings numbers the features, and returns their weights if the kernel has any.
func (s *sharer) postings(ctx context.Context) (*postings, []uint8) {
	p, weights := &postings{countBits: s.countBits}, []uint8(nil)
	if s.weighted {
		weights = []uint8{}
	}
	for i := range s.classes {
		for _, c := range s.classes[i].classes {
			c.first = p.features
			p.features += c.features
			p.classes = append(p.classes, c)
		}
		weights = slices.AppendSeq(weights, s.classes[i].weights.drain(ctx))
	}
	return p, weights
}
