package wdk

import (
	"math"
	"math/bits"
)

// addTail adds what words longer than the table of position q add.
func (s *Scorer) addTail(dst []float64, w *query, q int, b branch) {
	depth, run := s.depthAt(q), int(w.runs[q])
	for b.count() == 0 {
		n := min(s.below.deepest(), run-depth)
		if n <= 0 {
			return
		}
		at := b.at() + (s.below.start[n]+s.code(w, q+depth, n))*s.stride
		addTo(dst, s.values[at:at+s.outputs], 1)
		if n < s.below.deepest() {
			return
		}
		depth += n
		if b = branch(math.Float64bits(s.values[at+s.outputs])); b == 0 || depth >= run || b.goesOn(s.letter(w, q+depth, 0)) == 0 {
			return
		}
	}
	s.addList(dst, w, q, depth, b)
}

// code returns n letters from position p on as a number.
func (s *Scorer) code(w *query, p, n int) int { return s.packing.code(w.words[p], n) }

// addList adds what the members of a list add, whose letters begin depth letters behind position q.
func (s *Scorer) addList(dst []float64, w *query, q, depth int, b branch) {
	most := min(s.kernel.D, int(w.runs[q])) - depth
	if most <= 0 {
		return
	}
	word, width, above := w.words[q+depth], s.outputs+1, s.upTo[depth]
	for i := b.at(); i < b.at()+b.count(); i++ {
		member := s.members[i*width : (i+1)*width]
		n := s.common(member[0], word, most)
		if n == s.packing.letters() {
			n = s.commonText(w, q, depth, i)
		}
		weight := s.upTo[depth+n] - above
		for m := range dst {
			dst[m] += float64(math.Float64frombits(member[m+1]) * weight)
		}
	}
}

// newMember packs a word that goes on for some letters.
func (s *Scorer) newMember(x []byte) uint64 {
	return uint64(s.packing.pack(x))<<32 | uint64(min(len(x), s.packing.letters()))
}

// common returns how many letters a member shares with a packed word of which most count, as far as 32 bits tell.
func (s *Scorer) common(member uint64, word uint32, most int) int {
	same := bits.LeadingZeros32(uint32(member>>32)^word) / s.packing.bits
	return min(same, int(uint32(member)), most)
}

// commonText returns how many letters member i shares with the query from depth letters behind position q on.
func (s *Scorer) commonText(w *query, q, depth, i int) int {
	from := s.places[i]
	most := min(s.kernel.D, int(w.runs[q]), s.length-int(from.start)) - depth
	x, y := w.x[q+depth:], s.sv.Seq(int(from.sequence))[int(from.start)+depth:]
	n := 0
	for n < most && x[n] == y[n] {
		n++
	}
	return n
}
