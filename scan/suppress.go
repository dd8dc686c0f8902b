package scan

import (
	"cmp"
	"math"
	"slices"
)

// Suppressor is a [Sink] that drops regions near better ones: greedy non-maximum suppression. Of the regions of a record, best first, one is kept unless
// one that was kept before, on the same strand, begins less than Distance letters from it. Of equal scores the first in order is the better.
//
// A region that is better than all near it on either side is kept whatever else there is, and those near it are dropped, so that what lies before it and what comes
// behind do not bear on each other. So regions are settled as they come, up to the last such: memory is that of some thousand of them, or of those
// within a few times Distance letters, or of a run of rising scores longer than that. O(n log n).
type Suppressor struct {
	Distance int
	Next     Sink
	open     []Region // in order, of one record
	full     int      // how many may be open before they are settled, at least
	least    int      // and in any case; 0 means settleFrom
}

// settleFrom is the least number of open regions worth settling.
const settleFrom = 1 << 13

// Add takes a region.
func (s *Suppressor) Add(r Region) error {
	if n := len(s.open); n > 0 {
		last := s.open[n-1]
		if r.Index != last.Index || r.Start-last.Start >= s.Distance {
			if err := s.settle(math.MaxInt); err != nil {
				return err
			}
		} else if n >= max(s.full, cmp.Or(s.least, settleFrom)) {
			if err := s.settle(r.Start); err != nil {
				return err
			}
			s.full = 2 * len(s.open)
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

// settle decides on the open regions on which those from a place on, which are to come, have no bearing, and passes on what is kept before the first that is undecided.
func (s *Suppressor) settle(from int) error {
	dropped, closed := make([]bool, len(s.open)), math.MaxInt
	for _, strand := range []Strand{Plus, Minus, Neither} {
		var at []int // regions of the strand
		for i, r := range s.open {
			if r.Strand == strand {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			continue
		}
		until := len(at)
		if from < math.MaxInt {
			until = s.lastPeak(at, from) + 1
		}
		s.suppress(at[:until], at, dropped)
		for _, i := range at[until:] {
			if !dropped[i] {
				closed = min(closed, s.open[i].Start-1)
				break
			}
		}
	}
	left := s.open[:0]
	for i, r := range s.open {
		switch {
		case dropped[i]:
		case r.Start <= closed:
			if err := s.Next.Add(r); err != nil {
				return err
			}
		default:
			left = append(left, r)
		}
	}
	s.open = left
	return nil
}

// lastPeak returns the index in at of the last region that is better than all near it, if what is to come is not near it either; −1 if there is none.
func (s *Suppressor) lastPeak(at []int, from int) int {
	for n := len(at) - 1; n >= 0; n-- {
		if from-s.open[at[n]].Start >= s.Distance && s.isPeak(at, n) {
			return n
		}
	}
	return -1
}

// isPeak looks at the neighbours on both sides in turn, nearest first: most regions have a better one next to them.
func (s *Suppressor) isPeak(at []int, n int) bool {
	r := s.open[at[n]]
	below, above := n-1, n+1
	for more := true; more; {
		more = false
		if below >= 0 && r.Start-s.open[at[below]].Start < s.Distance {
			if better(s.open[at[below]], r) < 0 {
				return false
			}
			below, more = below-1, true
		}
		if above < len(at) && s.open[at[above]].Start-r.Start < s.Distance {
			if better(s.open[at[above]], r) < 0 {
				return false
			}
			above, more = above+1, true
		}
	}
	return true
}

// suppress marks the regions near better ones among the first of a strand, the last of which is a peak, and those near it behind.
func (s *Suppressor) suppress(first, all []int, dropped []bool) {
	order := make([]int, len(first)) // indices in all
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(a, b int) int { return better(s.open[all[a]], s.open[all[b]]) })
	for _, n := range order {
		if dropped[all[n]] {
			continue
		}
		kept := s.open[all[n]].Start
		for m := n - 1; m >= 0 && kept-s.open[all[m]].Start < s.Distance; m-- {
			dropped[all[m]] = true
		}
		for m := n + 1; m < len(all) && s.open[all[m]].Start-kept < s.Distance; m++ {
			dropped[all[m]] = true
		}
	}
}
