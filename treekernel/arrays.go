package treekernel

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the arrays of a scorer.
const (
	labelsName  = "labels"
	endsName    = "ends"
	pairsName   = "fragments"
	placesName  = "places"
	weightsName = "weights"
)

// arrays returns the scorer as flat arrays, which share its memory: "outputs" ([]int32, their number), "labels"
// ([]uint8, the labels end to end) and "ends" ([]uint64, the end offset of each), "fragments" and "places" ([]uint64:
// the pair that makes up each, see docs/model-format.md) and "weights" ([]float64, one number per output for each
// fragment).
func (s *scorer) arrays() []stringkernel.Array {
	v := s.vocabulary
	arrays := append([]stringkernel.Array{stored.Outputs(s.outputs)}, stored.Terms(&v.labels, labelsName, endsName)...)
	return append(arrays,
		stringkernel.Array{Name: pairsName, Data: v.pairs.Keys},
		stringkernel.Array{Name: placesName, Data: v.places.Keys},
		stringkernel.Array{Name: weightsName, Data: s.weights})
}

// restore rebuilds a scorer from its arrays, to the same bits of every score. It returns an error if an array is
// missing, unknown, duplicate or of another type; if a label or pair is a duplicate, or refers to a number out of
// range; or if a weight is not finite or the number of weights is wrong.
func (f *features) restore(a *stored.Arrays) (*scorer, error) {
	v := new(vocabulary)
	outputs := a.Outputs()
	a.Terms(&v.labels, labelsName, endsName, 0, mostNumber) // a label may be empty
	pairs, places := stored.Get[uint64](a, pairsName, mostNumber), stored.Get[uint64](a, placesName, mostNumber)
	if err := v.restorePairs(pairs, places); err != nil {
		return nil, err
	}
	weights := a.Table(weightsName, len(pairs), outputs)
	if err := a.Close(); err != nil {
		return nil, err
	}
	return newScorer(f, v, outputs, weights), nil
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
