package risk

import (
	"context"
	"sort"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// PartLen is the number of records of a part, but for the last one.
const PartLen = 1 << 13

// Parts returns the number of parts of n records.
func Parts(n int) int { return (n + PartLen - 1) / PartLen }

// groups is the number of runs of parts that have sums of their own, at most.
const groups = 64

// part is the records lo … hi−1 and their hinges, first … end−1.
type part struct{ lo, hi, first, end int }

// inParts visits each part, on all threads. The parts of one group, and they alone, come one after another, in order.
func (h *Hinges) inParts(visit func(group int, p part)) {
	n, parts := h.Len(), Parts(h.Len())
	count := min(groups, parts)
	_ = parallel.Do(context.Background(), count, func(group int) error { // no task fails
		for k := group * parts / count; k < (group+1)*parts/count; k++ {
			p := part{lo: k * PartLen, hi: min(n, (k+1)*PartLen)}
			p.first, p.end = h.firstOf(p.lo), h.firstOf(p.hi)
			visit(group, p)
		}
		return nil
	})
}

// firstOf returns the first hinge of record i or of one after it.
func (h *Hinges) firstOf(i int) int {
	if h.Record == nil {
		return i
	}
	return sort.Search(len(h.Record), func(k int) bool { return int(h.Record[k]) >= i })
}
