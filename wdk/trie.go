package wdk

import (
	"math/bits"
	"slices"
)

// trie is the k-mers of a position that are longer than those of its table, h letters: below each k-mer of h letters a
// path-compressed trie (Morrison 1968), with sums at its edges. A node represents the k-mers that share one more letter
// than its parent's, its label is the letters that all of these share from there on, and its sums are those of their
// coefficients: a text that matches n letters of the label adds the weights of these lengths times the sums, and
// continues at a fork if that was the whole label.
//
// A child is selected by the first four bits of a letter. If several share these, they have one node with an empty
// label, and the fork below it selects by the last four.
type trie struct {
	begun begun
	nodes []uint64 // a label, then the sums as bits, per node
	forks []fork   // the first one has no children
	longs []longLabel
}

// clone returns a copy that shares no memory with the trie.
func (t *trie) clone() trie {
	return trie{slices.Clone(t.begun), slices.Clone(t.nodes), slices.Clone(t.forks), slices.Clone(t.longs)}
}

// begun has a bit per k-mer of h letters and first bits of one more, which says whether longer ones begin so: 32 bits
// in the lower half of a number and, in the upper one, how many are set before them.
type begun []uint64

// set sets a bit, before count fills in the upper halves.
func (b begun) set(bit int) { b[bit>>5] |= 1 << (bit & 31) }

// count counts the bits before each number.
func (b begun) count() {
	for i, before := 0, 0; i < len(b); i++ {
		n := bits.OnesCount32(uint32(b[i]))
		b[i] |= uint64(before) << 32
		before += n
	}
}

// has reports whether a bit is set.
func (b begun) has(bit uint64) bool { return b[bit>>5]>>(bit&31)&1 == 1 }

// before returns how many bits are set before one, which is the node of a set bit.
func (b begun) before(bit uint64) uint32 {
	of := b[bit>>5]
	return uint32(of>>32) + uint32(bits.OnesCount32(uint32(of)&(1<<(bit&31)-1)))
}

// fork is a k-mer that continues in several ways. The nodes of its children are consecutive, in the order of the bits
// that select them.
type fork struct {
	first uint32 // child's node
	next  uint16 // the bits that children begin with
	depth uint16 // letters of the k-mer
	shift uint8  // right shift of packed letters that brings the four bits that select a child to the bottom
}

// branch returns the bits of packed letters that select a child.
func (f *fork) branch(letters uint32) uint32 { return letters >> (f.shift & 31) & 15 }

// child returns the node of a child.
func (f *fork) child(branch uint32) uint32 {
	return f.first + uint32(bits.OnesCount16(f.next&(1<<(branch&15)-1)))
}

// has returns 1 if there is such a child, else 0.
func (f *fork) has(branch uint32) int { return int(f.next >> (branch & 15) & 1) }

// label packs the letters of a node, as in packing, into the upper 32 bits; the lower ones hold the number of bits used
// and the number of the fork at the end, 0 for none; or, if there are more letters, the number of a long label.
type label uint64

const (
	longer label = 1 << 6 // than 32 bits
	// of a trie: forks and nodes are fewer than twice as many, and a label has room for a number below 2²⁴
	maxWords = 1 << 23
)

func newLabel(letters uint32, bits int, number uint32) label {
	return label(letters)<<32 | label(number)<<8 | label(bits)
}

func (l label) letters() uint32 { return uint32(l >> 32) }
func (l label) number() uint32  { return uint32(l) >> 8 }
func (l label) bits() int       { return int(l & 63) }

// common returns how many leading bits packed letters share with the label, at most all of the label's.
func (l label) common(letters uint32) int {
	end := uint64(1) << 63 >> l.bits() // upper limit of where they differ
	return bits.LeadingZeros64(uint64(l) ^ uint64(letters)<<32 | end)
}

// longLabel is the letters of a node after those in its label: letters of a support vector, which begin at a depth.
type longLabel struct {
	place
	length, depth int32
	node, fork    uint32 // no fork is 0
}

// place is where letters of a support vector begin.
type place struct {
	sequence, start int32
}

// isEmpty reports whether no k-mers are longer than those of the table.
func (t *trie) isEmpty() bool { return len(t.nodes) == 0 }
