package spectrum

import "sort"

// sharedRepeat is a k-mer that several documents have, and some of them more than once, and with it all longer ones
// that have the same postings. Repeats are in order of their first postings, and shorter ones before those that they
// begin.
type sharedRepeat struct {
	first, end uint32 // its postings
	holders    uint32 // where the documents end that have it more than once, among those of the stretch
	lengths    uint32 // how many k-mers there are
}

// holder is a document that has a k-mer more than once, and what its count stands for beyond its postings of 1 each, in
// units of g(1).
type holder struct {
	doc     uint32
	surplus float64
}

// repeatsOf returns the range of the repeats of the groups that have the postings first…end−1.
func (s *stretch) repeatsOf(first, end int) (lo, hi int) {
	from := func(place int) int {
		return sort.Search(len(s.repeats), func(i int) bool { return int(s.repeats[i].first) >= place })
	}
	return from(first), from(end)
}

// holdersOf returns the holders of repeat i.
func (s *stretch) holdersOf(i int) []holder {
	lo := uint32(0)
	if i > 0 {
		lo = s.repeats[i-1].holders
	}
	return s.holders[lo:s.repeats[i].holders]
}

// kmerCount is a posting's k-mer: the number of its letters beyond above, and how often the document has it.
type kmerCount struct {
	length uint8
	count  uint32
}

// held is what a document has of a k-mer: its count and its postings.
type held struct {
	doc, count uint32
	postings   int
}

// findRepeats lists the repeats of length letters beyond above and more among the postings lo…hi−1 of the group that
// begins at a place. No repeat begins with a k-mer that is none.
func (b *prefixShare) findRepeats(start, lo, hi int, length uint8) {
	shared := b.next.shared[start:]
	for end := lo; lo < hi; lo = end {
		longest := b.counts[lo].length // k-mer that has the same postings
		for end = lo + 1; end < hi && shared[end] >= length; end++ {
			longest = min(longest, shared[end])
		}
		repeated := end > lo+1 || longest >= length && b.counts[lo].count > 1
		if repeated && b.findRepeat(start, lo, end, longest-length+1) {
			b.findRepeats(start, lo, end, longest+1)
		}
	}
}

// findRepeat reports whether a document has a k-mer, whose postings in a group are lo…hi−1, more than once, and then
// lists it with those of as many lengths that have the same postings.
func (b *prefixShare) findRepeat(start, lo, hi int, lengths uint8) bool {
	postings, counts, countBits := b.next.postings[start+lo:start+hi], b.counts[lo:hi], b.countBits&31
	repeated := false
	for i, posting := range postings {
		n := &b.tally[posting>>countBits]
		*n = min(*n+counts[i].count, isRepeated)
		repeated = repeated || *n > 1
	}
	if repeated {
		b.addRepeat(postings, counts, start+lo, lengths)
	}
	for _, posting := range postings {
		b.tally[posting>>countBits] = 0
	}
	return repeated
}

// isRepeated is the tally of a document that has a k-mer more than once, and 1 and a place more where it has one in a
// list.
const isRepeated = 2

// addRepeat adds a k-mer, of which the tally is there. What one document alone has adds to its own.
func (b *prefixShare) addRepeat(postings []uint32, counts []kmerCount, first int, lengths uint8) {
	list := b.held[:0]
	for i, posting := range postings {
		doc := posting >> (b.countBits & 31)
		n := &b.tally[doc]
		if *n < isRepeated {
			continue
		}
		if *n == isRepeated {
			list = append(list, held{doc: doc})
			*n += uint32(len(list))
		}
		h := &list[*n-isRepeated-1]
		h.postings++
		h.count += counts[i].count
	}
	b.held = list
	before := len(b.next.holders)
	for _, h := range list {
		surplus := b.value(int(h.count)) - float64(h.postings)
		switch {
		case h.postings == len(postings):
			b.own[h.doc] += float64(float64(lengths) * float64(surplus*(float64(2*h.postings)+surplus)))
		case surplus != 0:
			b.next.holders = append(b.next.holders, holder{h.doc, surplus})
		}
	}
	if n := len(b.next.holders); n > before {
		b.next.repeats = append(b.next.repeats,
			sharedRepeat{uint32(first), uint32(first + len(postings)), uint32(n), uint32(lengths)})
	}
}

// addSurplus adds to dst what walk leaves out: of the repeats lo…hi−1, which are those of whole groups.
func (p *prefixPart) addSurplus(dst, v []float64, s *stretch, lo, hi int) {
	w := surplusWalker{stretch: s, countBits: p.countBits & 31, dst: dst, v: v}
	for lo < hi {
		w.at, w.sum = s.repeats[lo].first, 0
		lo = w.repeat(lo)
	}
}

// surplusWalker passes over the postings of repeats, once for all lengths. With p_d the postings that document d has of
// a k-mer and s_d its surplus, Σ s_d·v_d is added for each posting, and for each holder Σ (p_d + s_d)·v_d times its
// own.
type surplusWalker struct {
	*stretch
	countBits uint
	dst, v    []float64
	at        uint32  // the next posting
	sum       float64 // of v over those before
	surplus   float64 // what is added for each: Σ s_d·v_d of the repeats that it is of
}

// repeat goes from the first posting of repeat i to the end, and returns the next repeat that it does not begin.
func (w *surplusWalker) repeat(i int) (next int) {
	r, holders := &w.repeats[i], w.holdersOf(i)
	before, outer, own := w.sum, w.surplus, 0.0
	for _, h := range holders {
		own += float64(w.v[h.doc] * h.surplus)
	}
	w.surplus += float64(float64(r.lengths) * own)
	for next = i + 1; next < len(w.repeats) && w.repeats[next].first < r.end; {
		w.goTo(w.repeats[next].first)
		next = w.repeat(next)
	}
	w.goTo(r.end)
	w.surplus = outer
	total := float64(float64(r.lengths) * (w.sum - before + own))
	for _, h := range holders {
		w.dst[h.doc] += float64(total * h.surplus)
	}
	return next
}

// goTo passes over the postings up to a place.
func (w *surplusWalker) goTo(end uint32) {
	dst, v, countBits, sum, surplus := w.dst, w.v, w.countBits&31, w.sum, w.surplus
	for _, posting := range w.postings[w.at:end] {
		doc := posting >> countBits
		sum += v[doc]
		dst[doc] += surplus
	}
	w.at, w.sum = end, sum
}
