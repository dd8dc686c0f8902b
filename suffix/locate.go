package suffix

// locator finds, for a text position, the first of some sorted positions at or
// after it: the document a letter belongs to, or the next break. One hint per 64
// positions keeps its random side 64 times smaller than a table per position.
type locator struct {
	sorted []int32
	hint   []int32 // hint[k] is the number of sorted positions below 64·k
}

const locatorShift = 6

// newLocator indexes sorted, strictly increasing positions in [0, n). O(n/64 + len(sorted)).
func newLocator(sorted []int32, n int) locator {
	hint := make([]int32, n>>locatorShift+2)
	for _, p := range sorted {
		hint[p>>locatorShift+1]++
	}
	for k := 1; k < len(hint); k++ {
		hint[k] += hint[k-1]
	}
	return locator{sorted, hint}
}

// find returns the least i with sorted[i] ≥ p, or len(sorted).
func (l *locator) find(p int32) int32 {
	k := p >> locatorShift
	lo, hi := l.hint[k], l.hint[k+1]
	for lo < hi {
		mid := lo + (hi-lo)/2
		if l.sorted[mid] < p {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
