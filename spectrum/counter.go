package spectrum

import (
	"math/rand/v2"
	"sync"
)

// directBits is the width up to which counter counts in arrays indexed by the code: 2¹⁶ entries of 4 bytes stay in the
// second-level cache. Wider codes are counted by open addressing in an array proportional to the sequence.
const directBits = 16

// counter counts the words of one sequence for Eval and SelfEval. Counts are integers, so that both give the same
// value whatever the order. It is scratch: zero at rest, kept in a pool.
type counter struct {
	codes  []uint64
	others []uint64
	tails  []tail
	direct []uint32 // by code, or by ladder index
	keys   []uint64 // open addressing: a slot with count 0 is free
	counts []uint32
	ids    []int32 // of the words at the places of sequences, for windows
	shift  uint    // 64 − log2 of the number of slots
}

var counters = sync.Pool{New: func() any { return new(counter) }}

// reserve makes room for counting n words of the given width.
func (c *counter) reserve(width uint, n int) {
	if width <= directBits {
		c.reserveDirect(1 << width)
		return
	}
	slots := 16
	c.shift = 64 - 4
	for slots < 2*n {
		slots *= 2
		c.shift--
	}
	if slots > cap(c.keys) {
		c.keys, c.counts = make([]uint64, slots), make([]uint32, slots)
	}
	c.keys, c.counts = c.keys[:slots], c.counts[:slots]
}

// reserveDirect makes room for n directly indexed counts.
func (c *counter) reserveDirect(n int) {
	if n > len(c.direct) {
		c.direct = make([]uint32, n)
	}
}

// seed differs from process to process, so that no sequence can be made whose words share a slot; no count depends on it.
var seed = rand.Uint64()

// slot returns the slot that holds code or the free one where it belongs. One exists: the array is at most half full.
func (c *counter) slot(code uint64) uint64 {
	last := uint64(len(c.keys) - 1)
	for i := mix(code^seed) >> c.shift; ; i = (i + 1) & last {
		if c.counts[i] == 0 || c.keys[i] == code {
			return i
		}
	}
}

// squares returns Σ count² over the distinct codes: the n-th occurrence of a word raises its square by 2n − 1.
func (c *counter) squares(codes []uint64, width uint) uint64 {
	c.reserve(width, len(codes))
	total := uint64(0)
	if width <= directBits {
		for _, code := range codes {
			n := c.direct[code]
			c.direct[code] = n + 1
			total += 2*uint64(n) + 1
		}
		for _, code := range codes {
			c.direct[code] = 0
		}
		return total
	}
	for _, code := range codes {
		i := c.slot(code)
		n := c.counts[i]
		c.keys[i], c.counts[i] = code, n+1
		total += 2*uint64(n) + 1
	}
	clear(c.counts)
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
		i := c.slot(code)
		c.keys[i] = code
		c.counts[i]++
	}
	for _, code := range b {
		total += uint64(c.counts[c.slot(code)])
	}
	clear(c.counts)
	return total
}

// mix spreads the bits of a code over 64 bits, one to one: multiplication by an odd number near 2⁶⁴/φ.
func mix(code uint64) uint64 { return code * 0x9E3779B97F4A7C15 }
