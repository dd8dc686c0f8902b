package suffix

import (
	"encoding/binary"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/simd"
)

// Cursor is a place in a query that is matched from its end to its beginning. Its zero value is at no query.
type Cursor struct {
	query  []uint8 // what is left
	at     Span
	length int32
	up     Span // the node above, if it was asked for
	depth  int32
	known  bool // up and depth are those of at
}

// Begin puts a cursor at the end of a query. Symbols that are 0 or not below Sigma match nothing.
func (c *Compact) Begin(query []uint8) Cursor {
	return Cursor{query: query, at: Span{0, int32(c.Ranks())}}
}

// Next moves a cursor to the next position, to the left, from which anything matches, and reports whether there is one.
// Time: amortised two steps per symbol, each a few reads for alphabets of bounded size (E. Ohlebusch, S. Gog & A.
// Kügel, "Computing matching statistics and maximal exact matches on compressed full-text indexes", SPIRE 2010,
// doi:10.1007/978-3-642-16321-0_36).
func (c *Compact) Next(m *Cursor) bool {
	for i := len(m.query) - 1; i >= 0; i-- {
		x := int(m.query[i])
		m.query = m.query[:i]
		if x == 0 || x >= c.Sigma || c.Starts[x] == c.Starts[x+1] {
			m.at, m.length = Span{0, int32(c.Ranks())}, 0
			continue
		}
		c.prepend(m, x)
		return true
	}
	return false
}

// Match returns the longest match from where a cursor is: its start in the query, its length, and the ranks of the
// suffixes that begin with it. These are a node, or one suffix; where the match is longer than what is above them, it
// ends on the edge that leads to them.
func (m *Cursor) Match() (start int, length int32, at Span) { return len(m.query), m.length, m.at }

// Fetch asks for the memory that is read of the ranks around a cursor.
func (c *Compact) Fetch(m *Cursor) {
	r := int(m.at.Lo)
	at := c.groupAt(r >> 6)
	simd.Prefetch(&c.Blocks[at])
	simd.Prefetch(&c.Blocks[at+c.prefixes+r&63*c.PrefixWidth])
	simd.Prefetch(&c.Blocks[at+c.docs+r&63*c.DocWidth])
}

// prepend puts a symbol that occurs before the string of a cursor, and drops as many of its last symbols as it must.
func (c *Compact) prepend(m *Cursor, x int) {
	if m.length == c.limit {
		if up, depth := c.Up(m); depth >= m.length-1 {
			m.at, m.known = up, false
		}
		m.length--
	}
	for m.length > 0 {
		if to := c.prepended(m.at, x); to.Lo < to.Hi {
			m.at, m.length, m.known = to, m.length+1, false
			return
		}
		up, depth := c.Up(m)
		m.at, m.length, m.known = up, min(m.length-1, depth), false // in a tree the depth is always less
	}
	m.at, m.length, m.known = Span{c.Starts[x], c.Starts[x+1]}, 1, false
}

// Up is Parent of the match that a cursor is at.
func (c *Compact) Up(m *Cursor) (up Span, depth int32) {
	if !m.known {
		m.up, m.depth = c.Parent(m.at)
		m.known = true
	}
	return m.up, m.depth
}

// Shorten cuts the match that a cursor is at to at most so many letters. O(nodes passed).
func (c *Compact) Shorten(m *Cursor, length int32) {
	for length < m.length {
		up, depth := c.Up(m)
		if depth < length {
			m.length = length
			return
		}
		m.at, m.length, m.known = up, depth, false
	}
}

// prepended returns the ranks of the suffixes that begin with symbol x and what those of a span begin with: at least
// one symbol.
func (c *Compact) prepended(at Span, x int) Span {
	first := c.Starts[x] + c.lone[x]
	return Span{first + c.before(x, int(at.Lo)), first + c.before(x, int(at.Hi))}
}

// Parent returns the span of the node above a node or a suffix, and its depth. The root is above itself.
func (c *Compact) Parent(at Span) (up Span, depth int32) {
	n := int32(c.Ranks())
	if at.Lo > 0 {
		depth = c.prefix(int(at.Lo))
	}
	if at.Hi < n {
		depth = max(depth, c.prefix(int(at.Hi)))
	}
	if depth == 0 {
		return Span{0, n}, 0
	}
	return Span{c.lastBelow(at.Lo, depth), c.firstBelow(at.Hi, n, depth)}, depth
}

// lastBelow returns the last rank up to r whose common prefix is below depth ≥ 1. There is one: rank 0.
func (c *Compact) lastBelow(r, depth int32) int32 {
	i, level := int(r), 0
	if c.narrow(depth) {
		first := i &^ 63
		if k := lastBelow8(c.prefixesOf(i), i&63, depth); k >= 0 {
			return int32(first + k)
		}
		i, level = (first-1)>>6, 1
	}
	for {
		first := i &^ 63
		for i >= first && c.least(level, i) >= depth {
			i--
		}
		if i >= first {
			break
		}
		i, level = i>>6, level+1
	}
	for ; level > 0; level-- {
		for i = i<<6 | 63; c.least(level-1, i) >= depth; i-- {
		}
	}
	return int32(i)
}

// firstBelow returns the first rank from r on whose common prefix is below depth ≥ 1, n if there is none.
func (c *Compact) firstBelow(r, n, depth int32) int32 {
	i, level := int(r), 0
	if r < n && c.narrow(depth) {
		if k := firstBelow8(c.prefixesOf(i), i&63, depth); k < 64 {
			return min(n, int32(i&^63+k)) // behind the last rank are zeros
		}
		if i, level = i>>6+1, 1; i<<6 >= int(n) {
			return n
		}
	}
	for {
		end := min(i|63+1, c.lenOf(level))
		for i < end && c.least(level, i) >= depth {
			i++
		}
		if i < end {
			break
		}
		if i == c.lenOf(level) {
			return n
		}
		i, level = i>>6, level+1
	}
	for ; level > 0; level-- {
		for i <<= 6; c.least(level-1, i) >= depth; i++ {
		}
	}
	return int32(i)
}

// narrow reports whether the common prefixes may be compared with a depth eight at a time.
func (c *Compact) narrow(depth int32) bool { return c.PrefixWidth == 1 && depth <= 128 }

// prefixesOf returns the common prefixes of the group of a rank, a byte each.
func (c *Compact) prefixesOf(r int) *[64]uint8 {
	return (*[64]uint8)(c.Blocks[c.groupAt(r>>6)+c.prefixes:])
}

const eachByte, highBits = 0x0101010101010101, 0x8080808080808080

// below8 sets the high bit of each byte of a word that is less than depth, at most 128.
func below8(word uint64, depth int32) uint64 {
	return ^((word | highBits) - uint64(depth)*eachByte) &^ word & highBits
}

// lastBelow8 returns the last place up to p of a byte less than depth, −1 if there is none.
func lastBelow8(list *[64]uint8, p int, depth int32) int {
	for p >= 0 {
		first := max(0, p-7)
		marks := below8(binary.LittleEndian.Uint64(list[first:]), depth) << (8 * (7 + first - p))
		if marks != 0 {
			return p - bits.LeadingZeros64(marks)>>3
		}
		p = first - 1
	}
	return -1
}

// firstBelow8 returns the first place from p on of a byte less than depth, 64 if there is none.
func firstBelow8(list *[64]uint8, p int, depth int32) int {
	for p < 64 {
		first := min(56, p)
		marks := below8(binary.LittleEndian.Uint64(list[first:]), depth) >> (8 * (p - first))
		if marks != 0 {
			return p + bits.TrailingZeros64(marks)>>3
		}
		p = first + 8
	}
	return 64
}

// least returns entry i of a level of minima: level 0 is the common prefixes themselves.
func (c *Compact) least(level, i int) int32 {
	if level == 0 {
		return c.prefix(i)
	}
	return c.minima[level-1][i]
}

// lenOf returns the number of entries of a level.
func (c *Compact) lenOf(level int) int {
	if level == 0 {
		return c.Ranks()
	}
	return len(c.minima[level-1])
}
