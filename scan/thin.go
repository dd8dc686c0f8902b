package scan

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// span is a range of places at which windows begin, first to last.
type span struct{ first, last int }

// everywhere is the span of a whole record.
var everywhere = span{math.MinInt / 2, math.MaxInt / 2}

// thinner drops hits near better ones, as a joint [Suppressor] does, where those of a chunk are enough to know: a hit
// that is better than all near it is kept and these are dropped, which may leave another the best of those near it.
// A Suppressor of what is left has the result that it has of all hits, since nothing depends on those dropped here.
type thinner struct {
	fates []fate
	stack []int
}

// thin removes, in place, hits that are certainly dropped. Hits are in order; those outside a span are unknown. It
// stops when a round no longer drops half of the hits, so that it takes O(n). Runs of equal or falling scores are left
// as they are but for the beginning.
func (t *thinner) thin(hits []Hit, distance int, known span) []Hit {
	distance = min(distance, math.MaxInt/4) // beyond all records
	for len(hits) > 0 {
		t.findBest(hits, distance, known)
		t.dropNear(hits, distance)
		left := hits[:0]
		for i, h := range hits {
			if t.fates[i] != dropped {
				left = append(left, h)
			}
		}
		if 2*len(left) > len(hits) {
			return left
		}
		hits = left
	}
	return hits
}

// findBest finds the hits that are better than all near them: those that are neither near the next better one before
// them nor near the next better one after them. The stack holds the hits that no later one exceeds.
func (t *thinner) findBest(hits []Hit, distance int, known span) {
	t.fates, t.stack = scratch.Resize(t.fates, len(hits)), t.stack[:0]
	for i, h := range hits {
		t.fates[i] = kept
		if h.Start-known.first < distance-1 || known.last-h.Start < distance-1 {
			t.fates[i] = undecided
		}
		for len(t.stack) > 0 && hits[t.stack[len(t.stack)-1]].Score < h.Score {
			last := t.stack[len(t.stack)-1]
			t.stack = t.stack[:len(t.stack)-1]
			if h.Start-hits[last].Start < distance {
				t.fates[last] = undecided
			}
		}
		if n := len(t.stack); n > 0 && h.Start-hits[t.stack[n-1]].Start < distance {
			t.fates[i] = undecided
		}
		t.stack = append(t.stack, i)
	}
}

// dropNear drops what is near the hits found. No two of these are near each other, so that others are near two at most.
func (t *thinner) dropNear(hits []Hit, distance int) {
	for i, h := range hits {
		if t.fates[i] != kept {
			continue
		}
		for j := i - 1; j >= 0 && h.Start-hits[j].Start < distance; j-- {
			t.fates[j] = dropped
		}
		for j := i + 1; j < len(hits) && hits[j].Start-h.Start < distance; j++ {
			t.fates[j] = dropped
		}
	}
}
