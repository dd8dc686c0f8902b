package wdk

import (
	"math"
	"math/bits"
)

// addTail adds what words longer than the table of position q add, which go on from an entry, for a window that has its position q at letter i of a text.
func (s *Scorer) addTail(dst []float64, t *text, i, q, entry int) {
	depth, run := s.depthAt(q), t.run(i, s.length-q)
	b := s.entries.branches[entry]
	for b.count() == 0 {
		n := min(s.below.deepest(), run-depth)
		if n <= 0 {
			return
		}
		at := b.at() + s.below.start[n] + s.packing.code(t.word(i+depth), n)
		addTo(dst, s.entries.values[at*s.outputs:(at+1)*s.outputs], 1)
		if n < s.below.deepest() {
			return
		}
		depth += n
		if depth >= run || s.entries.goesOn(at, s.packing.letter(t.word(i+depth), 0)) == 0 {
			return
		}
		b = s.entries.branches[at]
	}
	if most := min(s.kernel.D, run) - depth; most > 0 {
		s.addList(dst, t, i, depth, most, b)
	}
}

// addList adds what the members of a list add, one after the other, whose letters begin depth letters behind letter i; most letters count.
func (s *Scorer) addList(dst []float64, t *text, i, depth, most int, b branch) {
	word := t.word(i + depth)
	if s.outputs == 1 {
		for place := b.at(); place < b.at()+b.count(); place++ {
			dst[0] += s.memberTerm(t, word, i, place, depth, most)
		}
		return
	}
	width, above := s.outputs+1, s.upTo[depth]
	for place := b.at(); place < b.at()+b.count(); place++ {
		member := s.members[place*width : (place+1)*width]
		weight := s.upTo[depth+s.matched(t, word, i, place, depth, most, member[0])] - above
		for m := range dst {
			dst[m] += float64(math.Float64frombits(member[m+1]) * weight)
		}
	}
}

// memberTerm returns what a member adds for a single output; word is what begins depth letters behind letter i.
func (s *Scorer) memberTerm(t *text, word uint32, i, place, depth, most int) float64 {
	member := s.members[2*place : 2*place+2 : 2*place+2]
	n := s.matched(t, word, i, place, depth, most, member[0])
	return float64(math.Float64frombits(member[1]) * (s.upTo[depth+n] - s.upTo[depth]))
}

// newMember packs a word that goes on for some letters.
func (s *Scorer) newMember(x []byte) uint64 {
	return uint64(s.packing.pack(x))<<32 | uint64(min(len(x), s.packing.letters()))
}

// matched returns how many letters a member shares with the word that begins depth letters behind letter i; most letters count.
func (s *Scorer) matched(t *text, word uint32, i, place, depth, most int, member uint64) int {
	n := s.common(member, word, most)
	if n == s.packing.letters() {
		n = s.commonText(t, i+depth, place, depth, most)
	}
	return n
}

// common returns how many letters a member shares with a packed word of which most count, as far as 32 bits tell.
func (s *Scorer) common(member uint64, word uint32, most int) int {
	same := s.packing.whole[bits.LeadingZeros32(uint32(member>>32)^word)]
	return min(int(same), int(uint32(member)), most)
}

// commonText returns how many letters a member shares with the text from letter i on, which is depth letters behind the beginning of the word.
func (s *Scorer) commonText(t *text, i, place, depth, most int) int {
	from := s.places[place]
	y := s.sv.Seq(int(from.sequence))[int(from.start)+depth:]
	n, most := 0, min(most, len(y))
	for n < most {
		d := s.packing.digit[y[n]]
		if d < 0 || uint32(d) != s.packing.letter(t.word(i+n), 0) {
			break
		}
		n++
	}
	return n
}
