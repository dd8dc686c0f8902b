package treekernel

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the arrays of fragments.
const (
	labelsName = "labels"
	endsName   = "ends"
	pairsName  = "fragments"
	placesName = "places"
)

// Arrays returns the fragments as flat arrays, which share their memory: "labels" ([]uint8, the labels end to end) and
// "ends" ([]uint64, the end offset of each), "fragments" and "places" ([]uint64: the pair that makes up each, see
// docs/model-format.md).
func (v *vocabulary) Arrays() []stringkernel.Array {
	return append(stored.Terms(&v.labels, labelsName, endsName),
		stringkernel.Array{Name: pairsName, Data: v.pairs.Keys}, stringkernel.Array{Name: placesName, Data: v.places.Keys})
}

// restore reads fragments from their arrays. It returns an error if an array is missing or of another type, or if a
// label or pair is a duplicate, or refers to a number out of range.
func (f *features) restore(a *stored.Arrays) (*vocabulary, error) {
	v := f.vocabulary()
	a.Terms(&v.labels, labelsName, endsName, 0, mostNumber) // a label may be empty
	pairs, places := stored.Get[uint64](a, pairsName, mostNumber), stored.Get[uint64](a, placesName, mostNumber)
	return v, v.restorePairs(pairs, places)
}

func (v *vocabulary) restorePairs(pairs, places []uint64) error {
	for i, key := range places {
		if key&intern.Mask >= uint64(len(pairs)) {
			return fmt.Errorf("place %d is of fragment %d, want one of %d", i, key&intern.Mask, len(pairs))
		}
		if int(v.places.Add(key)) != i {
			return fmt.Errorf("duplicate place %d", i)
		}
	}
	for i, key := range pairs {
		first, second := key>>32, uint32(key)
		if known := first < uint64(i) || first == start && second&labelMark != 0; !known || !v.holds(second, i) {
			return fmt.Errorf("fragment %d is made of %d and %#x, want earlier numbers", i, first, key&intern.Mask)
		}
		if int(v.pairs.Add(key)) != i {
			return fmt.Errorf("duplicate fragment %d", i)
		}
	}
	return nil
}

// holds reports whether the second number of a pair is that of a label, of a place of a fragment before number i, or of
// such a fragment.
func (v *vocabulary) holds(second uint32, i int) bool {
	switch {
	case second&labelMark != 0:
		return int(second&^labelMark) < v.labels.Len()
	case second&placeMark != 0:
		return int(second&^placeMark) < len(v.places.Keys) && int(v.placed(second)) < i
	default:
		return int(second) < i
	}
}
