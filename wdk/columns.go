package wdk

import (
	"math"
	"math/bits"
)

// positions adds up the scores of count windows of the text, of which window j begins at letter j·step, position by position.
func (s *Scorer) positions(scores []float64, w *work, count, step int) {
	clear(scores)
	beyond := w.beyond(len(scores)) // words longer than tables; added last, so that the bits do not depend on what is scored together
	for q := range s.length {
		w.tails = w.tails[:0]
		if count >= warmed {
			w.warmth ^= s.warm(q)
		}
		if w.text.runs == nil && s.outputs == 1 {
			s.cleanColumn(scores, w, q, step)
			s.cleanTails(beyond, w, q, step)
			continue
		}
		s.column(scores, w, count, q, step)
		for _, t := range w.tails {
			j := int(t.window)
			s.addTail(beyond[j*s.outputs:(j+1)*s.outputs], &w.text, j*step+q, q, int(t.entry))
		}
	}
	for i, v := range beyond {
		scores[i] += v
	}
}

// warmed is the least number of windows that it pays for to read what a position has from its beginning to its end first: reading in order, the processor
// fetches ahead, where look-ups in any order would wait for each piece.
const warmed = 2048

// warm reads a position's table and lists.
func (s *Scorer) warm(q int) (sum uint64) {
	const line = 8 // numbers of a line of the cache
	for i := s.base[q] * s.outputs; i < s.base[q+1]*s.outputs; i += line {
		sum ^= math.Float64bits(s.entries.values[i])
	}
	if !s.branched {
		return sum
	}
	for i := s.base[q]; i < s.base[q+1]; i += line {
		sum ^= uint64(s.entries.branches[i])
		if i%(4*line) < line {
			sum ^= uint64(s.entries.next[i])
		}
	}
	for i := s.lists[q+1]; i < s.lists[q]; i += line {
		sum ^= s.members[i]
	}
	return sum
}

// column looks up position q of all windows, and lists the branches to follow.
func (s *Scorer) column(scores []float64, w *work, count, q, step int) {
	for j := range count {
		i := j*step + q
		n := min(s.depthAt(q), w.text.run(i, s.length-q))
		if n == 0 {
			continue
		}
		word := w.text.word(i)
		at := s.base[q] + s.root.start[n] + s.packing.code(word, n)
		addTo(scores[j*s.outputs:], s.entries.values[at*s.outputs:(at+1)*s.outputs], 1)
		if s.branched && s.entries.goesOn(at, s.packing.letter(word, n)) == 1 {
			w.tails = append(w.tails, tail{window: int32(j), entry: int32(at)})
		}
	}
}

// cleanColumn is column for a single output and a text without letters outside the alphabet.
func (s *Scorer) cleanColumn(scores []float64, w *work, q, step int) {
	n, first := s.depthAt(q), s.base[q]+s.root.start[s.depthAt(q)]
	table, shift := s.entries.values[first:s.base[q+1]], 32-s.packing.bits*n
	packed, width := w.text.packed, s.packing.bits
	if !s.branched {
		for j := range scores {
			scores[j] += table[wordAt(packed, (j*step+q)*width)>>(shift&31)]
		}
		return
	}
	if cap(w.tails) < len(scores)+1 {
		w.tails = make([]tail, 0, len(scores)+1)
	}
	tails, found, next := w.tails[:len(scores)+1], 0, s.entries.next[first:s.base[q+1]]
	longs := w.longWords(len(scores))
	if q%s.period(step) == 0 {
		for j := range longs {
			longs[j] = longWordAt(packed, (j*step+q)*width)
		}
	}
	for j := range scores {
		long := longs[j]
		longs[j] = long << (width & 63)
		code := uint32(long >> 32 >> (shift & 31))
		rest := uint32(long << (-shift & 31) >> 32)
		scores[j] += table[code]
		tails[found] = tail{window: int32(j), entry: int32(first) + int32(code), rest: rest & w.text.mask}
		found += int(next[code] >> (rest >> ((32 - width) & 31) & 15) & 1)
	}
	w.tails = tails[:found]
}

// period returns for how many positions the long words of windows that begin step letters apart, read once, hold the letters of a word of the table and those
// behind it. At least 57 of their 64 bits are letters, all 64 if every window begins with a byte.
func (s *Scorer) period(step int) int {
	const aligned = 8
	if letters := 64 / s.packing.bits; 64%s.packing.bits != 0 || step%aligned != 0 || s.depth+s.packing.letters()+aligned-1 > letters {
		return 1
	}
	return aligned
}

// cleanTails adds the tails that cleanColumn has listed: first those with tables, then the members of lists one after the other, in a loop that no list's
// length interrupts.
func (s *Scorer) cleanTails(beyond []float64, w *work, q, step int) {
	depth := s.depthAt(q)
	most := min(s.kernel.D, s.length-q) - depth
	for i := range w.tails { // first, so that no load waits for the decisions below
		w.tails[i].branch = s.entries.branches[w.tails[i].entry]
	}
	members, upTo, letters, whole := s.members, s.upTo[depth:], s.packing.letters(), &s.packing.whole
	for _, visit := range w.visits(s, beyond, q, step) {
		t, place := &w.tails[visit>>32], int(uint32(visit))
		member := members[2*place : 2*place+2 : 2*place+2]
		n := min(int(whole[bits.LeadingZeros32(uint32(member[0]>>32)^t.rest)]), int(uint32(member[0])), most)
		if n == letters {
			n = s.commonText(&w.text, int(t.window)*step+q+depth, place, depth, most)
		}
		beyond[t.window] += float64(math.Float64frombits(member[1]) * (upTo[n] - upTo[0]))
	}
}

// visits lists the members of all lists to compare with, each with the number of its tail in the upper half, and adds the tails that have tables.
func (w *work) visits(s *Scorer, beyond []float64, q, step int) []uint64 {
	if need := longestList * (len(w.tails) + 1); cap(w.members) < need {
		w.members = make([]uint64, need)
	}
	visits, n := w.members[:cap(w.members)], 0
	for i := range w.tails {
		t := &w.tails[i]
		count := t.branch.count()
		if count == 0 {
			j := int(t.window)
			s.addTail(beyond[j:j+1], &w.text, j*step+q, q, int(t.entry))
			continue
		}
		first, next := uint64(i)<<32|uint64(t.branch.at()), visits[n:n+longestList]
		next[0], next[1], next[2], next[3] = first, first+1, first+2, first+3 // more than there are are overwritten
		for k := 4; k < count; k++ {
			next[k] = first + uint64(k)
		}
		n += count
	}
	return visits[:n]
}
