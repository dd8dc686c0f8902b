package spectrum

import (
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/hash"
)

// directBits is the width up to which counter counts in arrays indexed by the code: 2¹⁶ entries of 4 bytes stay in the
// second-level cache. Wider codes are counted by open addressing in an array proportional to the sequence.
const directBits = 16

// counter counts the k-mers of one sequence for Eval and SelfEval. Counts are integers, so that both give the same
// value whatever the order. It is scratch: zero at rest, kept in a pool.
type counter struct {
	codes  []uint64
	others []uint64
	tails  []tail
	direct []uint32   // by code, by number or by ladder index
	table  hash.Table // of counts, or numbers
	ids    []int32    // of the k-mers at the places of sequences, for windows
}

var counters = sync.Pool{New: func() any { return new(counter) }}

// reserve makes room for counting n k-mers of the given width.
func (c *counter) reserve(width uint, n int) {
	if width <= directBits {
		c.reserveDirect(1 << width)
		return
	}
	c.table.Reset(2 * n)
}

// reserveDirect makes room for n directly indexed counts.
func (c *counter) reserveDirect(n int) {
	if n > len(c.direct) {
		c.direct = make([]uint32, n)
	}
}

// directSquares returns Σ count² over the distinct k-mers of x, of at most directBits bits: the n-th occurrence of a
// k-mer raises its square by 2n − 1.
func (c *counter) directSquares(coder *coder, x []byte, width uint) (total uint64) {
	c.reserveDirect(1 << width)
	coder.eachPiece(&c.codes, x, false, func(codes []uint64) {
		for _, code := range codes {
			n := c.direct[code]
			c.direct[code] = n + 1
			total += 2*uint64(n) + 1
		}
	})
	coder.eachPiece(&c.codes, x, true, func(codes []uint64) {
		for _, code := range codes {
			c.direct[code] = 0
		}
	})
	return total
}

// sortedFrom is the number of codes from which they are sorted to be counted: a table of them would take four times the
// memory, and be reached at random.
const sortedFrom = 1 << 22

// squares returns Σ count² over the distinct codes, of more than directBits bits. It may sort the codes.
func (c *counter) squares(codes []uint64, width uint) uint64 {
	if len(codes) >= sortedFrom {
		return sortedSquares(codes)
	}
	c.reserve(width, len(codes))
	total := uint64(0)
	for _, code := range codes {
		count := &c.table.At(code).Value
		*count++
		total += 2*uint64(*count) - 1
	}
	return total
}

// sortedSquares is squares by sorting, without any memory.
func sortedSquares(codes []uint64) uint64 {
	slices.Sort(codes)
	total, count := uint64(0), uint64(0)
	for i, code := range codes {
		if count++; i > 0 && code != codes[i-1] {
			count = 1
		}
		total += 2*count - 1
	}
	return total
}

// common returns Σ count in a · count in b over the codes they share.
func (c *counter) common(a, b []uint64, width uint) uint64 {
	c.reserve(width, len(a))
	total := uint64(0)
	if width <= directBits {
		for _, code := range a {
			c.direct[code]++
		}
		for _, code := range b {
			total += uint64(c.direct[code])
		}
		for _, code := range a {
			c.direct[code] = 0
		}
		return total
	}
	for _, code := range a {
		c.table.At(code).Value++
	}
	for _, code := range b {
		total += uint64(c.table.Find(code))
	}
	return total
}
