package wdk

import (
	"sync"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Scorer is the support vectors of a weighted degree kernel merged into one structure: see [Kernel.Merge]. It is safe for concurrent use.
//
// For each position q of a window there is a table of all words of up to h letters, with everything folded in: the entry of a word is the sum over its
// prefixes s of β_|s| times the coefficients of the support vectors that hold s at q (with shifts, nearby, times the weight of the shift). One look-up serves all
// lengths up to h. Where support vectors have words that go on, the entry has a branch to a table of a few more letters if they are many, else to a
// list of them to compare with. A branch says which letters go on, so that most positions need not follow it.
type Scorer struct {
	kernel  Kernel
	packing packing
	length  int // L
	outputs int
	depth   int       // h
	upTo    []float64 // Kernel.upTo
	root    ladder    // of the tables of positions
	below   ladder    // of all other tables

	base     []int // per position: the first entry of its table; a last one ends the tables of positions
	branched bool  // support vectors have words of more than h letters
	entries  entries
	members  []uint64 // of lists: packed letters and how many they are at most, then the coefficients as bits
	lists    []int    // per position: its first member, as positions from the right have theirs one behind the other
	places   []place  // per member, for words that do not fit 32 bits
	sv       *stringkernel.Corpus

	prepare func()    // fills the tables, once
	space   sync.Pool // of *work
}

// place is where a member's letters begin.
type place struct {
	sequence, start int32
}

// entries are tables one behind the other, those of positions first. What a look-up reads stands apart from what longer words need.
type entries struct {
	values   []float64 // outputs per entry
	next     []uint16  // per entry, if any branches: with which letters longer words go on, by their lowest four bits
	branches []branch  // per entry, if any: where they do
}

// goesOn returns 1 if longer words go on from an entry with a letter, else 0.
func (t *entries) goesOn(entry int, letter uint32) int {
	return int(t.next[entry] >> (letter & 15) & 1)
}

// grow adds n entries of zeros and returns the number of the first.
func (t *entries) grow(n, outputs int, branched bool) int {
	first := len(t.values) / outputs
	t.values = append(t.values, make([]float64, n*outputs)...)
	if branched {
		t.next = append(t.next, make([]uint16, n)...)
		t.branches = append(t.branches, make([]branch, n)...)
	}
	return first
}

// branch leads from an entry to longer words: 8 bits say how many members the list has, 0 for a table, and the others where the list begins, in
// members, or the table in entries.
type branch uint64

func newBranch(count, at int) branch { return branch(at)<<8 | branch(count) }

func (b branch) count() int { return int(b & 255) }
func (b branch) at() int    { return int(b >> 8) }

// ladder lays out a table of the words of 1 … n letters, shorter ones first: words of l letters begin at entry start[l].
type ladder struct {
	bits  int
	start []int
}

func newLadder(bits, deepest int) ladder {
	l := ladder{bits: bits, start: []int{0, 0}}
	for n := 1; n <= deepest; n++ {
		l.start = append(l.start, l.start[n]+1<<(bits*n))
	}
	return l
}

// deepest is the greatest length of a word.
func (l *ladder) deepest() int { return len(l.start) - 2 }

// size is the number of words of 1 … n letters.
func (l *ladder) size(n int) int { return l.start[n+1] }

// depthAt is the greatest length of a word in the table of position q.
func (s *Scorer) depthAt(q int) int { return min(s.depth, s.length-q) }

// Outputs returns the number of coefficient vectors.
func (s *Scorer) Outputs() int { return s.outputs }

// WindowLength returns the length L of the windows merged: sequences of other lengths score 0.
func (s *Scorer) WindowLength() int { return s.length }

// ScoreTo looks up each position of x, in order, and then follows the branches of those that have one: O(L) time whatever the number of support vectors, but for
// words that many share. The score of a sequence that is not L letters long is 0.
func (s *Scorer) ScoreTo(dst []float64, x []byte) {
	s.ScoreBatchTo(dst[:s.outputs], [][]byte{x})
}

// batchLetters is the number of letters that are scored together, position by position: a position's tables then stay in the cache for many windows.
const batchLetters = 1 << 22

// ScoreBatchTo scores windows x[0], x[1], … into dst, outputs numbers each: the same bits as ScoreTo for each, in less time for many.
func (s *Scorer) ScoreBatchTo(dst []float64, x [][]byte) {
	w := s.borrow()
	defer s.space.Put(w)
	for size := max(1, batchLetters/wholeBytes(s.length+1)); len(x) > 0; {
		n := min(size, len(x))
		s.scoreBatch(dst[:n*s.outputs], w, x[:n])
		dst, x = dst[n*s.outputs:], x[n:]
	}
}

// scoreBatch scores the windows of length L, and sets the scores of others to 0.
func (s *Scorer) scoreBatch(dst []float64, w *work, x [][]byte) {
	clear(dst)
	w.text.reset(&s.packing)
	w.windows = w.windows[:0]
	for i, window := range x {
		if len(window) == s.length {
			w.text.append(window)
			w.windows = append(w.windows, int32(i))
		}
	}
	scores := w.scores(len(w.windows) * s.outputs)
	s.positions(scores, w, len(w.windows), wholeBytes(s.length))
	for j, i := range w.windows {
		copy(dst[int(i)*s.outputs:(int(i)+1)*s.outputs], scores[j*s.outputs:(j+1)*s.outputs])
	}
}

// work is space for scoring.
type work struct {
	text    text
	windows []int32 // which of a batch are in the text
	tails   []tail
	members []uint64
	longs   []uint64 // of a position: the letters from there on
	warmth  uint64
	numbers [2][]float64
}

// tail is an entry whose branch is to be followed for a window.
type tail struct {
	window, entry int32
	rest          uint32 // the letters behind the entry's, packed; of cleanColumn
	branch        branch // the entry's; of cleanTails
}

// borrow takes space, after making sure that the tables are filled.
func (s *Scorer) borrow() *work {
	s.prepare()
	w, _ := s.space.Get().(*work)
	if w == nil {
		w = new(work)
	}
	return w
}

// scores returns space for n numbers.
func (w *work) scores(n int) []float64 { return resized(&w.numbers[0], n) }

// longWords returns the long words of n windows, which stay from position to position.
func (w *work) longWords(n int) []uint64 {
	if cap(w.longs) < n {
		w.longs = make([]uint64, n)
	}
	return w.longs[:n]
}

// beyond returns n zeros.
func (w *work) beyond(n int) []float64 {
	zeros := resized(&w.numbers[1], n)
	clear(zeros)
	return zeros
}

func resized(v *[]float64, n int) []float64 {
	if cap(*v) < n {
		*v = make([]float64, n)
	}
	return (*v)[:n]
}

// addTo adds a·v to dst.
func addTo(dst, v []float64, a float64) {
	dst = dst[:len(v)]
	for m, x := range v {
		dst[m] += float64(a * x)
	}
}
