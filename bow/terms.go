package bow

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/splitmix"
)

// none is the id of what is not in a table, dropped that of a stop word.
const (
	none    = -1
	dropped = -2
)

// seed differs from process to process, so that no text can be made whose words collide. Ids do not depend on it.
var seed = maphash.MakeSeed()

// termTable numbers byte strings 0, 1, … in the order in which they are added. Any number of goroutines may look up in it as long as none adds.
type termTable struct {
	text  []byte
	ends  []int    // ends[id] is the offset in text just behind term id
	slots []uint64 // upper half of the hash | id + 1; 0 is empty. A power of 2, at most half full
}

func (t *termTable) len() int { return len(t.ends) }

// at returns a term as a view.
func (t *termTable) at(id int) []byte {
	start := 0
	if id > 0 {
		start = t.ends[id-1]
	}
	return t.text[start:t.ends[id]:t.ends[id]]
}

const idMask = 1<<32 - 1

// find returns the id of a term, or none.
func (t *termTable) find(term []byte) int32 {
	id, _ := t.search(term, maphash.Bytes(seed, term))
	return id
}

// search returns the id of a term, or none and the free slot where it belongs.
func (t *termTable) search(term []byte, hash uint64) (id int32, slot int) {
	if len(t.slots) == 0 {
		return none, 0
	}
	mask := len(t.slots) - 1
	for slot = int(hash) & mask; ; slot = (slot + 1) & mask {
		s := t.slots[slot]
		if s == 0 {
			return none, slot
		}
		if (s^hash)>>32 == 0 {
			if id := int(s&idMask) - 1; bytes.Equal(t.at(id), term) {
				return int32(id), slot
			}
		}
	}
}

// add returns the id of a term, a new one if it is new. The caller sees to it that there are fewer than 2³¹ terms.
func (t *termTable) add(term []byte) int32 {
	hash := maphash.Bytes(seed, term)
	id, slot := t.search(term, hash)
	if id != none {
		return id
	}
	if 2*(t.len()+1) > len(t.slots) {
		t.grow(t.len() + 1)
		_, slot = t.search(term, hash)
	}
	t.text = append(t.text, term...)
	t.ends = append(t.ends, len(t.text))
	t.slots[slot] = hash&^idMask | uint64(t.len())
	return int32(t.len() - 1)
}

// grow makes the slots anew with room for n terms and as many again.
func (t *termTable) grow(n int) {
	t.slots = make([]uint64, slotsFor(n))
	mask := len(t.slots) - 1
	for id := range t.ends {
		hash := maphash.Bytes(seed, t.at(id))
		slot := int(hash) & mask
		for t.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.slots[slot] = hash&^idMask | uint64(id+1)
	}
}

// slotsFor returns the power of 2 that holds n entries with room for as many again: at least 4n, at most 8n.
func slotsFor(n int) int { return 1 << bits.Len(uint(max(4*n-1, 15))) }

// pairTable numbers pairs (prefix, term) first, first + 1, … in the order in which they are added: an n-gram is the pair of its first n − 1 terms,
// themselves a number, and the last. Ids of terms themselves are below first.
//
// Most look-ups are of pairs that are not there; a byte per slot tells nearly all of them without touching the slot.
type pairTable struct {
	first int
	keys  []uint64 // keys[i] = prefix << 32 | term of number first + i
	tags  []uint8  // of each slot: the top bits of the hash, at least 1; 0 is empty. A power of 2, at most half full
	slots []int32  // index in keys
}

func pairKey(prefix, term int32) uint64 { return uint64(uint32(prefix))<<32 | uint64(uint32(term)) }

var pairSeed = maphash.Bytes(seed, nil)

// find returns the number of a pair, or none.
func (t *pairTable) find(key uint64) int32 {
	id, _, _ := t.search(key)
	return id
}

// search returns the number of a pair, or none with the free slot where it belongs and its tag.
func (t *pairTable) search(key uint64) (id int32, slot int, tag uint8) {
	hash := splitmix.Mix(key ^ pairSeed)
	tag = max(uint8(hash>>56), 1)
	if len(t.tags) == 0 {
		return none, 0, tag
	}
	mask := len(t.tags) - 1
	for slot = int(hash) & mask; ; slot = (slot + 1) & mask {
		switch t.tags[slot] {
		case 0:
			return none, slot, tag
		case tag:
			if i := t.slots[slot]; t.keys[i] == key {
				return int32(t.first) + i, slot, tag
			}
		}
	}
}

// add returns the number of a pair, a new one if it is new.
func (t *pairTable) add(key uint64) int32 {
	id, slot, tag := t.search(key)
	if id != none {
		return id
	}
	if 2*(len(t.keys)+1) > len(t.tags) {
		t.grow(len(t.keys) + 1)
		_, slot, _ = t.search(key)
	}
	id = int32(t.first + len(t.keys))
	t.tags[slot], t.slots[slot] = tag, int32(len(t.keys))
	t.keys = append(t.keys, key)
	return id
}

// grow makes the slots anew with room for n pairs and as many again.
func (t *pairTable) grow(n int) {
	t.tags = make([]uint8, slotsFor(n))
	t.slots = make([]int32, len(t.tags))
	for i, key := range t.keys {
		_, slot, tag := t.search(key)
		t.tags[slot], t.slots[slot] = tag, int32(i)
	}
}
