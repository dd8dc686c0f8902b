package spectrum

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
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

	repeats     []repeat
	occurrences int      // of all k-mers
	places      []place  // where they may begin
	grouped     []place  // as much room
	starts      []uint32 // of groups of places, zero at rest
	steps       *ladder
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

// directSquares is squares of k-mers of few bits: the n-th occurrence of a k-mer raises its square by 2n − 1.
func (c *counter) directSquares(ctx context.Context, coder *coder, x []byte, width uint) (total uint64, kmers int) {
	c.reserveDirect(1 << width)
	coder.eachPiece(&c.codes, x, false, func(codes []uint64) {
		cancel.Check(ctx)
		kmers += len(codes)
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
	return total, kmers
}

// squares returns Σ count² over the distinct k-mers of x, and how many there are with their repeats.
func (c *counter) squares(ctx context.Context, coder *coder, x []byte) (total uint64, kmers int) {
	if width := coder.Bits * uint(coder.K); width <= directBits || width <= slideBits && len(x) >= longFrom {
		return c.directSquares(ctx, coder, x, width)
	}
	if len(x) >= longFrom {
		return c.longSquares(ctx, coder, x)
	}
	c.codes = coder.Append(c.codes[:0], x)
	c.table.Reset(2 * len(c.codes))
	for _, code := range c.codes {
		total += c.count(code)
	}
	return total, len(c.codes)
}

// count counts a k-mer in the table, and returns by how much that raises its square.
func (c *counter) count(code uint64) uint64 {
	count := &c.table.At(code).Value
	*count++
	return 2*uint64(*count) - 1
}

// longFrom is the number of letters from which the k-mers of a sequence are not listed but passed over several times,
// to count each time those of one part of their hashes: a list takes 8 bytes per letter, and a table of all 32.
const (
	longFrom  = 1 << 22
	longParts = 32
)

// longSquares is squares for a long sequence, with a byte per letter.
func (c *counter) longSquares(ctx context.Context, coder *coder, x []byte) (total uint64, kmers int) {
	for part := range uint64(longParts) {
		c.table.Reset(2*len(x)/longParts + 1)
		coder.eachPiece(&c.codes, x, false, func(codes []uint64) {
			cancel.Check(ctx)
			if part == 0 {
				kmers += len(codes)
			}
			for _, code := range codes {
				if hash.Mix(code)>>32%longParts == part { // the table goes by higher bits
					total += c.count(code)
				}
			}
		})
	}
	return total, kmers
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
