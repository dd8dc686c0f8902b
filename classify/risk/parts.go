package risk

import (
	"sort"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// PartLen is the number of records of a part, but for the last one.
const PartLen = 1 << 13

// Parts returns the number of parts of n records.
func Parts(n int) int { return (n + PartLen - 1) / PartLen }

// part is the records lo … hi−1 and their hinges, first … end−1.
type part struct{ lo, hi, first, end int }

// inParts visits each part, on all threads.
func (h *Hinges) inParts(visit func(p part)) {
	n := h.Len()
	parallel.Each(Parts(n), func(k int) {
		lo, hi := k*PartLen, min(n, (k+1)*PartLen)
		visit(part{lo: lo, hi: hi, first: h.firstOf(lo), end: h.firstOf(hi)})
	})
}

// firstOf returns the first hinge of record i or of one after it.
func (h *Hinges) firstOf(i int) int {
	if h.Record == nil {
		return i
	}
	return sort.Search(len(h.Record), func(k int) bool { return int(h.Record[k]) >= i })
}
