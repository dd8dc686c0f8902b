package wdk

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// positions adds up the scores of count windows of the text, of which window j begins at letter j·step, position by
// position. What a window has at a position is added in the order of its letters in any case, so that the bits do not
// depend on what is scored together.
func (s *scorer) positions(scores []float64, w *work, count, step int) {
	clear(scores)
	for q := range s.length {
		if count >= warmed {
			w.warmth ^= s.warm(q)
		}
		if w.text.runs == nil && s.outputs == 1 {
			s.cleanColumn(scores, w, q, step)
		} else {
			s.column(scores, w, count, q, step)
		}
	}
}

// warmed is the least number of windows that it pays for to read what a position has from its beginning to its end
// first: reading in order, the processor fetches ahead, where look-ups in any order would wait for each piece.
const warmed = 2048

// warm reads the longest words of a position's table, and its trie: a number of each line of the cache.
func (s *scorer) warm(q int) (sum uint64) {
	const line = 64 // bytes
	for i := s.words(q) * s.outputs; i < s.base[q+1]*s.outputs; i += line / 8 {
		sum ^= math.Float64bits(s.values[i])
	}
	if !s.branched {
		return sum
	}
	t := &s.tries[q]
	for i := 0; i < len(t.begun); i += line / 8 {
		sum ^= t.begun[i]
	}
	for i := 0; i < len(t.nodes); i += line / 8 {
		sum ^= t.nodes[i]
	}
	for i := 0; i < len(t.forks); i += line / 12 {
		sum ^= uint64(t.forks[i].first)
	}
	return sum
}

// column looks up position q of all windows.
func (s *scorer) column(scores []float64, w *work, count, q, step int) {
	outputs, depth := s.outputs, s.depthAt(q)
	for j := range count {
		i := j*step + q
		n := min(depth, w.text.run(i, s.length-q))
		if n == 0 {
			continue
		}
		code := s.packing.code(w.text.word(i), n)
		at := s.base[q] + s.root.start[n] + code
		vectors.Add(scores[j*outputs:], s.values[at*outputs:(at+1)*outputs])
		if s.branched && n == s.depth {
			s.addTail(scores[j*outputs:(j+1)*outputs], &w.text, i, q, code)
		}
	}
}

// cleanColumn is column for a single output and a text without letters outside the alphabet.
func (s *scorer) cleanColumn(scores []float64, w *work, q, step int) {
	table, width := s.values[s.words(q):s.base[q+1]], s.packing.bits
	if s.branched && !s.tries[q].isEmpty() {
		s.branchedColumn(scores, table, w, q, step)
		s.cleanTails(scores, w, q, step)
		return
	}
	packed, shift := w.text.packed, 32-width*s.depthAt(q)
	for j := range scores {
		scores[j] += table[wordAt(packed, (j*step+q)*width)>>(shift&31)]
	}
}

// words returns the first entry of the longest words in the table of position q.
func (s *scorer) words(q int) int { return s.base[q] + s.root.start[s.depthAt(q)] }

// branchedColumn is cleanColumn where words go on; it lists the windows whose words do.
func (s *scorer) branchedColumn(scores, table []float64, w *work, q, step int) {
	w.goOn, w.longs = scratch.Resize(w.goOn, len(scores)), scratch.Resize(w.longs, len(scores))
	for j := range w.longs {
		w.longs[j] = longWordAt(w.text.packed, (j*step+q)*s.packing.bits)
	}
	branch := uint(s.packing.branchBits())
	shift := 64 - uint(s.packing.bits*s.depth) - branch
	w.goOn = w.goOn[:lookUp(scores, table, s.tries[q].begun, w.longs, w.goOn, shift, branch)]
}

// lookUp adds what windows have in a table, whose long words have the bits of their words and the first ones after
// these above the lowest shift bits. It lists the windows for which a bit is set in begun, and returns how many they
// are.
//
// It is a separate function so that what the loop needs fits the registers.
//
//go:noinline
func lookUp(scores, table []float64, begun begun, longs []uint64, goOn []uint32, shift, branch uint) (n int) {
	scores, goOn = scores[:len(longs)], goOn[:len(longs)]
	for j, long := range longs {
		bit := long >> (shift & 63)
		scores[j] += table[bit>>(branch&63)]
		goOn[n] = uint32(j)
		n += int(begun[bit>>5] >> (bit & 31) & 1)
	}
	return n
}
