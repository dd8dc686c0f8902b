package kmers

import "slices"

// Set is a set of distinct k-mers of a [Scorer]; with both strands, of a k-mer and its reverse complement only one. It
// is not safe for concurrent use.
type Set struct {
	numbering numbering
	list      []uint64 // those before sorted ascend and are distinct
	sorted    int
}

// NewSet returns an empty set of k-mers that s scores.
func (s *Scorer) NewSet() *Set { return &Set{numbering: newNumbering(s)} }

// Add adds the k-mers of x, in time linear in its length but for sorting.
func (w *Set) Add(x []byte) {
	w.numbering.each(x, func(number uint64) {
		w.list = append(w.list, w.numbering.canonical(number))
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
	w.compact()
	return len(w.list)
}

// numbers returns the k-mers in order.
func (w *Set) numbers() []uint64 {
	w.compact()
	return w.list
}
