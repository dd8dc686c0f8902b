package wdk

import (
	"context"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scorer is the support vectors of a weighted degree kernel merged into one structure: see [Kernel.Merge]. It is safe
// for concurrent use.
//
// For each position q of a window there is a table of all words of up to h letters, with everything folded in: the
// entry of a word is the sum over its prefixes s of β_|s| times the coefficients of the support vectors that hold s at
// q (with shifts, nearby, times the weight of the shift). One look-up serves all lengths up to h. Words of support
// vectors that continue are in a trie per position; a bit for each word of h letters and one more says whether any goes
// on so, and for most windows none does.
type scorer struct {
	kernel  Kernel
	packing packing
	length  int // L
	outputs int
	depth   int           // h
	upTo    []float64     // Kernel.upTo
	gains   [][64]float64 // by depth: weights of the letters after it, by how many bits of them match
	root    ladder        // of the tables of positions

	base     []int          // per position: the first entry of its table; a last one ends the tables
	values   []float64      // outputs per entry
	branched bool           // support vectors may have words of more than h letters
	tries    []trie         // per position, if branched
	sv       *packedWindows // for labels of tries that do not fit 32 bits

	folded cancel.Once[struct{}] // fills the tables
	space  sync.Pool             // of *work
}

// ladder lays out a table of the words of 1 … n letters, shorter ones first: words of l letters begin at entry
// start[l].
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

// size is the number of words of 1 … n letters.
func (l *ladder) size(n int) int { return l.start[n+1] }

// level returns the entries of the words of n letters.
func (l *ladder) level(table []float64, n int) []float64 { return table[l.start[n]:l.start[n+1]] }

// depthAt is the greatest length of a word in the table of position q.
func (s *scorer) depthAt(q int) int { return min(s.depth, s.length-q) }

// Outputs returns the number of coefficient vectors.
func (s *scorer) Outputs() int { return s.outputs }

// Traits has the length L of the windows merged: sequences of other lengths score 0.
func (s *scorer) Traits() stringkernel.Traits {
	return stringkernel.Traits{
		WindowLength: s.length, ScoreBatchTo: s.scoreBatchTo,
		Prepare: func(ctx context.Context) (err error) {
			defer cancel.Catch(&err)
			s.folded.Get(ctx)
			return nil
		},
	}
}

// prepare folds the support vectors if that has not been done.
func (s *scorer) prepare() { s.folded.Get(context.Background()) }

// ScoreTo looks up each position of x and follows the words of support vectors that continue: O(L) look-ups whatever
// the number of support vectors, and O(L d) for an x that has words of d letters in common with them everywhere. The
// score of a sequence that is not L letters long is 0.
func (s *scorer) ScoreTo(dst []float64, x []byte) {
	s.scoreBatchTo(dst[:s.outputs], [][]byte{x})
}

// batchLetters is the number of letters that are scored together, position by position: a position's tables then stay
// in the cache for many windows.
const batchLetters = 1 << 23

// scoreBatchTo scores windows x[0], x[1], … into dst, outputs numbers each: the same bits as ScoreTo for each, in less
// time for many.
func (s *scorer) scoreBatchTo(dst []float64, x [][]byte) {
	w := s.borrow()
	defer s.space.Put(w)
	most := max(1, batchLetters/wholeBytes(s.length+1))
	for parts := (len(x) + most - 1) / most; parts > 0; parts-- {
		n := (len(x) + parts - 1) / parts
		s.scoreBatch(dst[:n*s.outputs], w, x[:n])
		dst, x = dst[n*s.outputs:], x[n:]
	}
}

// scoreBatch scores the windows of length L, and sets the scores of others to 0.
func (s *scorer) scoreBatch(dst []float64, w *work, x [][]byte) {
	clear(dst)
	w.text.reset(&s.packing)
	w.windows = w.windows[:0]
	for i, window := range x {
		if len(window) == s.length {
			w.text.append(window)
			w.windows = append(w.windows, int32(i))
		}
	}
	if len(w.windows) == len(x) {
		s.positions(dst, w, len(x), wholeBytes(s.length))
		return
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
	windows []int32  // which of a batch are in the text
	longs   []uint64 // per window: letters from a position on
	goOn    []uint32 // windows whose words are longer than the table's
	climbs  []climb
	reached []reach
	warmth  uint64
	numbers []float64
}

// borrow takes space, after making sure that the tables are filled.
func (s *scorer) borrow() *work {
	s.prepare()
	w, _ := s.space.Get().(*work)
	if w == nil {
		w = new(work)
	}
	return w
}

// scores returns space for n numbers.
func (w *work) scores(n int) []float64 {
	w.numbers = scratch.Resize(w.numbers, n)
	return w.numbers
}

// trackedWindows is the number of windows that TrackTo scores together.
const trackedWindows = 1 << 16

// TrackTo scores the windows x[p:p+window], position by position for many windows at a time: each letter is packed
// once, and a position's table stays in the cache. If window is not the length of the windows merged, all scores are 0.
func (s *scorer) TrackTo(dst []float64, m int, x []byte, window int) {
	if window != s.length || s.length == 0 {
		clear(dst)
		return
	}
	w := s.borrow()
	defer s.space.Put(w)
	for from := 0; from < len(dst); from += trackedWindows {
		count := min(trackedWindows, len(dst)-from)
		w.text.reset(&s.packing)
		w.text.append(x[from : from+count+window-1])
		scores := w.scores(count * s.outputs)
		s.positions(scores, w, count, 1)
		for j := range count {
			dst[from+j] = scores[j*s.outputs+m]
		}
	}
}
