package spectrum

import (
	"cmp"
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// What a function g makes of a count n is n·g(1) and a surplus, g(n) − n·g(1), which is 0 of a k-mer that
// occurs once. Most k-mers of a record that are not very short do, and so do the longer ones that begin with them. So
// everything by counts through a function is that by raw counts, and a surplus of few k-mers: the repeats.

// repeat is a k-mer that occurs in a record more than once.
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

// findRepeats sets c.repeats to those k-mers of shortest…K letters (1 or K) that occur in x more than once, by length,
// and c.occurrences to the number of k-mers of all these lengths. Those so short that a table of them is not much
// longer than x are all counted in one. Longer ones begin where these are repeats: they are counted in a table, too,
// while there is one, and then sorted. O(|x|) for each length that repeats reach.
func (c *counter) findRepeats(ctx context.Context, coder *coder, shortest int, x []byte) {
	cancel.Check(ctx)
	c.repeats, c.places = c.repeats[:0], c.places[:0]
	c.codes, c.tails = coder.Append(c.codes[:0], x), c.tails[:0]
	c.occurrences = len(c.codes) * (coder.K - shortest + 1)
	if shortest < coder.K {
		for _, t := range coder.tails(ctx, x) {
			c.tails = append(c.tails, t)
			c.occurrences += t.length
		}
	}
	length, sorted := c.repeatsOfAll(ctx, coder, shortest), false
	for length < coder.K && len(c.places) > 0 {
		cancel.Check(ctx)
		known := length
		length = max(length+1, shortest)
		switch {
		case coder.Bits*uint(length) <= directBits:
			c.repeatsByTable(coder, length)
			continue
		case !sorted:
			c.groupPlaces(coder, known)
			sorted = true
		}
		c.repeatsByPlace(coder, length)
	}
}

// cellsPerPlace is how much longer than a record a table of its k-mers may be: of all lengths, a pass over the table is
// a part of the work, and of one length, the fewer k-mers share an entry the better.
const (
	cellsPerPlace     = 4
	cellsPerPlaceOnly = 16
)

// repeatsOfAll lists repeats of up to the length that it returns, and the places of those of this length.
func (c *counter) repeatsOfAll(ctx context.Context, coder *coder, shortest int) (length int) {
	most := cellsPerPlace * (len(c.codes) + len(c.tails))
	if shortest == coder.K {
		most = cellsPerPlaceOnly * len(c.codes)
	}
	most = min(most, 1<<directBits)
	for length < coder.K && 1<<(coder.Bits*uint(length+1)) <= most {
		length++
	}
	if length == 0 {
		c.placeAll(coder)
		return 0
	}
	steps := c.ladder(coder.Bits, length)
	c.reserveDirect(steps.size())
	counts := c.direct[:steps.size()]
	top, shift := counts[steps.base(length):], coder.Bits*uint(coder.K-length)
	for _, code := range c.codes {
		top[code>>(shift&63)]++
	}
	for _, t := range c.tails {
		own := min(t.length, length)
		counts[steps.index(t.code>>(coder.Bits*uint(t.length-own)), own)]++
	}
	cancel.Check(ctx)
	if shortest < length {
		foldCounts(steps, counts)
	}
	for l := shortest; l < length; l++ {
		c.addRepeats(counts[steps.base(l):steps.base(l+1)], l)
	}
	c.placeRepeats(coder, top, shift)
	if shortest <= length {
		c.takeRepeats(top, length, shift)
	}
	if shortest < coder.K {
		clear(counts)
		return length
	}
	for _, code := range c.codes {
		top[code>>(shift&63)] = 0
	}
	return length
}

// addRepeats lists the repeats of one length, counted by code.
func (c *counter) addRepeats(counts []uint32, length int) {
	at := len(c.repeats)
	list := slices.Grow(c.repeats, len(counts))[:at+len(counts)]
	for code, n := range counts {
		list[at] = repeat{uint64(code), n, uint32(length)}
		at += moreThanOnce(n)
	}
	c.repeats = list[:at]
}

// moreThanOnce is 1 if a count, below 2³¹, is greater than 1, else 0.
func moreThanOnce(n uint32) int { return int((1 - n) >> 31) }

// ladder returns the one of that depth, which it keeps.
func (c *counter) ladder(bits uint, depth int) *ladder {
	if c.steps == nil || c.steps.bits != bits || c.steps.depth != depth {
		c.steps = newLadder(bits, depth)
	}
	return c.steps
}

// placeAll lists all places.
func (c *counter) placeAll(coder *coder) {
	for _, code := range c.codes {
		c.places = append(c.places, place{code, uint32(coder.K)})
	}
	for _, t := range c.tails {
		c.places = append(c.places, t.place(coder))
	}
}

func (t tail) place(coder *coder) place {
	return place{t.code << (coder.Bits * uint(coder.K-t.length)), uint32(t.length)}
}

// placeRepeats lists the places of k-mers that occur more than once, given their counts by the code that a shift
// leaves.
func (c *counter) placeRepeats(coder *coder, counts []uint32, shift uint) {
	list, at := scratch.Resize(c.places, len(c.codes)+len(c.tails)), 0
	for _, code := range c.codes {
		list[at] = place{code, uint32(coder.K)}
		at += moreThanOnce(counts[code>>(shift&63)])
	}
	for _, t := range c.tails {
		if coder.Bits*uint(coder.K-t.length) > shift {
			continue // a shorter k-mer
		}
		list[at] = t.place(coder)
		at += moreThanOnce(counts[list[at].code>>(shift&63)])
	}
	c.places = list[:at]
}

// takeRepeats lists the repeats of a length, which a shift leaves of the codes of their places, and sets their counts
// to 0.
func (c *counter) takeRepeats(counts []uint32, length int, shift uint) {
	at := len(c.repeats)
	list := slices.Grow(c.repeats, len(c.places))[:at+len(c.places)]
	for _, p := range c.places {
		n := &counts[p.code>>(shift&63)]
		list[at] = repeat{p.code >> (shift & 63), *n, uint32(length)}
		at += moreThanOnce(*n)
		*n = 0
	}
	c.repeats = list[:at]
}

// repeatsByTable lists the repeats of one length that begin at the places, and leaves their places.
func (c *counter) repeatsByTable(coder *coder, length int) {
	c.reserveDirect(1 << (coder.Bits * uint(length)))
	counts, shift, long := c.direct, coder.Bits*uint(coder.K-length), c.places[:0]
	for _, p := range c.places {
		if int(p.length) >= length {
			long = append(long, p)
			counts[p.code>>(shift&63)]++
		}
	}
	at := 0
	for _, p := range long {
		n := &counts[p.code>>(shift&63)]
		repeated := moreThanOnce(*n)
		long[at] = p
		at += repeated
		*n *= uint32(repeated)
	}
	c.places = long[:at]
	c.takeRepeats(counts, length, shift)
}

// groupPlaces moves the places of each k-mer of a length side by side, and sorts them.
func (c *counter) groupPlaces(coder *coder, length int) {
	size, shift := 1<<(coder.Bits*uint(length)), coder.Bits*uint(coder.K-length)
	c.reserveDirect(size)
	if len(c.starts) < size {
		c.starts = make([]uint32, size)
	}
	counts, starts, next := c.direct, c.starts, uint32(0)
	for _, p := range c.places {
		counts[p.code>>shift]++
	}
	c.grouped = scratch.Resize(c.grouped, len(c.places))
	for _, p := range c.places {
		code := p.code >> shift
		at := starts[code]
		if at == 0 {
			at = next
			next += counts[code]
		}
		c.grouped[at] = p
		starts[code] = at + 1
	}
	c.places, c.grouped = c.grouped, c.places
	for rest := c.places; len(rest) > 0; {
		code := rest[0].code >> shift
		n := counts[code]
		sortPlaces(rest[:n])
		counts[code], starts[code], rest = 0, 0, rest[n:]
	}
}

// fewPlaces are sorted by insertion.
const fewPlaces = 32

func sortPlaces(list []place) {
	if len(list) > fewPlaces {
		slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.code, b.code) })
		return
	}
	for i := 1; i < len(list); i++ {
		p, at := list[i], i
		for at > 0 && list[at-1].code > p.code {
			list[at] = list[at-1]
			at--
		}
		list[at] = p
	}
}

// repeatsByPlace lists the repeats of one length, and leaves their places.
func (c *counter) repeatsByPlace(coder *coder, length int) {
	shift := coder.Bits * uint(coder.K-length)
	kept, first, current := 0, 0, uint64(0) // first is where the places of the current k-mer begin
	end := func() {
		if n := kept - first; n > 1 {
			c.repeats = append(c.repeats, repeat{current, uint32(n), uint32(length)})
		} else {
			kept = first
		}
		first = kept
	}
	for _, p := range c.places {
		if int(p.length) < length {
			continue
		}
		if code := p.code >> (shift & 63); code != current {
			end()
			current = code
		}
		c.places[kept] = p
		kept++
	}
	end()
	c.places = c.places[:kept]
}

// selfRepeats returns the sum of squares of the counts of all k-mers through a function.
func (c *counter) selfRepeats(values *countof.Values) float64 {
	once, sum := c.occurrences, 0.0
	for _, r := range c.repeats {
		once -= int(r.count)
		sum += values.Square(r.count)
	}
	return float64(values.Square(1)*float64(once)) + sum
}
