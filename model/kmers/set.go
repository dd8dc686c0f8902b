package kmers

import (
	"math/bits"
	"slices"
)

// Set is a set of distinct words of a [Scorer]; with both strands, of a word and its reverse complement only one. It is
// not safe for concurrent use.
type Set struct {
	numbering numbering
	dense     []uint64 // a bit per word, if there are few
	list      []uint64 // else numbers; those before sorted ascend and are distinct
	sorted    int
}

// mostDense is the greatest number of words that have a bit each: 128 MB of them.
const mostDense = 1 << 30

// NewSet returns an empty set of words that s scores.
func (s *Scorer) NewSet() *Set {
	w := &Set{numbering: newNumbering(s)}
	if total, fits := w.numbering.count(); fits && total <= mostDense {
		w.dense = make([]uint64, (total+63)/64)
	}
	return w
}

// Add adds the words of x, in time linear in its length but for sorting.
func (w *Set) Add(x []byte) {
	w.numbering.each(x, func(number uint64) {
		number = w.numbering.canonical(number)
		if w.dense != nil {
			w.dense[number/64] |= 1 << (number % 64)
			return
		}
		w.list = append(w.list, number)
		if len(w.list) >= 2*w.sorted+1<<20 {
			w.compact()
		}
	})
}

// compact sorts the list and drops what is there twice.
func (w *Set) compact() {
	slices.Sort(w.list)
	w.list = slices.Compact(w.list)
	w.sorted = len(w.list)
}

// Len returns the number of words.
func (w *Set) Len() int {
	if w.dense == nil {
		w.compact()
		return len(w.list)
	}
	n := 0
	for _, block := range w.dense {
		n += bits.OnesCount64(block)
	}
	return n
}

// blocks returns the words in order, in lists of at most size, by calling visit with every list until it returns false.
func (w *Set) blocks(size int, visit func(numbers []uint64) bool) {
	if w.dense == nil {
		w.compact()
		for numbers := range slices.Chunk(w.list, size) {
			if !visit(numbers) {
				return
			}
		}
		return
	}
	var numbers []uint64
	for i, block := range w.dense {
		for ; block != 0; block &= block - 1 {
			numbers = append(numbers, uint64(64*i+bits.TrailingZeros64(block)))
			if len(numbers) == size {
				if !visit(numbers) {
					return
				}
				numbers = nil // visit keeps the list
			}
		}
	}
	if len(numbers) > 0 {
		visit(numbers)
	}
}
