package wdk

import (
	"math"
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

	base    []int     // per position: where its table begins in values; a last one ends the tables of positions
	stride  int       // numbers per entry: one per output, and with tails the bits of a branch
	values  []float64 // tables of positions, then the others
	members []uint64  // of lists: packed letters and how many they are at most, then the coefficients as bits
	places  []place   // per member, for words that do not fit 32 bits
	sv      *stringkernel.Corpus

	space sync.Pool // of *query
}

// place is where a member's letters begin.
type place struct {
	sequence, start int32
}

// branch leads from an entry to longer words: 16 bits say which letters go on (by their lowest four bits), 8 how many members the list has, 0 for
// a table, and 40 where the list begins, in members, or the table in values.
type branch uint64

func newBranch(letters uint16, count, at int) branch {
	return branch(letters)<<48 | branch(count)<<40 | branch(at)
}

func (b branch) goesOn(letter uint32) uint64 { return uint64(b) >> (48 + letter&15) & 1 }
func (b branch) count() int                  { return int(b >> 40 & 255) }
func (b branch) at() int                     { return int(b & (1<<40 - 1)) }

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

// query is a window to score.
type query struct {
	x     []byte
	words []uint32 // per position: the letters from there on, packed
	runs  []int32  // per position: letters before the next one outside, or the end
	tails []tail
}

// tail is a branch to follow.
type tail struct {
	position int32
	branch   branch
}

// Outputs returns the number of coefficient vectors.
func (s *Scorer) Outputs() int { return s.outputs }

// WindowLength returns the length L of the windows merged: sequences of other lengths score 0.
func (s *Scorer) WindowLength() int { return s.length }

// ScoreTo looks up each position of x, in order, and then follows the branches of those that have one: O(L) time whatever the number of support vectors, but for
// words that many share. The score of a sequence that is not L letters long is 0.
func (s *Scorer) ScoreTo(dst []float64, x []byte) {
	dst = dst[:s.outputs]
	clear(dst)
	if len(x) != s.length {
		return
	}
	w := s.borrow()
	defer s.space.Put(w)
	s.read(w, x)
	if s.outputs == 1 {
		dst[0] = s.lookUpOne(w)
	} else {
		s.lookUp(dst, w)
	}
	for _, t := range w.tails {
		s.addTail(dst, w, int(t.position), t.branch)
	}
}

func (s *Scorer) borrow() *query {
	w, _ := s.space.Get().(*query)
	if w == nil {
		w = &query{words: make([]uint32, s.length), runs: make([]int32, s.length), tails: make([]tail, 0, s.length+1)}
	}
	return w
}

// read packs a window.
func (s *Scorer) read(w *query, x []byte) {
	w.x = x
	word, run := uint32(0), int32(0)
	for q := len(x) - 1; q >= 0; q-- {
		d := s.packing.digit[x[q]]
		if run++; d < 0 {
			d, run = 0, 0
		}
		word = s.packing.push(word, d)
		w.words[q], w.runs[q] = word, run
	}
}

// entry returns where in values the longest word of position q's table begins, and its length, 0 if there is none.
func (s *Scorer) entry(w *query, q int) (at, n int) {
	n = min(s.depthAt(q), int(w.runs[q]))
	return s.base[q] + (s.root.start[n]+s.packing.code(w.words[q], n))*s.stride, n
}

// lookUpOne returns the sum of the table's values, for a single output, and lists the branches to follow.
func (s *Scorer) lookUpOne(w *query) float64 {
	tails, found := w.tails[:cap(w.tails)], 0
	sum := 0.0
	branches := s.stride > s.outputs
	for q := range w.words {
		at, n := s.entry(w, q)
		if n == 0 {
			continue
		}
		sum += s.values[at]
		if branches {
			b := branch(math.Float64bits(s.values[at+1]))
			tails[found] = tail{int32(q), b}
			found += int(b.goesOn(s.letter(w, q, n)))
		}
	}
	w.tails = tails[:found]
	return sum
}

// lookUp is lookUpOne for several outputs.
func (s *Scorer) lookUp(dst []float64, w *query) {
	w.tails = w.tails[:0]
	for q := range w.words {
		at, n := s.entry(w, q)
		if n == 0 {
			continue
		}
		addTo(dst, s.values[at:at+s.outputs], 1)
		if s.stride > s.outputs {
			if b := branch(math.Float64bits(s.values[at+s.outputs])); b.goesOn(s.letter(w, q, n)) == 1 {
				w.tails = append(w.tails, tail{int32(q), b})
			}
		}
	}
}

// letter returns the letter n places behind position q, packed; any if that is no letter of the window.
func (s *Scorer) letter(w *query, q, n int) uint32 {
	return w.words[q] << (s.packing.bits * n) >> (32 - s.packing.bits)
}

// addTo adds a·v to dst.
func addTo(dst, v []float64, a float64) {
	dst = dst[:len(v)]
	for m, x := range v {
		dst[m] += float64(a * x)
	}
}
