package spectrum

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the arrays of a scorer. For each length l that the kernel counts there is a pair codesName + l and
// valuesName + l.
const (
	outputsName = "outputs"
	codesName   = "codes."
	valuesName  = "values."
)

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, the number of outputs) and for each length l, ascending,
// K alone or with Bounded 1…K, "codes.l" ([]uint64: the words with a weight, packed, ascending) and "values.l"
// ([]float64: a row of weights per word). Words of weight zero for every output are left out. The arrays are the
// scorer's own and must not be modified.
func (k Kernel) Arrays(scorer stringkernel.Scorer) (arrays []stringkernel.Array) {
	s := scorer.(*Scorer)
	arrays = append(arrays, stringkernel.Array{Name: outputsName, Data: []int32{int32(s.outputs)}})
	for _, l := range s.weights {
		length := strconv.Itoa(l.length)
		arrays = append(arrays,
			stringkernel.Array{Name: codesName + length, Data: l.codes},
			stringkernel.Array{Name: valuesName + length, Data: l.values})
	}
	return arrays
}

// Restore rebuilds a scorer from the arrays of [Kernel.Arrays] of a kernel with the same parameters, to the same bits
// of every score. It returns an error if an array is missing, unknown, there twice or of another type; if codes do not
// ascend or are not words of the alphabet; if there is not one row of values for each code; if a value is not finite;
// or if weights of long words alone would take far more memory than the arrays. The scorer keeps the arrays, which must
// not be modified afterwards.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	named, err := stringkernel.ArraysByName(arrays)
	if err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	outputs, err := restoreOutputs(named)
	if err != nil {
		return nil, fmt.Errorf("spectrum: array %q: %w", outputsName, err)
	}
	shortest := k.K
	if k.Bounded {
		shortest = 1
	}
	var weights []level
	for length := shortest; length <= k.K; length++ {
		l, err := restoreLevel(named, newCoder(k.Alphabet, length), k.Alphabet.Size(), outputs)
		if err != nil {
			return nil, fmt.Errorf("spectrum: words of %d letters: %w", length, err)
		}
		weights = append(weights, l)
	}
	if want := 1 + 2*len(weights); len(named) != want {
		return nil, fmt.Errorf("spectrum: %d arrays, want %d", len(named), want)
	}
	s, err := newScorer(k, outputs, weights, scorerDepth(k, outputs, weights))
	if err != nil {
		return nil, err
	}
	return s, nil
}

func restoreOutputs(named map[string]any) (int, error) {
	data, ok := named[outputsName].([]int32)
	if !ok || len(data) != 1 {
		return 0, errors.New("want one int32")
	}
	if data[0] < 1 || data[0] > maxOutputs {
		return 0, fmt.Errorf("%d outputs, want 1…%d", data[0], maxOutputs)
	}
	return int(data[0]), nil
}

// restoreLevel reads and checks the arrays of words of c.k letters.
func restoreLevel(named map[string]any, c coder, letters, outputs int) (level, error) {
	name := strconv.Itoa(c.k)
	codes, ok := named[codesName+name].([]uint64)
	if !ok {
		return level{}, fmt.Errorf("array %q is missing or not uint64", codesName+name)
	}
	values, ok := named[valuesName+name].([]float64)
	if !ok {
		return level{}, fmt.Errorf("array %q is missing or not float64", valuesName+name)
	}
	if int64(len(codes)) >= 1<<32 {
		return level{}, fmt.Errorf("%d codes, want fewer than 2³²", len(codes))
	}
	if len(values)%outputs != 0 || len(values)/outputs != len(codes) {
		return level{}, fmt.Errorf("%d values for %d codes and %d outputs", len(values), len(codes), outputs)
	}
	for i, code := range codes {
		if i > 0 && code <= codes[i-1] {
			return level{}, fmt.Errorf("code %d does not ascend", i)
		}
		if !c.valid(code, letters) {
			return level{}, fmt.Errorf("code %d (%#x) is no word of the alphabet", i, code)
		}
	}
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return level{}, fmt.Errorf("value %d is %v, want a finite number", i, v)
		}
	}
	return level{length: c.k, codes: codes, values: values}, nil
}

// valid reports whether a code is a word of c.k letters of an alphabet of that many.
func (c *coder) valid(code uint64, letters int) bool {
	if code&^c.mask != 0 {
		return false
	}
	for range c.k {
		if int(code&lowBits(c.bits)) >= letters {
			return false
		}
		code >>= c.bits
	}
	return true
}
