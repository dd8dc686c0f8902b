package wdk

import (
	"encoding/binary"
	"sync"
)

// Scorer is the support vectors of a weighted degree kernel merged into one structure: see [Kernel.Merge]. It is safe for concurrent use.
//
// For each position q of a window there is a table of all words of up to h letters, with everything folded in: the entry of a word is the sum over its
// prefixes s of β_|s| times the coefficients of the support vectors that hold s at q (with shifts, nearby, times the weight of the shift). One look-up serves all
// lengths up to h. Where support vectors have words that go on, the entry refers to its tail: a table of a few more letters if they are many, else a
// list of them to compare with. It says, too, which letters go on, so that most positions need not look.
type Scorer struct {
	kernel  Kernel
	letters letters
	length  int // L
	outputs int
	steps   ladder
	deepest int       // h
	upTo    []float64 // Kernel.upTo

	base   []int     // per position: the first entry of its table
	values []float64 // outputs per entry
	roots  []branch  // per word of h letters, for the positions followed by more letters than that; nil if no support vector has longer words
	tails  tails
	space  sync.Pool // of *query
}

// ladder lays out a table of the words of 1 … n letters, shorter ones first: words of l letters begin at entry start[l].
type ladder struct {
	letters int
	power   []int // letters^l
	start   []int
}

// newLadder prepares for words of up to deepest letters.
func newLadder(letters, deepest int) ladder {
	l := ladder{letters: letters, power: []int{1}, start: []int{0, 0}}
	for i := 1; i <= deepest; i++ {
		l.power = append(l.power, l.power[i-1]*letters)
		l.start = append(l.start, l.start[i]+l.power[i])
	}
	return l
}

// size is the number of words of 1 … deepest letters.
func (l *ladder) size(deepest int) int { return l.start[deepest+1] }

// depth is the greatest length of a word in the table of position q.
func (s *Scorer) depth(q int) int { return min(s.deepest, s.length-q) }

// query is a window to score.
type query struct {
	x     []byte
	text  []byte  // to compare, with 8 bytes behind
	entry []int32 // per position: of the longest word in its table, −1 if there is none
}

// Outputs returns the number of coefficient vectors.
func (s *Scorer) Outputs() int { return s.outputs }

// WindowLength returns the length L of the windows merged: sequences of other lengths score 0.
func (s *Scorer) WindowLength() int { return s.length }

// ScoreTo looks up each position of x, in order: O(L) time whatever the number of support vectors, and the tails of the positions that have one. The score of a
// sequence that is not L letters long is 0.
func (s *Scorer) ScoreTo(dst []float64, x []byte) {
	dst = dst[:s.outputs]
	clear(dst)
	if len(x) != s.length {
		return
	}
	w := s.borrow(x)
	defer s.space.Put(w)
	if s.outputs == 1 {
		dst[0] = s.scoreOne(w)
		return
	}
	for _, e := range w.entry {
		if e >= 0 {
			addTo(dst, s.values[int(e)*s.outputs:(int(e)+1)*s.outputs], 1)
		}
	}
	s.addTails(dst, w)
}

// scoreOne is ScoreTo for a single output.
func (s *Scorer) scoreOne(w *query) float64 {
	sums := [1]float64{}
	for _, e := range w.entry {
		if e >= 0 {
			sums[0] += s.values[e]
		}
	}
	s.addTails(sums[:], w)
	return sums[0]
}

// borrow prepares a query.
func (s *Scorer) borrow(x []byte) *query {
	w, _ := s.space.Get().(*query)
	if w == nil {
		w = &query{entry: make([]int32, s.length)}
	}
	w.x = x
	w.text = s.letters.text(w.text[:0], s.kernel.Alphabet, x, outsideHere)
	w.text = binary.LittleEndian.AppendUint64(w.text, ^uint64(0))
	s.enter(w, x)
	return w
}

// enter finds the entry of each position, with a rolling code.
func (s *Scorer) enter(w *query, x []byte) {
	code, outside := 0, false
	first := min(s.deepest, len(x))
	digit := func(p int) int {
		d := int(s.letters.digit[x[p]])
		if d < 0 {
			outside = true
			return 0
		}
		return d
	}
	for p := range first {
		code = code*s.letters.count + digit(p)
	}
	for q := range x {
		depth := s.depth(q)
		w.entry[q] = int32(s.base[q] + s.steps.start[depth] + code)
		drop := max(0, int(s.letters.digit[x[q]]))
		if q+depth < len(x) {
			code = code*s.letters.count + digit(q+depth) - drop*s.steps.power[depth]
		} else {
			code -= drop * s.steps.power[depth-1]
		}
	}
	if outside {
		s.shorten(w, x)
	}
}

// shorten corrects the entries of words that meet a letter outside the alphabet.
func (s *Scorer) shorten(w *query, x []byte) {
	run := int32(0)
	for q := len(x) - 1; q >= 0; q-- {
		if run++; s.letters.digit[x[q]] < 0 {
			run = 0
		}
		if depth := s.depth(q); int(run) < depth {
			w.entry[q] = -1
			if run > 0 {
				w.entry[q] = int32(s.entryOf(q, x[q:q+int(run)]))
			}
		}
	}
}

// entryOf returns the entry of a word of letters in the table of position q.
func (s *Scorer) entryOf(q int, word []byte) int {
	code := 0
	for _, b := range word {
		code = code*s.letters.count + int(s.letters.digit[b])
	}
	return s.base[q] + s.steps.start[len(word)] + code
}
