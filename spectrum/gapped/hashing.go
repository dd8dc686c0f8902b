package gapped

import (
	"math/bits"
)

// numbering gives numbers 0, 1, … to 64-bit codes in the order of first meeting: a hash table with open addressing, at most two thirds full.
type numbering struct {
	slots []slot
	shift uint
	count uint32
}

// slot is an entry of the table: empty where number is 0.
type slot struct {
	code   uint64
	number uint32 // plus 1
}

const slotBytes = 16

// slotsFor returns the size of a table for a number of codes, a power of two.
func slotsFor(codes int) int { return 1 << bits.Len(uint(codes+codes/2)) }

// reset empties the table and makes room for a number of codes.
func (t *numbering) reset(codes int) {
	size := slotsFor(codes)
	if cap(t.slots) < size {
		t.slots = make([]slot, size)
	} else {
		t.slots = t.slots[:size]
		clear(t.slots)
	}
	t.shift, t.count = uint(64-bits.Len(uint(size-1))), 0
}

// at returns the slot of a code, or the empty one where it belongs.
func (t *numbering) at(code uint64) *slot {
	h := mix(code) >> (t.shift & 63)
	last := uint64(len(t.slots) - 1)
	for {
		s := &t.slots[h&last]
		if s.number == 0 || s.code == code {
			return s
		}
		h++
	}
}

// add returns the number of a code, a new one if need be.
func (t *numbering) add(code uint64) uint32 {
	s := t.at(code)
	if s.number == 0 {
		t.count++
		*s = slot{code, t.count}
	}
	return s.number - 1
}

// find returns the number of a code.
func (t *numbering) find(code uint64) (number uint32, ok bool) {
	s := t.at(code)
	return s.number - 1, s.number != 0
}

// mix returns a number whose high bits depend on all bits of a code.
func mix(code uint64) uint64 { return (code ^ code>>32) * 0x9e3779b97f4a7c15 }
