package spectrum

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// What a function g makes of a count n is n·g(1) and a surplus, g(n) − n·g(1), which is 0 of a k-mer that occurs once
// and of all raw counts. Most k-mers of a record that are not very short occur once, and so do the longer ones that
// begin with them. So everything by counts through a function is that by raw counts, and a surplus of few k-mers: the
// repeats. k(x, x) is the number of the k-mers that occur once, and a square for each repeat.

// Widths up to which k-mers are counted in an array indexed by the code, 4 bytes each. Of wider ones repeats are found
// by sorting places, and those of windows are numbered by hashing.
const (
	arrayBits = 20 // of one length
	placeBits = 16 // at places, of one length after another: the array stays in the second-level cache
)

// counter counts the k-mers of sequences. It is scratch: zero at rest, kept in a pool.
type counter struct {
	coder  kmer.Coder // of square
	codes  []uint64
	direct []uint32   // by code or by number
	table  hash.Table // of numbers
	ids    []int32    // of the k-mers at the places of sequences, for windows

	repeats     []repeat
	occurrences int     // of all k-mers
	places      []place // where repeats may begin
	tails       []place // where runs end
}

var counters = sync.Pool{New: func() any { return new(counter) }}

// repeat is a k-mer that occurs more than once.
type repeat struct {
	code   uint64
	count  uint32
	length uint32
}

// place is where a repeat may begin: the longest k-mer there, followed by zeros up to K letters.
type place struct {
	code   uint64
	length uint32
}

// reserveDirect makes room for n directly indexed counts.
func (c *counter) reserveDirect(n int) {
	if n > len(c.direct) {
		c.direct = make([]uint32, n)
	}
}

// findRepeats sets c.repeats to those k-mers of shortest…K letters (1 or K) that occur more than once in the sequences
// together, by length, and c.occurrences to the number of k-mers of all these lengths. Short k-mers are all counted in
// tables. Longer repeats begin where shorter ones do: these places are counted in tables, too, and beyond placeBits
// sorted. O(|x|) for each length that repeats reach. A place takes 16 bytes; short k-mers of one length are counted
// without, and not listed again if listed says that [kmer.Coder.EachPiece] has just visited those of the one sequence.
func (c *counter) findRepeats(ctx context.Context, coder *kmer.Coder, shortest int, listed bool, seqs ...[]byte) {
	cancel.Check(ctx)
	c.repeats, c.places, c.occurrences = c.repeats[:0], c.places[:0], 0
	if shortest == coder.K && coder.Bits*uint(coder.K) <= arrayBits {
		c.repeatsByCode(ctx, coder, listed, seqs)
		return
	}
	length, sorted := c.repeatsOfShort(ctx, coder, shortest, seqs), false
	for length < coder.K && len(c.places) > 0 {
		cancel.Check(ctx)
		length = max(length+1, shortest)
		if coder.Bits*uint(length) <= placeBits {
			c.countPlaces(coder, length)
			continue
		}
		if !sorted {
			slices.SortFunc(c.places, func(a, b place) int { return cmp.Compare(a.code, b.code) })
			sorted = true
		}
		c.groupPlaces(coder, length)
	}
}

// repeatsByCode is findRepeats of k-mers of one length, counted by code.
func (c *counter) repeatsByCode(ctx context.Context, coder *kmer.Coder, listed bool, seqs [][]byte) {
	c.reserveDirect(1 << (coder.Bits * uint(coder.K)))
	each := func(again bool, visit func(codes []uint64)) {
		for _, x := range seqs {
			coder.EachPiece(&c.codes, x, again, func(codes []uint64) {
				cancel.Check(ctx)
				visit(codes)
			})
		}
	}
	counts := c.direct
	each(listed, func(codes []uint64) {
		c.occurrences += len(codes)
		for _, code := range codes {
			counts[code]++
		}
	})
	each(len(seqs) == 1, func(codes []uint64) {
		for _, code := range codes {
			if n := counts[code]; n > 1 {
				c.repeats = append(c.repeats, repeat{code, n, uint32(coder.K)})
			}
			counts[code] = 0
		}
	})
}

// repeatsOfShort lists the repeats of all lengths up to one whose tables are no longer than the sequences, and the
// places of those of that length, which it returns; of k-mers of one length, the places of their beginnings that do not
// occur once.
func (c *counter) repeatsOfShort(ctx context.Context, coder *kmer.Coder, shortest int, seqs [][]byte) (length int) {
	c.codes = c.codes[:0]
	for _, x := range seqs {
		c.codes = coder.Append(c.codes, x)
	}
	c.occurrences = len(c.codes) * (coder.K - shortest + 1)
	c.listTails(ctx, coder, shortest, seqs)
	length = int(placeBits / coder.Bits)
	for shortest < coder.K && length > 1 && 1<<(coder.Bits*uint(length)) > len(c.codes)+len(c.tails) {
		length--
	}
	length = min(length, coder.K)
	steps := newLadder(coder.Bits, length)
	c.reserveDirect(steps.size())
	counts, shift := c.direct[:steps.size()], coder.Bits*uint(coder.K-length)&63
	top := counts[steps.base(length):]
	for _, code := range c.codes {
		top[code>>shift]++
	}
	for _, t := range c.tails {
		own := min(int(t.length), length)
		counts[steps.index(t.code>>(coder.Bits*uint(coder.K-own)), own)]++
	}
	places, repeats := c.places, c.repeats
	for _, code := range c.codes {
		places = pushIf(top[code>>shift] > 1, places, place{code, uint32(coder.K)})
	}
	c.places = places
	if shortest == coder.K {
		for _, code := range c.codes {
			top[code>>shift] = 0
		}
		return length
	}
	for _, t := range c.tails {
		if int(t.length) >= length && top[t.code>>shift] > 1 {
			c.places = append(c.places, t)
		}
	}
	foldCounts(steps, counts)
	for l := 1; l <= length; l++ {
		for code, n := range counts[steps.base(l):steps.base(l+1)] {
			repeats = pushIf(n > 1, repeats, repeat{uint64(code), n, uint32(l)})
		}
	}
	c.repeats = repeats
	clear(counts)
	return length
}

// listTails lists the places where a run ends before K letters, if shorter k-mers count, and counts the k-mers there.
func (c *counter) listTails(ctx context.Context, coder *kmer.Coder, shortest int, seqs [][]byte) {
	c.tails = c.tails[:0]
	if shortest == coder.K {
		return
	}
	for _, x := range seqs {
		for _, t := range coder.Tails(ctx, x) {
			c.tails = append(c.tails, place{t.Code << (coder.Bits * uint(coder.K-t.Length)), uint32(t.Length)})
			c.occurrences += t.Length
		}
	}
}

// longFor returns the places that have k-mers of a length.
func (c *counter) longFor(length int) []place {
	return slices.DeleteFunc(c.places, func(p place) bool { return int(p.length) < length })
}

// countPlaces lists the repeats of one length, and leaves their places.
func (c *counter) countPlaces(coder *kmer.Coder, length int) {
	c.reserveDirect(1 << (coder.Bits * uint(length)))
	counts, shift, long := c.direct, coder.Bits*uint(coder.K-length)&63, c.longFor(length)
	for _, p := range long {
		counts[p.code>>shift]++
	}
	places, repeats := long[:0], c.repeats
	for _, p := range long {
		n := counts[p.code>>shift]
		places = pushIf(n > 1, places, p)
		if n == 1 {
			n = 0
		}
		counts[p.code>>shift] = n
	}
	for _, p := range places {
		n := &counts[p.code>>shift]
		repeats = pushIf(*n > 0, repeats, repeat{p.code >> shift, *n, uint32(length)})
		*n = 0
	}
	c.places, c.repeats = places, repeats
}

// pushIf appends x if it stays. It is written in any case: no processor foresees which k-mers occur once.
func pushIf[T any](stays bool, list []T, x T) []T {
	list = append(list, x)
	n := len(list) - 1
	if stays {
		n++
	}
	return list[:n]
}

// groupPlaces lists the repeats of one length that begin at sorted places, and leaves their places.
func (c *counter) groupPlaces(coder *kmer.Coder, length int) {
	shift, long := coder.Bits*uint(coder.K-length)&63, c.longFor(length)
	c.places = long[:0]
	for lo, hi := 0, 0; lo < len(long); lo = hi {
		code := long[lo].code >> shift
		for hi < len(long) && long[hi].code>>shift == code {
			hi++
		}
		if hi-lo > 1 {
			c.repeats = append(c.repeats, repeat{code, uint32(hi - lo), uint32(length)})
			c.places = append(c.places, long[lo:hi]...)
		}
	}
}

// square returns the sum of squares of the counts of all k-mers through a function: of raw counts a whole number.
func (c *counter) square(values *countof.Values) float64 {
	once, sum := c.occurrences, 0.0
	for _, r := range c.repeats {
		once -= int(r.count)
		sum += values.Square(r.count)
	}
	return float64(values.Square(1)*float64(once)) + sum
}

// identify sets c.ids[s·places + p] to a number of the k-mer at place p of sequence s, the second counted from its end,
// or −1 where there is none. It returns the counts to index with them, all 0.
func (c *counter) identify(coder *kmer.Coder, width uint, places int, seqs [][]byte) []uint32 {
	total := places * len(seqs)
	c.ids = scratch.Resize(c.ids, total)
	direct := width <= arrayBits
	if direct {
		c.reserveDirect(1 << width)
	} else {
		c.table.Reset(2 * total)
	}
	for s, x := range seqs {
		ids := c.ids[s*places : (s+1)*places]
		for i := range ids {
			ids[i] = -1
		}
		for at, code := range coder.All(x) {
			id := int32(code)
			if !direct {
				id = int32(c.table.Number(code))
			}
			if s > 0 {
				at = places - 1 - at
			}
			ids[at] = id
		}
	}
	if !direct {
		c.reserveDirect(c.table.Len())
	}
	return c.direct
}
