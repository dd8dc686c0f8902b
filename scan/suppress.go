package scan

import "slices"

// Suppressor is a [Sink] that drops regions near better ones: greedy non-maximum suppression. Of the regions of a record, best first, one is kept unless
// one that was kept before, on the same strand, begins less than Distance letters from it. Of equal scores the first in order is the better.
//
// Regions that begin Distance letters or more behind all others do not bear on those, so that memory is that of the longest chain of regions closer than that:
// of all of a record if nearly every window is a hit. O(n log n).
type Suppressor struct {
	Distance int
	Next     Sink
	chain    []Region
}

// Add takes a region.
func (s *Suppressor) Add(r Region) error {
	if n := len(s.chain); n > 0 {
		if last := s.chain[n-1]; r.Index != last.Index || r.Start-last.Start >= s.Distance {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	s.chain = append(s.chain, r)
	return nil
}

// End ends the last chain.
func (s *Suppressor) End() error {
	if err := s.flush(); err != nil {
		return err
	}
	return s.Next.End()
}

// flush passes on what is kept of the chain.
func (s *Suppressor) flush() error {
	order := make([]int, len(s.chain))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return better(s.chain[i], s.chain[j]) })
	dropped := make([]bool, len(s.chain))
	for _, i := range order {
		if !dropped[i] {
			s.drop(dropped, i, 1)
			s.drop(dropped, i, -1)
		}
	}
	for i, r := range s.chain {
		if !dropped[i] {
			if err := s.Next.Add(r); err != nil {
				return err
			}
		}
	}
	s.chain = s.chain[:0]
	return nil
}

// drop marks the regions near region i on one side of it.
func (s *Suppressor) drop(dropped []bool, i, step int) {
	kept := s.chain[i]
	for j := i + step; j >= 0 && j < len(s.chain); j += step {
		r := s.chain[j]
		if (r.Start-kept.Start)*step >= s.Distance {
			return
		}
		if r.Strand == kept.Strand {
			dropped[j] = true
		}
	}
}
