package wdk

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
)

const (
	maxOutputs  = 1 << 20
	maxEntries  = 1 << 26 // of the tables of all positions, times outputs: 512 MB
	mostEntries = 1 << 29 // refused beyond, even if words of one letter are all that tables hold
	anyEntries  = 1 << 20 // so many are never too many
	shortList   = 16      // a list of words is no longer unless a table has as many
)

// Merge folds the support vectors into a table per position and the tails of longer words: O(N (2S + 1)) time for N letters, and O(d) more for each letter of words
// that many support vectors share. It returns an error that names the first support vector of another length.
func (k Kernel) Merge(sv *stringkernel.Corpus, coef ...[]float64) (stringkernel.Scorer, error) {
	length, err := k.windows(sv)
	if err != nil {
		return nil, err
	}
	if err := stringkernel.CheckCoef(sv, coef); err != nil {
		return nil, fmt.Errorf("wd: %w", err)
	}
	if len(coef) > maxOutputs {
		return nil, fmt.Errorf("wd: %d outputs, want at most %d", len(coef), maxOutputs)
	}
	if sv.Letters() > math.MaxInt32 {
		return nil, fmt.Errorf("wd: %d letters of support vectors, want fewer than 2³¹", sv.Letters())
	}
	s := newScorer(k, newLetters(k.Alphabet, sv), length, len(coef), 0)
	s = newScorer(k, s.letters, length, len(coef), s.chooseDepth(sv.Len()*(2*min(k.Shift, length)+1)))
	if entries := s.base[length] * len(coef); entries > mostEntries {
		return nil, fmt.Errorf("wd: %d windows of %d letters and %d outputs need tables of %d entries, want at most %d", sv.Len(), length, len(coef), entries, mostEntries)
	}
	s.fold(sv, coef)
	return s, nil
}

// newScorer lays out tables of words of up to deepest letters.
func newScorer(k Kernel, l letters, length, outputs, deepest int) *Scorer {
	s := &Scorer{
		kernel: k, letters: l, length: length, outputs: outputs, deepest: deepest, steps: newLadder(l.count, deepest),
		base: make([]int, length+1), upTo: make([]float64, k.D+1),
	}
	for m := range s.upTo {
		s.upTo[m] = float64(k.upTo(m))
	}
	for q := range length {
		s.base[q+1] = s.base[q] + s.steps.size(s.depth(q))
	}
	return s
}

// chooseDepth returns the length of the longest words to stand in tables: d if that is little memory, else so long that there are about as many as a position
// has words of support vectors.
func (s *Scorer) chooseDepth(words int) int {
	depth, entries, power := 0, 0, 1
	for depth < s.kernel.D && depth < max(1, s.length) {
		power *= s.letters.count
		entries += power * max(1, s.length) * s.outputs
		if depth > 0 && (entries > maxEntries || entries > anyEntries && power > words) {
			break
		}
		depth++
		if power > maxEntries {
			break
		}
	}
	return depth
}

// fold fills the tables from right to left.
func (s *Scorer) fold(sv *stringkernel.Corpus, coef [][]float64) {
	s.values = make([]float64, s.base[s.length]*s.outputs)
	t := &s.tails
	t.steps, t.starts = newLadder(s.letters.count, tailLetters(s.letters.count)), []int32{0}
	if s.length > s.deepest && s.kernel.D > s.deepest {
		s.roots = make([]branch, (s.length-s.deepest)*s.steps.power[s.deepest])
		for i := range sv.Len() {
			t.text = s.letters.text(t.text, s.kernel.Alphabet, sv.Seq(i), outsideThere)
		}
		t.text = append(t.text, make([]byte, 8)...)
	}
	most := min(s.kernel.Shift, max(0, s.length-1))
	var offsets []int
	for offset := -most; offset <= most; offset++ {
		offsets = append(offsets, offset)
	}
	sweep(s.kernel, sv, s.length, offsets,
		func(q int, w sorted) *folding {
			f := &folding{scorer: s, sv: sv, position: q}
			f.list(w, offsets, coef)
			f.table()
			f.branches()
			return f
		},
		func(q int, f *folding) { s.append(q, f) })
}

// tailLetters is the number of letters of a table of a tail.
func tailLetters(letters int) int {
	n := 1
	for power := letters * letters; power <= shortList; power *= letters {
		if n++; n == 16 {
			break // one letter has power 1 for ever
		}
	}
	return n
}

// append takes over the tails of a position, whose numbers begin at 0.
func (s *Scorer) append(q int, f *folding) {
	t := &s.tails
	tables := int32(len(t.next) / t.steps.power[t.deepest()])
	lists, members := int32(len(t.starts)-1), t.starts[len(t.starts)-1]
	move := func(branches []branch) {
		for i, b := range branches {
			switch {
			case b.letters == 0:
			case b.to >= 0:
				branches[i].to += tables
			default:
				branches[i].to -= lists
			}
		}
	}
	if s.roots != nil && q < s.length-s.deepest {
		words := s.steps.power[s.deepest]
		move(s.roots[q*words : (q+1)*words])
	}
	move(f.tails.next)
	t.values = append(t.values, f.tails.values...)
	t.next = append(t.next, f.tails.next...)
	for _, end := range f.tails.starts {
		t.starts = append(t.starts, members+end)
	}
	t.words = append(t.words, f.tails.words...)
	t.coef = append(t.coef, f.tails.coef...)
}
