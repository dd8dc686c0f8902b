package spectrum

import (
	"context"
	"runtime"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Most k-mers of a record that are not very short occur in it once, and so do the longer ones that begin with them.
// Therefore the counts of all lengths are few: those of k-mers so short that a table of them is no longer than the
// record, those of longer ones that occur more than once, the repeats, and for each position, its single, the length
// from which on its k-mers occur once.

// kmerCount is a k-mer with its count in a record.
type kmerCount struct {
	code   uint64
	count  uint32
	length uint32
}

// singles are positions of a record whose k-mers of at least from letters occur once.
type singles struct {
	from  int
	codes []uint64 // of K letters
	tails []tail   // the longest k-mers where their runs end before
}

// countAll sets c.counted to k-mers of shortest…K letters (1 or K) of x, by length, and c.singles to all others of it
// as positions. Only what follows a repeat is looked at for longer ones: O(|x|) for each length that repeats reach.
func (c *counter) countAll(ctx context.Context, coder *coder, shortest int, x []byte) {
	cancel.Check(ctx)
	c.counted, c.singles = c.counted[:0], c.singles[:0]
	c.codes, c.tails = coder.Append(c.codes[:0], x), c.tails[:0]
	length := 0
	if shortest == 1 {
		for _, t := range coder.tails(ctx, x) {
			c.tails = append(c.tails, t)
		}
		length = c.countShort(coder)
	} else if prefix := prefixLength(coder, len(c.codes)); prefix < coder.K {
		c.countLength(ctx, coder, prefix)
		c.counted, c.singles[0].from = c.counted[:0], coder.K
	}
	for length = max(length+1, shortest); length <= coder.K && len(c.codes)+len(c.tails) > 0; length++ {
		c.countLength(ctx, coder, length)
	}
}

// prefixLength returns how many letters of n k-mers tell most of those apart that differ.
func prefixLength(coder *coder, n int) int {
	length := 1
	for length < coder.K && 1<<(coder.Bits*uint(length)) < 8*n && coder.Bits*uint(length+1) <= directBits {
		length++
	}
	return length
}

// countShort counts the k-mers of 1, 2, … letters of which there are no more than places, in arrays of all, and returns
// the greatest such length. It leaves the places that have a repeat of this length and are longer.
func (c *counter) countShort(coder *coder) (length int) {
	most := min(1<<directBits, len(c.codes)+len(c.tails))
	for length < coder.K && 1<<(coder.Bits*uint(length+1)) <= most {
		length++
	}
	if length == 0 {
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
	foldCounts(steps, counts)
	c.counted = slices.Grow(c.counted, len(counts))
	for l := 1; l <= length; l++ {
		for code, n := range counts[steps.base(l):steps.base(l+1)] {
			if n > 0 {
				c.counted = append(c.counted, kmerCount{uint64(code), n, uint32(l)})
			}
		}
	}
	c.ids = scratch.Resize(c.ids, len(c.codes)+len(c.tails))
	for i, code := range c.codes {
		c.ids[i] = int32(top[code>>(shift&63)]) - 2
	}
	for i, t := range c.tails {
		id := int32(-1)
		if t.length > length {
			id = int32(top[t.code>>(coder.Bits*uint(t.length-length))]) - 2
		}
		c.ids[len(c.codes)+i] = id
	}
	c.divide(coder.K, length, length+1)
	clear(counts)
	return length
}

// ladder returns the one of that depth, which it keeps.
func (c *counter) ladder(bits uint, depth int) *ladder {
	if c.steps == nil || c.steps.bits != bits || c.steps.depth != depth {
		c.steps = newLadder(bits, depth)
	}
	return c.steps
}

// countLength lists the repeats of one length, and leaves the places that have one and are longer.
func (c *counter) countLength(ctx context.Context, coder *coder, length int) {
	cancel.Check(ctx)
	ids := c.numbers(coder, length)
	for _, id := range ids {
		c.direct[id]++
	}
	met := c.met[:0]
	for i, id := range ids {
		switch n := c.direct[id]; {
		case n == 1:
			c.direct[id], ids[i] = 0, -1
		case n < listed:
			c.counted = append(c.counted, kmerCount{c.prefix(coder, i, length), n, uint32(length)})
			c.direct[id], met = n|listed, append(met, id)
		}
	}
	for _, id := range met {
		c.direct[id] = 0
	}
	c.met = met
	c.divide(coder.K, length, length)
}

// prefix returns the k-mer of a length at a place.
func (c *counter) prefix(coder *coder, i, length int) uint64 {
	if i < len(c.codes) {
		return c.codes[i] >> (coder.Bits * uint(coder.K-length))
	}
	t := c.tails[i-len(c.codes)]
	return t.code >> (coder.Bits * uint(t.length-length))
}

// listed marks the count of a k-mer that is among the repeats. No record has as many letters.
const listed = 1 << 31

// numbers returns a place in c.direct, zero at rest, for the k-mers of a length of all places.
func (c *counter) numbers(coder *coder, length int) []int32 {
	shift, width := coder.Bits*uint(coder.K-length), coder.Bits*uint(length)
	ids := scratch.Resize(c.ids, len(c.codes)+len(c.tails))
	c.ids = ids
	if width <= directBits {
		c.reserveDirect(1 << width)
		for i, code := range c.codes {
			ids[i] = int32(code >> (shift & 63))
		}
		for i, t := range c.tails {
			ids[len(c.codes)+i] = int32(t.code >> (coder.Bits * uint(t.length-length)))
		}
		return ids
	}
	c.table.Reset(2 * len(ids))
	for i, code := range c.codes {
		ids[i] = int32(c.table.Number(code >> (shift & 63)))
	}
	for i, t := range c.tails {
		ids[len(c.codes)+i] = int32(c.table.Number(t.code >> (coder.Bits * uint(t.length-length))))
	}
	c.reserveDirect(c.table.Len())
	return ids
}

// divide moves places whose c.ids is negative to the singles of length from, if they have that many letters. Others stay
// if they are longer than the length just counted. Order is kept.
func (c *counter) divide(k, length, from int) {
	if from > k {
		c.codes, c.tails = c.codes[:0], c.tails[:0]
		return
	}
	s := c.nextSingles(from)
	s.codes = scratch.Resize(s.codes, len(c.codes))
	once, kept, ids := 0, 0, c.ids[:len(c.codes)]
	for i, code := range c.codes {
		s.codes[once], c.codes[kept] = code, code
		one := int(uint32(ids[i]) >> 31)
		once, kept = once+one, kept+1-one
	}
	ids = c.ids[len(c.codes):]
	if s.codes, c.codes = s.codes[:once], c.codes[:kept]; length == k {
		c.codes = c.codes[:0]
	}
	kept = 0
	for i, t := range c.tails {
		switch {
		case ids[i] < 0 && t.length >= from:
			s.tails = append(s.tails, t)
		case ids[i] >= 0 && t.length > length:
			c.tails[kept] = t
			kept++
		}
	}
	c.tails = c.tails[:kept]
}

// nextSingles appends an empty list and returns it.
func (c *counter) nextSingles(from int) *singles {
	if n := len(c.singles); n < cap(c.singles) {
		c.singles = c.singles[:n+1]
	} else {
		c.singles = append(c.singles, singles{})
	}
	s := &c.singles[len(c.singles)-1]
	s.from, s.codes, s.tails = from, s.codes[:0], s.tails[:0]
	return s
}

// selfCounted returns the sum of squares of the counts of k-mers of up to k letters at hand through a separable
// function.
func (c *counter) selfCounted(k int, values *countof.Values) float64 {
	once, sum := 0, 0.0
	for _, of := range c.counted {
		if of.count == 1 {
			once++
		} else {
			sum += values.Square(of.count)
		}
	}
	for i := range c.singles {
		s := &c.singles[i]
		once += len(s.codes) * (k - s.from + 1)
		for _, t := range s.tails {
			once += t.length - s.from + 1
		}
	}
	return float64(values.Square(1)*float64(once)) + sum
}

// listRepeats lists the repeats of up to depth letters of each record by their places on a ladder, and sets k(x, x) of
// those of all lengths.
func (k throughCount) listRepeats(
	ctx context.Context, records *stringkernel.Corpus, steps *ladder, diag []float64,
) (*incidence, error) {
	type found struct{ index, count uint32 }
	blocks, sizes := documentBlocks(records, runtime.GOMAXPROCS(0)), make([]int, records.Len())
	lists := make([][]found, len(blocks)-1)
	coder, values := newCoder(k.Alphabet, k.K), countof.New(k.Count)
	parallel.EachContext(ctx, len(lists), func(b int) {
		c := counters.Get().(*counter)
		for j := blocks[b]; j < blocks[b+1]; j++ {
			c.countAll(ctx, &coder, 1, records.Seq(j))
			diag[j] = c.selfCounted(k.K, &values)
			for _, r := range c.counted {
				if int(r.length) > steps.depth {
					break
				}
				if r.count > 1 {
					lists[b] = append(lists[b], found{uint32(steps.index(r.code, int(r.length))), r.count})
					sizes[j]++
				}
			}
		}
		counters.Put(c)
	})
	inc, _ := newReserved(steps.size(), sizes, true)
	table := valueTable{of: func(n int) float64 { return values.Surplus(uint32(n)) }}
	at := 0
	for b := range lists {
		for _, r := range lists[b] {
			place, err := table.place(int(r.count))
			if err != nil {
				return nil, err
			}
			inc.putOne(at, r.index, place)
			at++
		}
		lists[b] = nil
	}
	inc.values = table.list
	return inc, nil
}
