package scan

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Suppressor is a [Sink] that drops regions near better ones: greedy non-maximum suppression. Of the regions of a
// record, best first, one is kept unless one that was kept before, on the same strand or, if it is Joint, on any,
// begins less than Distance letters from it. Of equal scores the first in order is the better.
//
// A region all of whose better neighbours are dropped is kept, whatever else there is or comes, and those near it are
// dropped. So regions are settled as they come: memory is that of some thousand of them, or of those within a few times
// Distance letters, or of a run of rising scores longer than that, where everything depends on the last. Runs of equal
// or falling scores, such as those of windows of N alone, are settled early. O(n log n).
type Suppressor struct {
	Distance int
	Joint    bool // regions of all strands compete, not those of each alone
	Next     Sink
	open     []Region // in order, of one record
	full     int      // number of open regions from which they are settled
	least    int      // and in any case; 0 means settleFrom
}

// settleFrom is the least number of open regions worth settling.
const settleFrom = 1 << 13

// Add takes a region.
func (s *Suppressor) Add(r Region) error {
	if n := len(s.open); n > 0 {
		last := s.open[n-1]
		var err error
		if r.Index != last.Index || r.Start-last.Start >= s.Distance {
			err = s.settle(math.MaxInt)
		} else if n >= max(s.full, cmp.Or(s.least, settleFrom)) {
			err = s.settle(r.Start)
			s.full = 2 * len(s.open)
		}
		if err != nil {
			return err
		}
	}
	s.open = append(s.open, r)
	return nil
}

// End settles the last regions.
func (s *Suppressor) End() error {
	if err := s.settle(math.MaxInt); err != nil {
		return err
	}
	return s.Next.End()
}

// fate is what is known of an open region.
type fate byte

const (
	unknown   fate = iota // not examined yet
	kept                  // all better ones near it are dropped
	dropped               // a better one near it is kept
	undecided             // a better one near it is undecided, or may follow
)

// settle decides on the open regions that do not depend on future regions, which begin at from or later, and passes on
// what is kept before the first that is undecided.
func (s *Suppressor) settle(from int) error {
	fates := make([]fate, len(s.open))
	for _, strand := range []genome.Strand{genome.Plus, genome.Minus, genome.NoStrand} {
		var at []int // regions of the strand
		for i, r := range s.open {
			if r.Strand == strand || s.Joint {
				at = append(at, i)
			}
		}
		s.judge(at, from, fates)
		if s.Joint {
			break
		}
	}
	left, waiting := s.open[:0], false
	for i, r := range s.open {
		waiting = waiting || fates[i] == undecided
		switch {
		case fates[i] == dropped:
		case waiting:
			left = append(left, r)
		default:
			if err := s.Next.Add(r); err != nil {
				return err
			}
		}
	}
	s.open = left
	return nil
}

// judge finds the fates of the regions that compete, whose indices are at: best first, so that those of all better
// ones are known. What was kept, and waits, is kept again.
func (s *Suppressor) judge(at []int, from int, fates []fate) {
	order := subset.Whole(len(at)) // indices in at
	slices.SortFunc(order, func(a, b int) int { return better(s.open[at[a]], s.open[at[b]]) })
	start := func(n int) int { return s.open[at[n]].Start }
	marked := newSkips(len(at)) // those with an undecided one near them
	for _, n := range order {
		if fates[at[n]] == dropped {
			continue
		}
		first := sort.Search(n, func(m int) bool { return start(n)-start(m) < s.Distance })
		isNear := func(m int) bool { return m < len(at) && start(m)-start(n) < s.Distance }
		// nothing follows the greatest position, however great the distance
		if fates[at[n]] == undecided || from != math.MaxInt && from-start(n) < s.Distance {
			for m := marked.next(first); isNear(m); m = marked.next(m) {
				if fates[at[m]] != dropped {
					fates[at[m]] = undecided
				}
				marked.skip(m)
			}
			continue
		}
		for m := first; isNear(m); m++ {
			fates[at[m]] = dropped
		}
		fates[at[n]] = kept
	}
}

// skips is a list of which entries are skipped one by one: a union-find structure.
type skips []int

func newSkips(n int) skips { return subset.Whole(n + 1) }

// skip leaves entry i out.
func (s skips) skip(i int) { s[i] = i + 1 }

// next returns the first entry from i on that is not skipped; it is the length of the list if there is none.
func (s skips) next(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}
