// Package intern numbers byte strings, and pairs of numbers, in the order in which they are met. Both tables compare
// what they find, so that two things never get one number; hashes are seeded anew in every process, so that no input
// can be made whose keys collide, and numbers do not depend on them.
package intern

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// None is the number of what is not in a table.
const None = -1

// Seed differs from process to process.
var Seed = maphash.MakeSeed()

// Terms numbers byte strings 0, 1, … in the order in which they are added. Any number of goroutines may look up in it
// as long as none adds.
type Terms struct {
	Text  []byte   // the terms end to end
	Ends  []int    // Ends[id] is the offset in Text just after term id
	slots []uint64 // upper half of the hash, where to look | id + 1; 0 is empty. A power of 2, at most half full
}

// Len returns the number of terms.
func (t *Terms) Len() int { return len(t.Ends) }

// At returns a term as a view.
func (t *Terms) At(id int) []byte {
	lo, hi := ends.Bounds(t.Ends, id)
	return t.Text[lo:hi:hi]
}

// Restore fills an empty table with terms stored end to end in text, each ending before its entry of ends. It
// returns an error if one occurs twice or is shorter than least, or if the ends do not fit the text.
func (t *Terms) Restore(text []byte, ends []uint64, least int) error {
	start := uint64(0)
	for id, end := range ends {
		if end < start+uint64(least) || end > uint64(len(text)) {
			return fmt.Errorf("term %d ends at %d, want %d to %d", id, end, start+uint64(least), len(text))
		}
		if int(t.Add(text[start:end])) != id {
			return fmt.Errorf("duplicate term %d", id)
		}
		start = end
	}
	if start != uint64(len(text)) {
		return fmt.Errorf("the last term ends at %d of %d bytes", start, len(text))
	}
	return nil
}

// Mask is the lower half of a key of a pair, which is its second number.
const Mask = 1<<32 - 1

// Find returns the id of a term, or None.
func (t *Terms) Find(term []byte) int32 {
	id, _ := t.search(term, maphash.Bytes(Seed, term))
	return id
}

// search returns the id of a term, or None and the free slot where it belongs.
func (t *Terms) search(term []byte, hash uint64) (id int32, slot int) {
	if len(t.slots) == 0 {
		return None, 0
	}
	mask := len(t.slots) - 1
	for slot = int(hash>>32) & mask; ; slot = (slot + 1) & mask {
		s := t.slots[slot]
		if s == 0 {
			return None, slot
		}
		if (s^hash)>>32 == 0 {
			if id := int(s&Mask) - 1; bytes.Equal(t.At(id), term) {
				return int32(id), slot
			}
		}
	}
}

// Add returns the id of a term, a new one if it is new. The caller ensures that there are fewer than 2³¹ terms.
func (t *Terms) Add(term []byte) int32 {
	hash := maphash.Bytes(Seed, term)
	id, slot := t.search(term, hash)
	if id != None {
		return id
	}
	if 2*(t.Len()+1) > len(t.slots) {
		t.grow(t.Len() + 1)
		_, slot = t.search(term, hash)
	}
	t.Text = append(t.Text, term...)
	t.Ends = append(t.Ends, len(t.Text))
	t.slots[slot] = hash&^Mask | uint64(t.Len())
	return int32(t.Len() - 1)
}

// Number returns the id of a term; of a new one a new id if open, else None.
func (t *Terms) Number(term []byte, open bool) int32 {
	if open {
		return t.Add(term)
	}
	return t.Find(term)
}

// Join adds the terms of another table, in their order, and returns their ids: as if what o has met had come to t.
// Those that t has are found on all processors.
func (t *Terms) Join(o *Terms) (ids []int32) {
	ids = make([]int32, o.Len())
	parallel.For(len(ids), func(lo, hi int) {
		for id := lo; id < hi; id++ {
			ids[id] = t.Find(o.At(id))
		}
	})
	if n := t.Len() + missing(ids); 2*n > len(t.slots) {
		t.grow(n)
	}
	for id, place := range ids {
		if place == None {
			ids[id] = t.Add(o.At(id))
		}
	}
	return ids
}

// missing returns how many numbers are None.
func missing(numbers []int32) (n int) {
	for _, number := range numbers {
		if number == None {
			n++
		}
	}
	return n
}

// Reset empties the table and keeps its memory. It costs no more than filling it did.
func (t *Terms) Reset() {
	if 16*len(t.Ends) > len(t.slots) {
		clear(t.slots)
	} else {
		for id := len(t.Ends) - 1; id >= 0; id-- { // the last in is the last of its run: nothing was moved since it grew
			_, slot := t.search(t.At(id), maphash.Bytes(Seed, t.At(id)))
			t.slots[slot] = 0
		}
	}
	t.Text, t.Ends = t.Text[:0], t.Ends[:0]
}

// grow makes the slots anew with room for n terms and as many again.
func (t *Terms) grow(n int) {
	before := t.slots
	t.slots = make([]uint64, slotsFor(n))
	mask := len(t.slots) - 1
	for _, s := range before {
		if s == 0 {
			continue
		}
		slot := int(s>>32) & mask
		for t.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.slots[slot] = s
	}
}

// slotsFor returns the power of 2 that holds n entries with room for as many again: at least 4n, at most 8n.
func slotsFor(n int) int { return 1 << bits.Len(uint(max(4*n-1, 15))) }

// Pairs numbers pairs (prefix, term) First, First + 1, … in the order in which they are added: an n-gram is the pair of
// its first n − 1 terms, themselves a number, and the last. Ids of terms themselves are below First.
//
// Most look-ups are of pairs that are absent; a byte per slot answers nearly all of them without touching the slot.
type Pairs struct {
	First int
	Keys  []uint64 // Keys[i] = prefix << 32 | term of number First + i
	tags  []uint8  // of each slot: the top bits of the hash, at least 1; 0 is empty. A power of 2, at most half full
	slots []int32  // index in Keys
	late  int      // how many of Keys, the last ones, have no slots
}

// Pair returns the key of a pair.
func Pair(prefix, term int32) uint64 { return uint64(uint32(prefix))<<32 | uint64(uint32(term)) }

var pairSeed = maphash.Bytes(Seed, nil)

// Find returns the number of a pair, or None.
func (t *Pairs) Find(key uint64) int32 {
	id, _, _ := t.search(key)
	return id
}

// search returns the number of a pair, or None with the free slot where it belongs and its tag.
func (t *Pairs) search(key uint64) (id int32, slot int, tag uint8) {
	hash := hash.SplitMix(key ^ pairSeed)
	tag = max(uint8(hash>>56), 1)
	if len(t.tags) == 0 {
		return None, 0, tag
	}
	mask := len(t.tags) - 1
	for slot = int(hash) & mask; ; slot = (slot + 1) & mask {
		switch t.tags[slot] {
		case 0:
			return None, slot, tag
		case tag:
			if i := t.slots[slot]; t.Keys[i] == key {
				return int32(t.First) + i, slot, tag
			}
		}
	}
}

// Add returns the number of a pair, a new one if it is new.
func (t *Pairs) Add(key uint64) int32 {
	id, slot, tag := t.search(key)
	if id != None {
		return id
	}
	if 2*(len(t.Keys)+1) > len(t.tags) {
		t.grow(len(t.Keys) + 1)
		_, slot, _ = t.search(key)
	}
	id = int32(t.First + len(t.Keys))
	t.tags[slot], t.slots[slot] = tag, int32(len(t.Keys))
	t.Keys = append(t.Keys, key)
	return id
}

// Number returns the number of a pair; of a new one a new number if open, else None.
func (t *Pairs) Number(key uint64, open bool) int32 {
	if open {
		return t.Add(key)
	}
	return t.Find(key)
}

// Join adds the pairs of another table with the same First, in their order, and returns their numbers: see
// [Terms.Join]. Pairs of terms are found on all processors. No pair is looked up or added afterwards before Index.
func (t *Pairs) Join(o *Pairs) (numbers []int32) {
	t.Index()
	numbers = make([]int32, len(o.Keys))
	parallel.For(len(numbers), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			numbers[i] = None
			if int(o.Keys[i]>>32) < t.First {
				numbers[i] = t.Find(o.Keys[i])
			}
		}
	})
	before := len(t.Keys)
	t.Keys = slices.Grow(t.Keys, missing(numbers))
	for i, number := range numbers {
		if number != None {
			continue
		}
		key := o.Keys[i]
		if prefix := int(key >> 32); prefix >= t.First {
			key = Pair(numbers[prefix-t.First], int32(key&Mask))
			if numbers[i] = t.Find(key); numbers[i] != None { // what o adds are different pairs
				continue
			}
		}
		numbers[i] = int32(t.First + len(t.Keys))
		t.Keys = append(t.Keys, key)
	}
	t.late = len(t.Keys) - before
	return numbers
}

// Index lets pairs be found that Join has added: what only numbers pairs does without.
func (t *Pairs) Index() {
	if n := len(t.Keys); 2*n > len(t.tags) {
		t.grow(n)
	} else {
		t.place(n - t.late)
	}
	t.late = 0
}

// grow makes the slots anew with room for n pairs and as many again.
func (t *Pairs) grow(n int) {
	t.tags = make([]uint8, slotsFor(n))
	t.slots = make([]int32, len(t.tags))
	t.place(0)
}

// place gives slots to the keys from an index on.
func (t *Pairs) place(from int) {
	for i := from; i < len(t.Keys); i++ {
		_, slot, tag := t.search(t.Keys[i])
		t.tags[slot], t.slots[slot] = tag, int32(i)
	}
}

// Reset empties the table and keeps its memory. It costs no more than filling it did.
func (t *Pairs) Reset() {
	if 16*len(t.Keys) > len(t.tags) {
		clear(t.tags)
	} else {
		for i := len(t.Keys) - 1; i >= 0; i-- { // the last in is the last of its run of slots
			_, slot, _ := t.search(t.Keys[i])
			t.tags[slot] = 0
		}
	}
	t.Keys = t.Keys[:0]
}
