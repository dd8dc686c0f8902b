package bracket

import "bytes"

// Between returns the range label[lo:hi] of an escaped label that follows the first after and precedes the last before
// in the rest: the "how" of LEX##how::w between ## and ::. An affix that is empty or does not occur removes nothing.
// Affixes are escaped as labels are.
func Between(label, after, before []byte) (lo, hi int) {
	hi = len(label)
	if at := bytes.Index(label, after); at >= 0 {
		lo = at + len(after)
	}
	if at := bytes.LastIndex(label[lo:], before); at >= 0 && len(before) > 0 {
		hi = lo + at
	}
	return lo, hi
}
