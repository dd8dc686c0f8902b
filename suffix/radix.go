package suffix

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Texts of few symbols and without long repeats, such as DNA, are sorted by their first letters instead: suffixes go
// into buckets by the first of them, and each bucket is sorted by the next 64 bits of its suffixes, which are read from
// a packed copy of the text that fits the cache. Common prefixes come from the same words. Buckets are independent, so
// all processors sort, and the order is that of the suffix array whatever their number. Where too many suffixes share
// more than a word, the attempt is given up for induced sorting, whose time does not depend on the text.

const (
	radixLeast   = 1 << 14 // symbols of a text that buckets are worth it for
	radixSymbols = 32      // most different symbols
	radixDigit   = 12      // most bits of a digit, by which suffixes are put into buckets
)

// radixSorter sorts the suffixes of one text.
type radixSorter[S Symbol] struct {
	text    []S
	packed  []byte // the text, width bits a symbol, first symbol highest, and zeros behind it
	width   int    // bits of a symbol
	letters int    // symbols in a word
	prefix  int    // symbols that a bucket's suffixes share
	lowest  uint64 // the lowest bit of every symbol of a word
	digits  digits // of words
	limit   int32  // greatest common prefix
	sa, lcp []int32
	budget  atomic.Int64 // words that may still be read beyond the first of a suffix
}

// radixSort returns the suffixes that begin with a letter, in order, and the longest common prefixes of neighbours, as
// lcpRanks defines them, of a text of at most radixSymbols symbols; nil if it would take reading more than so many
// words beyond the first of a suffix.
func radixSort[S Symbol](ctx context.Context, text []S, sigma int, limit int32, words int) (sa, lcp []int32) {
	s := &radixSorter[S]{text: text, width: max(1, bits.Len(uint(sigma-1))), limit: limit}
	s.letters = 64 / s.width
	s.digits = digits{bits: radixDigit / s.width * s.width, values: 1}
	for range radixDigit / s.width {
		s.digits.values *= max(2, sigma-1)
	}
	s.prefix = radixDigit / s.width
	for k := range s.letters {
		s.lowest |= 1 << (64 - (k+1)*s.width)
	}
	s.budget.Store(int64(words))
	s.pack(ctx)
	ends := s.distribute(ctx)
	s.lcp = make([]int32, len(s.sa))
	spaces := sync.Pool{New: func() any { return &bucketSpace{count: make([]int32, 1<<s.digits.bits)} }}
	err := parallel.Do(ctx, len(ends)-1, func(b int) error {
		space := spaces.Get().(*bucketSpace)
		defer spaces.Put(space)
		s.sortBucket(ctx, space, int(ends[b]), int(ends[b+1]))
		return nil
	})
	if err != nil {
		cancel.Check(ctx) // sorting fails with the error of ctx alone
	}
	if s.budget.Load() < 0 {
		return nil, nil
	}
	for _, start := range ends[1 : len(ends)-1] {
		if 0 < start && int(start) < len(s.sa) {
			s.lcp[start] = s.common(s.sa[start-1], s.sa[start])
		}
	}
	return s.sa, s.lcp
}

// pack makes the packed copy, eight symbols at a time: they are width bytes.
func (s *radixSorter[S]) pack(ctx context.Context) {
	const group = 8
	groups := (len(s.text) + group - 1) / group
	s.packed = make([]byte, groups*s.width+2*8)
	parallel.ForContext(ctx, groups, func(lo, hi int) {
		cancel.Check(ctx)
		for g := lo; g < hi; g++ {
			var word uint64
			symbols := s.text[g*group : min((g+1)*group, len(s.text))]
			for k, c := range symbols {
				word |= uint64(c) << (64 - (k+1)*s.width)
			}
			for k := range s.width {
				s.packed[g*s.width+k] = byte(word >> (56 - 8*k))
			}
		}
	})
}

// word returns as many symbols from a position on as a word holds, the first one highest; zeros behind the text.
func (s *radixSorter[S]) word(p int) uint64 {
	if p >= len(s.text) {
		return 0
	}
	at, shift := p*s.width>>3, p*s.width&7
	b := s.packed[at : at+9]
	word := binary.BigEndian.Uint64(b)<<shift | uint64(b[8])>>(8-shift)
	return word &^ (1<<(64-s.letters*s.width) - 1)
}

// distribute puts the suffixes that begin with a letter into buckets by their first symbols, and returns the bounds of
// the buckets.
func (s *radixSorter[S]) distribute(ctx context.Context) (ends []int32) {
	buckets := 1 << (s.prefix * s.width)
	shift := 64 - s.prefix*s.width
	const most = 16 // parts of the text, each with counts of its own
	parts := max(1, min(most, len(s.text)/buckets))
	counts := make([][]int32, parts)
	each := func(part int, visit func(p int, bucket uint64)) {
		first, end := part*len(s.text)/parts, (part+1)*len(s.text)/parts
		for p := range cancel.Steps(ctx, first, end) {
			if s.text[p] != 0 {
				visit(p, s.word(p)>>shift)
			}
		}
	}
	parallel.EachContext(ctx, parts, func(part int) {
		count := make([]int32, buckets)
		each(part, func(_ int, bucket uint64) { count[bucket]++ })
		counts[part] = count
	})
	ends = make([]int32, buckets+1)
	sum := int32(0)
	for b := range buckets {
		ends[b] = sum
		for _, count := range counts {
			count[b], sum = sum, sum+count[b] // from here on, the place of the part's next suffix
		}
	}
	ends[buckets] = sum
	s.sa = make([]int32, sum)
	parallel.EachContext(ctx, parts, func(part int) {
		next := counts[part]
		each(part, func(p int, bucket uint64) {
			s.sa[next[bucket]] = int32(p)
			next[bucket]++
		})
	})
	return ends
}

// keyed is a suffix and its first symbols behind those of the bucket.
type keyed struct {
	key uint64
	pos int32
}

// bucketSpace is what sorting a bucket needs.
type bucketSpace struct {
	from, to []keyed
	count    []int32
}

// sortBucket sorts the suffixes sa[lo:hi], which begin alike, and fills in their common prefixes but for the first.
func (s *radixSorter[S]) sortBucket(ctx context.Context, space *bucketSpace, lo, hi int) {
	if hi-lo < 2 || s.budget.Load() < 0 {
		return
	}
	cancel.Check(ctx)
	sa := s.sa[lo:hi]
	space.from, space.to = slices.Grow(space.from[:0], len(sa))[:len(sa)], slices.Grow(space.to[:0], len(sa))[:len(sa)]
	for i, p := range sa {
		space.from[i] = keyed{s.word(int(p) + s.prefix), p}
	}
	list := space.sort(s.digits)
	for first := 0; first < len(list); {
		end := first + 1
		for end < len(list) && list[end].key == list[first].key {
			end++
		}
		if end-first > 1 {
			s.sortEqual(list[first:end])
			if s.budget.Load() < 0 {
				return
			}
		}
		first = end
	}
	lcp, inBucket := s.lcp[lo:hi], min(s.prefix, s.firstZero(s.word(int(sa[0]))))
	for i, x := range list {
		sa[i] = x.pos
		if i > 0 {
			lcp[i] = s.commonOf(list[i-1], x, inBucket)
		}
	}
}

// sort sorts the list from by key and returns it: by digits of a few symbols each, from the last to the first, and what
// is equal in all of them, short runs, by comparisons.
func (space *bucketSpace) sort(d digits) []keyed {
	passes := d.passes(len(space.from))
	for pass := passes - 1; pass >= 0; pass-- {
		space.sortBy(64-(pass+1)*d.bits, d.bits)
	}
	list, shift := space.from, 64-passes*d.bits
	const longest = 24 // run for insertion
	for start := 0; start < len(list); {
		end := start + 1
		for end < len(list) && list[end].key>>shift == list[start].key>>shift {
			end++
		}
		switch run := list[start:end]; {
		case len(run) > longest:
			slices.SortFunc(run, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
		case len(run) > 1:
			insert(run)
		}
		start = end
	}
	return list
}

// sortBy sorts the list by a digit and keeps the order of what is equal.
func (space *bucketSpace) sortBy(shift, digit int) {
	count := space.count[:1<<digit]
	clear(count)
	mask := uint64(len(count) - 1)
	for i := range space.from {
		count[space.from[i].key>>shift&mask]++
	}
	sum := int32(0)
	for d, n := range count {
		count[d] = sum
		sum += n
	}
	for _, x := range space.from {
		d := x.key >> shift & mask
		space.to[count[d]] = x
		count[d]++
	}
	space.from, space.to = space.to, space.from
}

// digits are of bits that hold whole symbols, and take some number of values in a text of letters alone.
type digits struct {
	bits, values int
}

// passes returns the number of digits that make runs of a few suffixes.
func (d digits) passes(suffixes int) int {
	const share, most = 4, 3
	passes := 1
	for runs := d.values; runs < suffixes/share && passes < most; runs *= d.values {
		passes++
	}
	return passes
}

// insert sorts a short list by key.
func insert(list []keyed) {
	for i := 1; i < len(list); i++ {
		x := list[i]
		j := i
		for ; j > 0 && list[j-1].key > x.key; j-- {
			list[j] = list[j-1]
		}
		list[j] = x
	}
}

// sortEqual sorts suffixes whose first words are equal by the following ones. A suffix that ends first is smaller.
func (s *radixSorter[S]) sortEqual(list []keyed) {
	read, left := int64(0), s.budget.Load()
	slices.SortFunc(list, func(a, b keyed) int {
		p, q := int(a.pos)+s.prefix, int(b.pos)+s.prefix
		for read <= left { // beyond that, any order will do: it is thrown away
			p, q = p+s.letters, q+s.letters
			read++
			x, y := s.word(p), s.word(q)
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			case p >= len(s.text) || q >= len(s.text):
				return q - p
			}
		}
		return 0
	})
	s.budget.Add(-read)
}

// commonOf returns the common prefix of two suffixes of a bucket, of which inBucket is that of all.
func (s *radixSorter[S]) commonOf(a, b keyed, inBucket int) int32 {
	switch {
	case inBucket < s.prefix:
		return min(s.limit, int32(inBucket))
	case a.key == b.key:
		return s.common(a.pos, b.pos)
	}
	same := bits.LeadingZeros64(a.key^b.key) / s.width
	return min(s.limit, int32(inBucket+min(same, s.firstZero(a.key))))
}

// firstZero returns the number of symbols of a word before the first 0.
func (s *radixSorter[S]) firstZero(word uint64) int {
	any := word
	for k := 1; k < s.width; k++ {
		any |= word >> k
	}
	return min(s.letters, bits.LeadingZeros64(^any&s.lowest)/s.width)
}

// common returns the common prefix of any two suffixes.
func (s *radixSorter[S]) common(p, q int32) int32 {
	length := 0
	for {
		a, b := s.word(int(p)+length), s.word(int(q)+length)
		same := min(s.letters, bits.LeadingZeros64(a^b)/s.width, s.firstZero(a))
		length += same
		if same < s.letters || length >= int(s.limit) {
			return int32(min(length, int(s.limit)))
		}
	}
}
