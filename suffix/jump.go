package suffix

import (
	"context"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// jumpTable answers the first q symbols of a match at once: for every word of q
// letters, the place of its longest prefix that occurs in the text. Where matches are
// hardly longer than q, as in a query unlike the text, it replaces suffix links,
// and then a start does not wait for the one before it: a block of starts is
// extended in step, without a branch that depends on what is read, so that
// the reads of the whole block are in flight together. Only for sigma ≤ maskSymbols.
type jumpTable struct {
	q     int    // symbols per word; 0: no table
	shift uint   // bits per symbol
	mask  uint32 // of the q·shift bits of a word
	words []jump // by the word's symbols less 1, first symbol highest
}

// jump is a place without its end, which is that of the edge to below.
type jump struct {
	length, node, below, pos int32
}

const (
	jumpShare  = 2       // one word per that many letters of the text: 8 bytes per letter
	jumpWords  = 1 << 26 // at most this many words
	jumpRounds = 4       // symbols beyond q by which a block is extended in step
	jumpBlock  = 32      // starts in a block
)

// buildJumps makes the table for the longest words that its share of memory allows.
func (ix *Index[S]) buildJumps(ctx context.Context) {
	letters := ix.text.Sigma - 1
	if letters < 1 || ix.syms != nil {
		return
	}
	shift := max(1, bits.Len(uint(letters-1)))
	room := min(len(ix.tree.SA)/jumpShare, jumpWords)
	q := 0
	for 1<<((q+1)*shift) <= room {
		q++
	}
	ix.buildJumpsOf(ctx, min(q, int(ix.leafEnd())), uint(shift))
}

// buildJumpsOf fills a table for words of q letters, extending all shorter words by every letter.
func (ix *Index[S]) buildJumpsOf(ctx context.Context, q int, shift uint) {
	if q < 1 {
		return
	}
	words := make([]jump, 1<<(uint(q)*shift))
	leafEnd := ix.leafEnd()
	for level := range q {
		for code := range cancel.Down(ctx, 0, 1<<(uint(level)*shift)) {
			prefix := words[code]
			for c := 1<<shift - 1; c >= 0; c-- {
				next := prefix
				if int(prefix.length) == level && c+1 < ix.text.Sigma {
					at := ix.land(prefix, leafEnd)
					if ix.extend(&at, S(c+1), leafEnd) {
						next = jump{at.length, at.node, at.below, at.pos}
					}
				}
				words[code<<shift|c] = next
			}
		}
	}
	ix.jumps = jumpTable{q, shift, 1<<(uint(q)*shift) - 1, words}
}

// land is the place of a jump.
func (ix *Index[S]) land(j jump, leafEnd int32) place {
	end := leafEnd
	if j.below >= 0 {
		end = ix.nodes[j.below].depth
	}
	return place{j.length, j.node, j.below, j.pos, end}
}

// reach is the number of symbols of the query that a start must have before it to be in a block.
func (t *jumpTable) reach() int { return t.q + jumpRounds }

// word returns the code of the first q symbols of s; on a symbol that is not a
// letter, ok is false and i is its place.
func (ix *Index[S]) word(s []S) (code uint32, i int, ok bool) {
	t := &ix.jumps
	for i, c := range s[:t.q] {
		if c == 0 || uint(c) >= uint(ix.text.Sigma) {
			return 0, i, false
		}
		code = code<<t.shift | uint32(c-1)
	}
	return code, t.q, true
}

// feedJumps continues at start s of query with the table, until a match outlives
// its block, the query ends or a word holds a symbol that is not a letter. At least
// reach symbols of query must follow s. It returns the first start that is not
// settled, with the place its match has reached in m.at, and the start before
// which the table is of no use.
func (m *Matcher[S]) feedJumps(query []S, s int, visit func(Match)) (next, retry int) {
	ix := m.ix
	t, sigma := &ix.jumps, uint(ix.text.Sigma)
	m.at = place{}
	code, i, ok := ix.word(query[s:])
	if !ok {
		return s, s + i + 1
	}
	var block [jumpBlock]jump
	for {
		size, more := 0, true
		for size < jumpBlock && more {
			block[size] = t.words[code]
			size++
			c := query[s+size+t.q-1] // the next word's last symbol: within reach
			more = c != 0 && uint(c) < sigma && s+size+t.reach() <= len(query)
			code = (code<<t.shift | uint32(c-1)) & t.mask
		}
		ix.extendBlock(block[:size], query[s:])
		if s, ok = m.visitBlock(block[:size], query, s, visit); !ok {
			return s, 0
		}
		if m.at = (place{}); !more {
			return s, s + t.q
		}
	}
}

// extendBlock extends the words of a block, that of start k of query in block[k],
// by up to jumpRounds symbols each. All choices are made by masks, 0 or -1.
func (ix *Index[S]) extendBlock(block []jump, query []S) {
	nodes, edges, text := ix.nodes, ix.edges, ix.text.Symbols
	q, leafEnd := int32(ix.jumps.q), ix.leafEnd()
	ix.touch(block, query)
	var active [jumpBlock]uint8 // the starts whose matches may go on
	n := 0
	for k := range block {
		active[n&(jumpBlock-1)] = uint8(k)
		n += int(1 + notZero(block[k].length-q))
	}
	for round := 0; round < jumpRounds && n > 0; round++ {
		going := 0
		for _, k := range active[:n] {
			at := &block[k]
			c := uint32(query[int(k)+int(at.length)])
			onEdge := notZero(at.below ^ at.node)
			goesOn := ^notZero(int32(uint32(text[(at.pos+at.length)&onEdge])^c)) & onEdge

			nd := &nodes[at.node]
			bit := uint32(1) << c
			ed := &edges[int(nd.edge)+bits.OnesCount32(nd.mask&(bit-1))]
			descends := notZero(int32(nd.mask&bit)) &^ onEdge

			below := at.below&^descends | ed.target&descends
			pos := at.pos&^descends | ed.pos&descends
			leaf := below >> 31
			end := nodes[below&^leaf].depth&^leaf | leafEnd&leaf
			ok := (goesOn | descends) & ((at.length - end) >> 31) & notZero(int32(c))

			length := at.length - ok
			arrives := ok &^ leaf &^ notZero(length^end)
			at.length, at.pos = length, pos
			at.below = below
			at.node = at.node&^arrives | below&arrives
			active[going&(jumpBlock-1)] = k
			going -= int(ok)
		}
		n = going
	}
}

// touch reads what the first two rounds of extendBlock will read, in loops so short that
// the reads of all starts are in flight together (a quarter to a third of the time on a text of
// 10⁷ letters). The sum is of no use but to keep the reads from being optimised away.
//
//go:noinline
func (ix *Index[S]) touch(block []jump, query []S) (sum int32) {
	nodes, edges, text, q := ix.nodes, ix.edges, ix.text.Symbols, int32(ix.jumps.q)
	var next [jumpBlock]int32 // edge by which a word that ends at a node continues
	for k := range block {
		at := &block[k]
		nd := &nodes[at.node]
		bit := uint32(1) << uint32(query[k+int(q)])
		next[k&(jumpBlock-1)] = nd.edge + int32(bits.OnesCount32(nd.mask&(bit-1)))
		sum += nodes[at.below&^(at.below>>31)].depth + int32(text[at.pos+at.length])
	}
	for _, e := range next[:len(block)] {
		target := edges[e].target
		sum += nodes[target&^(target>>31)].depth
	}
	return sum
}

// notZero is -1 if x is not 0, else 0.
func notZero(x int32) int32 { return (x | -x) >> 31 }

// visitBlock settles the starts from s on, whose words, extended, are in block.
// ok is false if the query ended or a match is still long: then m.at is the place of start next.
func (m *Matcher[S]) visitBlock(block []jump, query []S, s int, visit func(Match)) (next int, ok bool) {
	ix := m.ix
	sigma, leafEnd, long := uint(ix.text.Sigma), ix.leafEnd(), int32(ix.jumps.reach())
	for k := range block {
		at := &block[k]
		if m.at.length < long {
			if at.length < long {
				visit(Match{m.start, at.length, at.node, at.below, at.pos})
				m.start++
				s++
				continue
			}
			m.at = ix.land(*at, leafEnd)
		}
		i := s + int(m.at.length)
		for i < len(query) {
			if c := query[i]; c == 0 || uint(c) >= sigma || !ix.extend(&m.at, c, leafEnd) {
				break
			}
			i++
		}
		if i == len(query) {
			return s, false
		}
		visit(Match{m.start, m.at.length, m.at.node, m.at.below, m.at.pos})
		m.start++
		s++
		m.at = ix.dropFirst(m.at, leafEnd)
	}
	return s, m.at.length < long
}
