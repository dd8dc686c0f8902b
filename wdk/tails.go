package wdk

import (
	"encoding/binary"
	"math/bits"
)

// tails are what the words of support vectors are beyond the tables of positions.
type tails struct {
	steps  ladder    // of the tables below: all have words of the same 1 … letters
	values []float64 // by table and word, outputs each: what the prefixes of the word add, below the table's depth
	next   []branch  // by table and word of the greatest length
	starts []int32   // per list: its first member; a last entry ends the last list
	words  []int32   // per member: where in text its letters begin that the tables above have not seen
	coef   []float64 // per member, outputs each
	text   []byte    // of the support vectors, with 8 bytes behind
}

// branch leads to the words that go on from a word of a table.
type branch struct {
	letters uint32 // bit b is set if one of them goes on with a letter whose lowest 5 bits are b
	to      int32  // number of a table, or −1 − number of a list
}

// addTails adds what words longer than the tables of positions add.
func (s *Scorer) addTails(dst []float64, w *query) {
	if s.roots == nil {
		return
	}
	words, size, start := s.steps.power[s.deepest], s.steps.size(s.deepest), s.steps.start[s.deepest]
	after := w.text[s.deepest:]
	for q, e := range w.entry[:s.length-s.deepest] {
		code := int(e) - q*size - start
		if code < 0 {
			continue // the word is shorter
		}
		if b := s.roots[q*words+code]; b.letters>>(after[q]&31)&1 == 1 {
			s.addTail(dst, w, q, b.to)
		}
	}
}

// addTail adds what the words beyond the table of position q add.
func (s *Scorer) addTail(dst []float64, w *query, q int, to int32) {
	t, depth := &s.tails, s.deepest
	for to >= 0 {
		code, n := s.word(w.x[q+depth:], t.deepest())
		if n == 0 {
			return
		}
		entry := int(to)*t.steps.size(t.deepest()) + t.steps.start[n] + code
		addTo(dst, t.values[entry*s.outputs:(entry+1)*s.outputs], 1)
		if n < t.deepest() {
			return
		}
		depth += n
		b := t.next[int(to)*t.steps.power[n]+code]
		if b.letters>>(w.text[q+depth]&31)&1 == 0 {
			return
		}
		to = b.to
	}
	for i := t.starts[-1-to]; i < t.starts[-to]; i++ {
		if n := s.common(w, q, depth, i); n > 0 {
			addTo(dst, t.coef[int(i)*s.outputs:(int(i)+1)*s.outputs], s.upTo[depth+n]-s.upTo[depth])
		}
	}
}

// deepest is the number of letters of a table.
func (t *tails) deepest() int { return len(t.steps.power) - 1 }

// word returns the code of the longest word at the beginning of x that has letters of the alphabet only and at most most of them, and how many it has.
func (s *Scorer) word(x []byte, most int) (code, n int) {
	for _, b := range x[:min(most, len(x))] {
		d := s.letters.digit[b]
		if d < 0 {
			break
		}
		code = code*s.letters.count + int(d)
		n++
	}
	return code, n
}

// common returns how many letters member i of a list shares with the query from depth letters behind position q on.
func (s *Scorer) common(w *query, q, depth int, i int32) int {
	at := int(s.tails.words[i])
	end := q
	if s.kernel.Shift > 0 {
		end = max(q, (at-depth)%s.length) // where the word of the support vector begins
	}
	limit := min(s.kernel.D, s.length-end) - depth
	a, b := w.text[q+depth:], s.tails.text[at:]
	for n := 0; n < limit; n += 8 {
		if differ := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); differ != 0 {
			return min(limit, n+bits.TrailingZeros64(differ)/8)
		}
	}
	return max(0, limit)
}
