package spectrum

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/ends"
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
	s := &sharer{bits: coder.Bits, k: k.K, own: make([]float64, c.Len()), tally: make([]uint32, c.Len())}
	first := max(above+1, k.shortest())
	s.list = sortOccurrences(ctx, occurrencesIn(ctx, c, coder, first), coder.Bits*uint(k.K))
	s.eachGroup(ctx, 0, len(s.list), first, func(lo, hi, size int) {
		if k.Bounded {
			s.descend(ctx, lo, hi, size, first)
		} else {
			s.emit(lo, hi, k.K, 1)
		}
	})
	s.list = nil
	if !k.Bounded {
		s.weights = nil
	}
	return s.part(ctx, diag)
}

// sharer collects the shared features of sorted k-mers, feature by feature.
type sharer struct {
	bits    uint
	k       int
	list    []occurrence
	own     []float64
	weights []float64
	ends    []int    // ends[f] is where the documents of feature f end
	docs    []uint32 // those that have a feature, in order of first meeting
	counts  []uint32
	tally   []uint32 // a count per document, zero at rest: documents are in order among equal keys only
}

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

// single counts the one k-mer of at least length letters in lo…hi−1: one for each length from there to its own.
func (s *sharer) single(lo, hi, length int) {
	for i := lo; i < hi; i++ {
		if w := &s.list[i]; int(w.length) >= length {
			s.own[w.doc] += float64(int(w.length) - length + 1)
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
	before := len(s.docs)
	for i := lo; i < hi; i++ {
		w := &s.list[i]
		if int(w.length) < length {
			continue
		}
		if s.tally[w.doc] == 0 {
			s.docs = append(s.docs, w.doc)
		}
		s.tally[w.doc]++
	}
	for _, doc := range s.docs[before:] {
		s.counts = append(s.counts, s.tally[doc])
		s.tally[doc] = 0
	}
	if len(s.docs)-before == 1 {
		count := float64(s.counts[before])
		s.own[s.docs[before]] += float64(float64(weight) * (count * count))
		s.docs, s.counts = s.docs[:before], s.counts[:before]
		return
	}
	s.ends = append(s.ends, len(s.docs))
	s.weights = append(s.weights, float64(weight))
}

// byFrequency returns the features in order of the number of documents that have them, stably, so that a product by
// postings passes over long stretches of lists of one length. Frequencies of frequent or more count as equal.
func (s *sharer) byFrequency() []uint32 {
	const frequent = 64
	var next [frequent + 2]int
	frequency := func(f int) int {
		lo, hi := ends.Bounds(s.ends, f)
		return min(hi-lo, frequent)
	}
	for f := range s.ends {
		next[frequency(f)+1]++
	}
	for d := range frequent {
		next[d+1] += next[d]
	}
	order := make([]uint32, len(s.ends))
	for f := range s.ends {
		d := frequency(f)
		order[next[d]] = uint32(f)
		next[d]++
	}
	return order
}

// part numbers the features by frequency, turns them round into a list by documents and adds the diagonal.
func (s *sharer) part(ctx context.Context, diag []float64) *flatPart {
	n := len(s.own)
	perDoc := make([]int, n+1)
	occurrences, entries := 0, 0
	for i, doc := range s.docs {
		perDoc[doc+1]++
		occurrences += int(s.counts[i])
		entries += countEntries(int(s.counts[i]))
	}
	for j := range n {
		cancel.Check(ctx)
		perDoc[j+1] += perDoc[j]
	}
	ids, counts := make([]uint32, len(s.docs)), make([]uint32, len(s.docs))
	next := slices.Clone(perDoc[:n])
	var weights []float64
	for id, f := range cancel.All(ctx, s.byFrequency()) {
		lo, hi := ends.Bounds(s.ends, int(f))
		for e, doc := range s.docs[lo:hi] {
			ids[next[doc]], counts[next[doc]] = uint32(id), s.counts[lo+e]
			next[doc]++
		}
		if s.weights != nil {
			weights = append(weights, s.weights[f])
		}
	}
	inc := newIncidence(n, len(s.ends), occurrences, entries)
	for j := range n {
		cancel.Check(ctx)
		diag[j] += s.own[j]
		for i := perDoc[j]; i < perDoc[j+1]; i++ {
			inc.add(ids[i], int(counts[i]))
			weight := 1.0
			if weights != nil {
				weight = weights[ids[i]]
			}
			diag[j] += float64(weight * (float64(counts[i]) * float64(counts[i])))
		}
		inc.end()
	}
	return newFlatPart(ctx, len(s.ends), inc, weights, s.own)
}
