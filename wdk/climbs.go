package wdk

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// climb is a window that meets a node, whose label begins at a depth, with its letters from there on.
type climb struct {
	window, node, letters, depth uint32
}

// reach is a window that has all of a node's label, and continues at the fork in the lower half of the label.
type reach struct {
	window, label uint32
}

// climbing is how many windows meet nodes at a time: few enough that what is known about them stays in the nearest
// cache.
const climbing = 1024

// cleanTails adds the words longer than the table's for the windows that branchedColumn has listed: a node of each at a
// time, in loops without branches that depend on letters, so that the processor works on many windows at once. These
// are functions of their own, so that what a loop needs fits the registers.
func (s *scorer) cleanTails(scores []float64, w *work, q, step int) {
	t := &s.tries[q]
	for from := 0; from < len(w.goOn); from += climbing {
		s.enter(w, w.goOn[from:min(from+climbing, len(w.goOn))], q)
		for len(w.climbs) > 0 {
			w.reached = scratch.Resize(w.reached, len(w.climbs))
			w.reached = w.reached[:meet(scores, t.nodes, s.gains, w.climbs, w.reached)]
			if len(t.longs) > 0 {
				s.meetLong(scores, w, q, step)
			}
			s.ascend(w, q, step)
		}
	}
}

// enter lists the nodes that windows meet first. A word of the table has at most 23 bits (maxEntries), so that long
// words have the 32 after it.
func (s *scorer) enter(w *work, windows []uint32, q int) {
	w.climbs = scratch.Resize(w.climbs, len(windows))
	behind, branch := uint(s.packing.bits*s.depth), uint(s.packing.branchBits())
	enter(w.climbs, windows, s.tries[q].begun, w.longs, behind, branch, uint32(s.depth))
}

//go:noinline
func enter(climbs []climb, windows []uint32, begun begun, longs []uint64, behind, branch uint, depth uint32) {
	climbs = climbs[:len(windows)]
	shift := 64 - behind - branch
	for i, j := range windows {
		long := longs[j]
		climbs[i] = climb{j, begun.before(long >> (shift & 63)), uint32(long << (behind & 63) >> 32), depth}
	}
}

// meet adds the nodes that windows meet, and lists those of which they have all.
//
//go:noinline
func meet(scores []float64, nodes []uint64, gains [][64]float64, climbs []climb, reached []reach) (found int) {
	reached = reached[:len(climbs)]
	for i := range climbs {
		c := &climbs[i]
		at := 2 * int(c.node)
		l := label(nodes[at])
		common := l.common(c.letters)
		scores[c.window] += float64(math.Float64frombits(nodes[at+1]) * gains[c.depth][common&63])
		reached[found] = reach{c.window, uint32(l)}
		found += int(1 - uint(common-l.bits())>>63) // if all bits are common
	}
	return found
}

// meetLong adds the letters of long labels that are not in the labels of nodes, and keeps the windows that have all of
// them, and those at forks.
func (s *scorer) meetLong(scores []float64, w *work, q, step int) {
	t, kept := &s.tries[q], w.reached[:0]
	for _, r := range w.reached {
		if l := label(r.label); l&longer != 0 {
			long := &t.longs[l.number()]
			n, depth := s.commonText(&w.text, int(r.window)*step+q, s.length-q, long), int(long.depth)
			sum := math.Float64frombits(t.nodes[2*long.node+1])
			scores[r.window] += float64(sum * (s.upTo[depth+n] - s.upTo[depth]))
			if n < int(long.length) {
				continue
			}
			r.label = uint32(newLabel(0, 0, long.fork))
		}
		kept = append(kept, r)
	}
	w.reached = kept
}

// ascend lists the nodes that windows meet next.
func (s *scorer) ascend(w *work, q, step int) {
	t, packed, width, mask := &s.tries[q], w.text.packed, s.packing.bits, w.text.mask
	inLongs := width*s.kernel.D <= longBits
	w.climbs = scratch.Resize(w.climbs, len(w.reached)+1)
	climbs, found := w.climbs, 0
	for i := range w.reached {
		r := &w.reached[i]
		f := &t.forks[label(r.label).number()]
		var letters uint32
		if depth := int(f.depth); inLongs {
			letters = uint32(w.longs[r.window]<<(width*depth&63)>>32) & mask
		} else {
			letters = wordAt(packed, (int(r.window)*step+q+depth)*width) & mask
		}
		branch := f.branch(letters)
		climbs[found] = climb{r.window, f.child(branch), letters, uint32(f.depth)}
		found += f.has(branch)
	}
	w.climbs = climbs[:found]
}
