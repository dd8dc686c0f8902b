package suffix

import "math/bits"

// locator finds, for a text position, the first of some sorted positions at or
// after it: the document a letter belongs to, or the next break. It takes a quarter
// of a byte per position of the text, which caches hold longer than a table of them.
type locator []located

// located is 64 positions of the text.
type located struct {
	marks  uint64 // which of them are among the sorted ones
	before int32  // how many of these are less than all 64
}

// newLocator indexes sorted, strictly increasing positions in [0, n). O(n/64 + len(sorted)).
func newLocator(sorted []int32, n int) locator {
	l := make(locator, n/64+1)
	for _, p := range sorted {
		l[p>>6].marks |= 1 << (p & 63)
	}
	before := int32(0)
	for k := range l {
		l[k].before = before
		before += int32(bits.OnesCount64(l[k].marks))
	}
	return l
}

// find returns the least i with sorted[i] ≥ p, or the number of sorted positions.
func (l locator) find(p int32) int32 {
	at := &l[p>>6]
	return at.before + int32(bits.OnesCount64(at.marks&(1<<(p&63)-1)))
}
