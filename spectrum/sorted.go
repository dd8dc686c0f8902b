package spectrum

import (
	"context"
	"iter"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// newSortedPart indexes the k-mers of more than above letters (the plain kernel: of K letters) by sorting them, and
// adds their squares to diag. K-mers that several documents share become features with dense ids, in order of code and,
// of a prefix and its extensions, the prefix first. A k-mer that one document has is not a feature: it only adds to
// own.
//
// In the bounded kernel a k-mer and its extension by a letter that occur at the same places are one feature of weight
// 2, and so on: there are fewer features than k-mers of all lengths, as a suffix tree has fewer nodes than substrings.
func newSortedPart(ctx context.Context, k Kernel, c *stringkernel.Corpus, above int, diag []float64) *flatPart {
	coder := newCoder(k.Alphabet, k.K)
	s := &sharer{
		bits: coder.Bits, k: k.K, own: make([]float64, c.Len()),
		occurrences: make([]int, c.Len()), entries: make([]int, c.Len()), tally: make([]uint32, c.Len()),
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
	s.list = nil
	return s.part(ctx, k.Bounded, diag)
}

// sharer collects the shared features of sorted k-mers, feature by feature.
type sharer struct {
	bits uint
	k    int
	list []occurrence
	own  []float64

	occurrences []int // of features, by document
	entries     []int // that those take with counts, by document
	byFrequency [frequent + 1]sharedBy

	tally []uint32 // a count per document, zero at rest: documents are in order among equal keys only
	met   []uint32 // those with a count, in order of first meeting
}

// sharedBy is the features that so many documents have, in order of meeting. Features are numbered by the number of
// documents that have them, so that a product by postings passes over long stretches of lists of one length;
// frequencies of frequent or more count as equal.
type sharedBy struct {
	docs    chunks[uint32] // of each feature those that have it, with its count if that is not 1
	weights chunks[uint8]  // by feature
}

const (
	frequent      = 64
	lastOfFeature = 1 << 31 // marks of documents, which are fewer
	countFollows  = 1 << 30
)

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
			count := float64(w.count)
			s.own[w.doc] += float64(count * count * float64(int(w.length)-length+1))
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

// emit makes a feature of the k-mers in lo…hi−1 that have at least length letters if several documents have them.
func (s *sharer) emit(lo, hi, length, weight int) {
	if hi-lo == 1 { // as most are
		w := &s.list[lo]
		s.own[w.doc] += float64(float64(weight) * (float64(w.count) * float64(w.count)))
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
		count := float64(s.tally[doc])
		s.own[doc] += float64(float64(weight) * (count * count))
		s.tally[doc] = 0
		return
	}
	features := &s.byFrequency[min(len(s.met), frequent)]
	for i, doc := range s.met {
		count := int(s.tally[doc])
		s.occurrences[doc] += count
		s.entries[doc] += countEntries(count)
		s.tally[doc] = 0
		if i == len(s.met)-1 {
			doc |= lastOfFeature
		}
		if count == 1 {
			features.docs.add(doc)
			continue
		}
		features.docs.add(doc | countFollows)
		features.docs.add(uint32(count))
	}
	features.weights.add(uint8(weight))
}

// shared is a feature of a document.
type shared struct {
	feature, doc uint32
	count        int
}

// features yields all features of all documents, once, in order of features: it throws the lists away.
func (s *sharer) features(ctx context.Context) iter.Seq[shared] {
	return func(yield func(shared) bool) {
		f := shared{}
		for i := range s.byFrequency {
			var doc uint32
			for entry := range s.byFrequency[i].docs.drain(ctx) {
				if doc&countFollows != 0 {
					f.count = int(entry)
				} else if doc, f.count = entry, 1; doc&countFollows != 0 {
					continue
				}
				f.doc = doc &^ (countFollows | lastOfFeature)
				if !yield(f) {
					return
				}
				if doc&lastOfFeature != 0 {
					f.feature++
				}
				doc = 0
			}
		}
	}
}

// part numbers the features by frequency, turns them round into a list by documents and adds the diagonal.
func (s *sharer) part(ctx context.Context, weighted bool, diag []float64) *flatPart {
	weights := []float64{}
	features, occurrences, entries := 0, 0, 0
	for i := range s.byFrequency {
		for weight := range s.byFrequency[i].weights.drain(ctx) {
			features++
			if weighted {
				weights = append(weights, float64(weight))
			}
		}
	}
	for j := range diag {
		diag[j] += s.own[j]
		occurrences += s.occurrences[j]
		entries += s.entries[j]
	}
	inc := newIncidence(len(diag), features, occurrences, entries)
	next := inc.reserve(s.occurrences, s.entries)
	for f := range s.features(ctx) {
		next[f.doc] = inc.put(next[f.doc], f.feature, f.count)
		weight := 1.0
		if weighted {
			weight = weights[f.feature]
		}
		diag[f.doc] += float64(weight * (float64(f.count) * float64(f.count)))
	}
	if !weighted {
		weights = nil
	}
	return newFlatPart(ctx, features, inc, weights, s.own)
}
