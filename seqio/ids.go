package seqio

import "hash/maphash"

// idTable finds ids that occur twice: a hash table with linear probing over a plain list of ids. It takes 16 bytes per
// id for the list and 12 to 24 for the table, and no pointer for the garbage collector to follow but those of the list.
type idTable struct {
	seed  maphash.Seed
	ids   []string // in order of add
	slots []idSlot // a power of two, at most two thirds full
}

// idSlot is empty if next is 0.
type idSlot struct {
	hash uint32
	next uint32 // 1 + index in ids
}

// add appends an id and returns its index and true, or the index of an equal one, which is in the list already, and
// false.
func (t *idTable) add(id string) (int, bool) {
	if 3*len(t.ids) >= 2*len(t.slots) {
		t.grow()
	}
	hash := uint32(maphash.String(t.seed, id))
	mask := len(t.slots) - 1
	at := int(hash) & mask
	for ; t.slots[at].next != 0; at = (at + 1) & mask {
		if s := t.slots[at]; s.hash == hash && t.ids[s.next-1] == id {
			return int(s.next - 1), false
		}
	}
	t.ids = append(t.ids, id)
	t.slots[at] = idSlot{hash, uint32(len(t.ids))}
	return len(t.ids) - 1, true
}

// grow doubles the table. Seeds differ from run to run, results do not.
func (t *idTable) grow() {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
		t.slots = make([]idSlot, 64)
		return
	}
	old := t.slots
	t.slots = make([]idSlot, 2*len(old))
	mask := len(t.slots) - 1
	for _, s := range old {
		if s.next == 0 {
			continue
		}
		at := int(s.hash) & mask
		for t.slots[at].next != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = s
	}
}
