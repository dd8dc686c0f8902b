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

// Texts of few different symbols and without long repeats are sorted by their first letters instead: suffixes go into
// buckets by the first of them, and each bucket is sorted by the next 64 bits of its suffixes, which are read from a
// packed copy of the text that fits the cache. Suffixes that agree in these are sorted by the next 64, and so on.
// Common prefixes come from the same words. Buckets are independent, so all processors sort, and the order is that of
// the suffix array whatever their number. Where too many suffixes share more than a word, the attempt is given up for
// induced sorting, whose time does not depend on the text; some of the buckets tell.

const (
	radixLeast   = 1 << 14 // symbols of a text that buckets and several processors are worth it for
	radixSymbols = 256     // most different symbols, 0 included
	radixWords   = 4       // most words per suffix beyond the first; induced sorting then takes as long
	radixSample  = 16      // buckets of which the first is among those that tell
	bucketBits   = 12      // most bits by which suffixes are put into buckets
	digitBits    = 11      // bits of a digit, by which buckets are sorted
)

// radixSorter sorts the suffixes of one text.
type radixSorter[S Symbol] struct {
	text    []S
	code    []uint8 // of each symbol: its number among those that occur, 0 included
	packed  []byte  // the codes, width bits each, first symbol highest, and zeros behind them
	width   int     // bits of a code
	letters int     // symbols in a word
	prefix  int     // symbols that a bucket's suffixes share
	lowest  uint64  // the lowest bit of every symbol of a word
	limit   int32   // greatest common prefix
	sa, lcp []int32
	budget  atomic.Int64 // words that may still be read beyond the first of a suffix
}

// radixSort returns the suffixes that begin with a letter, in order, and the longest common prefixes of neighbours, as
// lcpRanks defines them. It returns nil if the text is shorter than radixLeast or has more than radixSymbols different
// symbols, or if more than the given number of words per suffix would have to be read beyond the first.
func radixSort[S Symbol](ctx context.Context, text []S, sigma int, limit int32, words int) (sa, lcp []int32) {
	if len(text) < radixLeast {
		return nil, nil
	}
	code, different := codesOf(text, sigma)
	if different > radixSymbols {
		return nil, nil
	}
	s := &radixSorter[S]{text: text, code: code, width: max(1, bits.Len(uint(different-1))), limit: limit}
	s.letters = 64 / s.width
	s.prefix = bucketBits / s.width
	for k := range s.letters {
		s.lowest |= 1 << (64 - (k+1)*s.width)
	}
	s.pack(ctx)
	ends := s.distribute(ctx)
	s.lcp = make([]int32, len(s.sa))
	if !s.sortBuckets(ctx, ends, words) {
		return nil, nil
	}
	for _, start := range ends[1 : len(ends)-1] {
		if 0 < start && int(start) < len(s.sa) {
			s.lcp[start] = s.common(s.sa[start-1], s.sa[start])
		}
	}
	return s.sa, s.lcp
}

// codesOf numbers the symbols that occur, 0 included, and returns how many there are: with more than radixSymbols no
// codes.
func codesOf[S Symbol](text []S, sigma int) (code []uint8, different int) {
	if sigma > len(text)+radixSymbols {
		return nil, sigma // without a table of all symbols, none can be told
	}
	occurs := make([]bool, sigma)
	occurs[0] = true
	for _, c := range text {
		occurs[c] = true
	}
	code = make([]uint8, sigma)
	for c, does := range occurs {
		if does {
			code[c] = uint8(different)
			different++
		}
	}
	return code, different
}

// sortBuckets sorts all buckets, given their bounds: first some of them, to see what it takes. It gives up, and returns
// false, if that is more than the given number of words per suffix beyond the first.
func (s *radixSorter[S]) sortBuckets(ctx context.Context, ends []int32, words int) bool {
	spaces := sync.Pool{New: func() any { return new(bucketSpace) }}
	sortThose := func(those func(b int) bool) bool {
		var list []int
		suffixes := 0
		for b, end := range ends[1:] {
			if size := int(end - ends[b]); size > 1 && those(b) {
				list, suffixes = append(list, b), suffixes+size
			}
		}
		s.budget.Store(int64(words) * int64(suffixes))
		parallel.EachContext(ctx, len(list), func(i int) {
			space := spaces.Get().(*bucketSpace)
			defer spaces.Put(space)
			s.sortBucket(ctx, space, int(ends[list[i]]), int(ends[list[i]+1]))
		})
		return s.budget.Load() >= 0
	}
	return sortThose(func(b int) bool { return b%radixSample == 0 }) &&
		sortThose(func(b int) bool { return b%radixSample != 0 })
}

// pack makes the packed copy, eight symbols at a time: they are width bytes.
func (s *radixSorter[S]) pack(ctx context.Context) {
	const group = 8
	groups := (len(s.text) + group - 1) / group
	s.packed = make([]byte, groups*s.width+2*8)
	forSteps(ctx, groups, func(lo, hi int) {
		cancel.Check(ctx)
		for g := lo; g < hi; g++ {
			var word uint64
			symbols := s.text[g*group : min((g+1)*group, len(s.text))]
			for k, c := range symbols {
				word |= uint64(s.code[c]) << (64 - (k+1)*s.width)
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
	list, spare []keyed
	count       [1 << digitBits]int32
	budget      int64 // words that may still be read in the bucket, beyond the first of a suffix
}

// sortBucket sorts the suffixes sa[lo:hi], which begin alike, and fills in their common prefixes but for the first.
func (s *radixSorter[S]) sortBucket(ctx context.Context, space *bucketSpace, lo, hi int) {
	budget := s.budget.Load()
	if budget < 0 {
		return
	}
	cancel.Check(ctx)
	space.budget = budget
	sa := s.sa[lo:hi]
	space.list, space.spare = slices.Grow(space.list[:0], len(sa)), slices.Grow(space.spare[:0], len(sa))
	space.list, space.spare = space.list[:len(sa)], space.spare[:len(sa)]
	for i, p := range sa {
		space.list[i] = keyed{s.word(int(p) + s.prefix), p}
	}
	ended := s.firstZero(s.word(int(sa[0])))
	if ended >= s.prefix {
		ended = -1
	}
	s.sortKeyed(space, space.list, space.spare, s.lcp[lo:hi], s.prefix, ended)
	s.budget.Add(space.budget - budget)
	for i, x := range space.list {
		sa[i] = x.pos
	}
}

// sortKeyed sorts suffixes that begin with the same depth symbols, given the words that follow these, and fills in
// their common prefixes but for the first. ended is the number of letters before the first 0 that all have, −1 if they
// have none. spare is space for as many.
func (s *radixSorter[S]) sortKeyed(space *bucketSpace, list, spare []keyed, lcp []int32, depth, ended int) {
	space.sortFrom(64, list, spare, 64-s.letters*s.width)
	before := uint64(0) // the word of those before first
	for first := 0; first < len(list); {
		key, end := list[first].key, first+1
		for end < len(list) && list[end].key == key {
			end++
		}
		if first > 0 {
			lcp[first] = s.commonBy(before, key, depth, ended)
		}
		before = key
		if end-first > 1 {
			s.sortEqual(space, list[first:end], spare[first:end], lcp[first:end], depth, ended)
		}
		first = end
	}
}

// commonBy is the common prefix of suffixes whose words differ.
func (s *radixSorter[S]) commonBy(a, b uint64, depth, ended int) int32 {
	if ended >= 0 {
		return min(s.limit, int32(ended))
	}
	same := bits.LeadingZeros64(a^b) / s.width
	return min(s.limit, int32(depth+min(same, s.firstZero(a))))
}

// sortEqual is sortKeyed for suffixes whose words are equal: by the following ones.
func (s *radixSorter[S]) sortEqual(space *bucketSpace, list, spare []keyed, lcp []int32, depth, ended int) {
	for {
		if space.budget -= int64(len(list)); space.budget < 0 {
			return // in any order, which is thrown away
		}
		if zero := s.firstZero(list[0].key); ended < 0 && zero < s.letters {
			ended = depth + zero
		}
		depth += s.letters
		equal, last := true, 0
		for i := range list {
			list[i].key = s.word(int(list[i].pos) + depth)
			equal = equal && list[i].key == list[0].key
			last = max(last, int(list[i].pos))
		}
		if last+depth >= len(s.text) {
			over := s.overFirst(list, depth)
			for i := 1; i <= min(over, len(list)-1); i++ {
				lcp[i] = min(s.limit, int32(ended)) // the last symbol of the text is a 0
			}
			list, spare, lcp = list[over:], spare[over:], lcp[over:]
		} else if equal {
			continue
		}
		s.sortKeyed(space, list, spare, lcp, depth, ended)
		return
	}
}

// overFirst moves suffixes of at most depth symbols to the front of a list of suffixes that agree so far, the shorter
// one first, and returns how many there are.
func (s *radixSorter[S]) overFirst(list []keyed, depth int) (over int) {
	for i, x := range list {
		if int(x.pos)+depth >= len(s.text) {
			list[over], list[i] = x, list[over]
			over++
		}
	}
	slices.SortFunc(list[:over], func(a, b keyed) int { return cmp.Compare(b.pos, a.pos) })
	return over
}

// sortFrom sorts a list by key, of which the highest bits, down to one, are equal and the lowest unused: by digits from
// the first on, as far as suffixes are equal.
func (space *bucketSpace) sortFrom(bit int, list, spare []keyed, unused int) {
	const insertion = 24 // longest list
	if len(list) <= insertion {
		insert(list)
		return
	}
	digit := min(bits.Len(uint(len(list))), digitBits, bit-unused)
	bit -= digit
	space.sortBy(list, spare, bit, digit)
	copy(list, spare)
	for first := 0; first < len(list); {
		end := first + 1
		for end < len(list) && list[end].key>>bit == list[first].key>>bit {
			end++
		}
		if bit > unused {
			space.sortFrom(bit, list[first:end], spare[first:end], unused)
		}
		first = end
	}
}

// sortBy moves a list sorted by a digit of some bits, in which what is equal keeps its order.
func (space *bucketSpace) sortBy(from, to []keyed, shift, digit int) {
	count := space.count[:1<<digit]
	clear(count)
	mask := uint64(len(count) - 1)
	for i := range from {
		count[from[i].key>>shift&mask]++
	}
	sum := int32(0)
	for d, n := range count {
		count[d] = sum
		sum += n
	}
	for _, x := range from {
		d := x.key >> shift & mask
		to[count[d]] = x
		count[d]++
	}
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

// forSteps is [parallel.ForContext] of steps that take nanoseconds: a few of them are not worth another goroutine.
func forSteps(ctx context.Context, n int, task func(lo, hi int)) {
	if n < radixLeast {
		task(0, n)
		return
	}
	parallel.ForContext(ctx, n, task)
}
