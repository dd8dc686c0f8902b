// Package hash has tables from 64-bit codes to counts or numbers, and the functions that mix bits. What a table hashes
// with is seeded anew in every process, so that no input can be made whose codes collide; no count and no number
// depends on the seed.
package hash

import (
	"math/bits"
	"math/rand/v2"
)

var seed = rand.Uint64()

// Mix maps 64 bits to 64, one to one, so that the high bits of the result depend on all bits of a code. It differs from
// process to process.
func Mix(code uint64) uint64 { return (code ^ seed) * Golden }

// Table holds a value for each of some codes, by open addressing. It is scratch: Reset empties it and keeps its memory.
// Any number of goroutines may call Find as long as none calls At.
type Table struct {
	slots []Slot // a power of two
	shift uint   // 64 − log2 of the number of slots
	round uint32

	numbers uint32 // given by Number
}

// Slot is the place of a code.
type Slot struct {
	code  uint64
	round uint32 // that of the table; a slot of an earlier round is free
	Value uint32
}

// Bytes returns the memory of a table after Reset(slots).
func Bytes(slots int) int { return 16 * size(slots) }

// size returns the power of two above a number.
func size(slots int) int { return 1 << bits.Len(uint(slots)) }

// Reset empties the table and makes room: more than a number of slots, which is at least that of the codes to come.
// Half as many codes as slots make it fast, two thirds save memory. It costs nothing where there is room.
func (t *Table) Reset(slots int) {
	size := size(slots)
	if cap(t.slots) < size {
		t.slots, t.round = make([]Slot, size), 0
	}
	t.slots, t.shift, t.numbers = t.slots[:size], uint(64-bits.Len(uint(size-1))), 0
	if t.round++; t.round == 0 { // after 2³² rounds
		clear(t.slots[:cap(t.slots)])
		t.round = 1
	}
}

// Len returns how many codes have numbers.
func (t *Table) Len() int { return int(t.numbers) }

// find returns the slot of a code, or the free one where it belongs.
func (t *Table) find(code uint64) *Slot {
	at := Mix(code) >> (t.shift & 63)
	for {
		s := &t.slots[at&uint64(len(t.slots)-1)]
		if s.round != t.round || s.code == code {
			return s
		}
		at++
	}
}

// Find returns the value of a code, 0 if the table does not have it.
func (t *Table) Find(code uint64) uint32 {
	at := Mix(code) >> (t.shift & 63)
	for {
		s := &t.slots[at&uint64(len(t.slots)-1)]
		if s.round != t.round {
			return 0
		}
		if s.code == code {
			return s.Value
		}
		at++
	}
}

// At returns the slot of a code, which gets the value 0 if it is new. There must be room for it.
func (t *Table) At(code uint64) *Slot {
	s := t.find(code)
	if s.round != t.round {
		*s = Slot{code, t.round, 0}
	}
	return s
}

// Number returns the number of a code: 0, 1, … in the order in which new ones are met. The values are numbers plus 1.
func (t *Table) Number(code uint64) uint32 {
	s := t.At(code)
	if s.Value == 0 {
		t.numbers++
		s.Value = t.numbers
	}
	return s.Value - 1
}
