package kmers

import (
	"iter"
	"math/bits"
	"slices"
)

// Set is a set of distinct k-mers of a [Scorer]; with both strands, of a k-mer and its reverse complement only one. It
// is not safe for concurrent use.
type Set struct {
	numbering numbering
	dense     []uint64 // a bit per k-mer, if there are few
	list      []uint64 // else numbers; those before sorted ascend and are distinct
	sorted    int
}

// mostDense is the greatest number of k-mers that have a bit each: 128 MB of them.
const mostDense = 1 << 30

// NewSet returns an empty set of k-mers that s scores.
func (s *Scorer) NewSet() *Set {
	w := &Set{numbering: newNumbering(s)}
	if total, fits := w.numbering.count(); fits && total <= mostDense {
		w.dense = make([]uint64, (total+63)/64)
	}
	return w
}

// Add adds the k-mers of x, in time linear in its length but for sorting.
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

// compact sorts the list and drops duplicates.
func (w *Set) compact() {
	slices.Sort(w.list)
	w.list = slices.Compact(w.list)
	w.sorted = len(w.list)
}

// Len returns the number of k-mers.
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

// blocks yields the k-mers in order, in lists of at most size.
func (w *Set) blocks(size int) iter.Seq[[]uint64] {
	if w.dense == nil {
		w.compact()
		return slices.Chunk(w.list, size)
	}
	return func(yield func([]uint64) bool) {
		var numbers []uint64
		for i, block := range w.dense {
			for ; block != 0; block &= block - 1 {
				numbers = append(numbers, uint64(64*i+bits.TrailingZeros64(block)))
				if len(numbers) == size {
					if !yield(numbers) {
						return
					}
					numbers = nil // yield keeps the list
				}
			}
		}
		if len(numbers) > 0 {
			yield(numbers)
		}
	}
}
