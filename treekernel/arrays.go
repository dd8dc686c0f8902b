package treekernel

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the arrays of a scorer.
const (
	outputsName = "outputs"
	labelsName  = "labels"
	endsName    = "ends"
	pairsName   = "fragments"
	placesName  = "places"
	weightsName = "weights"
)

// arrays returns the scorer as flat arrays: "outputs" ([]int32, their number), "labels" ([]uint8, the labels end to
// end) and "ends" ([]uint64, the end offset of each), "fragments" and "places" ([]uint64: the pair that makes up each,
// see docs/model-format.md) and "weights" ([]float64, one number per output for each fragment).
func (s *scorer) arrays() []stringkernel.Array {
	v := s.vocabulary
	ends := make([]uint64, v.labels.Len())
	for i, end := range v.labels.Ends {
		ends[i] = uint64(end)
	}
	return []stringkernel.Array{
		{Name: outputsName, Data: []int32{int32(s.outputs)}},
		{Name: labelsName, Data: append([]uint8{}, v.labels.Text...)},
		{Name: endsName, Data: ends},
		{Name: pairsName, Data: append([]uint64{}, v.pairs.Keys...)},
		{Name: placesName, Data: append([]uint64{}, v.places.Keys...)},
		{Name: weightsName, Data: append([]float64{}, s.weights...)},
	}
}

// restore rebuilds a scorer from its arrays, to the same bits of every score. It returns an error if an array is
// missing, unknown, duplicate or of another type; if a label or pair is a duplicate, or refers to a number out of
// range; or if a weight is not finite or the number of weights is wrong.
func (f *features) restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	s, err := f.restored(arrays)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return s, nil
}

func (f *features) restored(arrays []stringkernel.Array) (*scorer, error) {
	named, err := stringkernel.ArraysByName(arrays)
	if err != nil {
		return nil, err
	}
	if len(named) != 6 {
		return nil, fmt.Errorf("%d arrays, want 6", len(named))
	}
	outputs, ok := named[outputsName].([]int32)
	if !ok || len(outputs) != 1 || outputs[0] < 1 || outputs[0] > stringkernel.MaxOutputs {
		return nil, fmt.Errorf("array %q: want one int32 from 1 to %d", outputsName, stringkernel.MaxOutputs)
	}
	v := new(vocabulary)
	if err := v.restoreLabels(named); err != nil {
		return nil, err
	}
	if err := v.restorePairs(named); err != nil {
		return nil, err
	}
	weights, ok := named[weightsName].([]float64)
	if !ok || len(weights)%int(outputs[0]) != 0 || len(weights)/int(outputs[0]) != len(v.pairs.Keys) {
		return nil, fmt.Errorf("array %q: want %d rows of %d numbers", weightsName, len(v.pairs.Keys), outputs[0])
	}
	for i, w := range weights {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("array %q: number %d is %v, want a finite one", weightsName, i, w)
		}
	}
	return newScorer(f, v, int(outputs[0]), weights), nil
}

func (v *vocabulary) restoreLabels(named map[string]any) error {
	text, ok := named[labelsName].([]uint8)
	if !ok {
		return fmt.Errorf("array %q is missing or not uint8", labelsName)
	}
	ends, ok := named[endsName].([]uint64)
	if !ok || len(ends) > mostNumber {
		return fmt.Errorf("array %q is missing, not uint64 or longer than %d", endsName, mostNumber)
	}
	if err := v.labels.Restore(text, ends, 0); err != nil { // a label may be empty
		return fmt.Errorf("labels: %w", err)
	}
	return nil
}

func (v *vocabulary) restorePairs(named map[string]any) error {
	pairs, ok := named[pairsName].([]uint64)
	if !ok || len(pairs) > mostNumber {
		return fmt.Errorf("array %q is missing, not uint64 or longer than %d", pairsName, mostNumber)
	}
	places, ok := named[placesName].([]uint64)
	if !ok || len(places) > mostNumber {
		return fmt.Errorf("array %q is missing, not uint64 or longer than %d", placesName, mostNumber)
	}
	for i, key := range places {
		if key&intern.Mask >= uint64(len(pairs)) {
			return fmt.Errorf("place %d is of fragment %d, want one of %d", i, key&intern.Mask, len(pairs))
		}
		if int(v.places.Add(key)) != i {
			return fmt.Errorf("place %d occurs twice", i)
		}
	}
	for i, key := range pairs {
		first, second := key>>32, uint32(key)
		if known := first < uint64(i) || first == start && second&labelMark != 0; !known || !v.holds(second, i) {
			return fmt.Errorf("fragment %d is made of %d and %#x, want what stands before it", i, first, key&intern.Mask)
		}
		if int(v.pairs.Add(key)) != i {
			return fmt.Errorf("fragment %d occurs twice", i)
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
