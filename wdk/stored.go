package wdk

import (
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Names of the arrays of a scorer.
const (
	layoutName = "layout"
	valuesName = "values"
)

// Arrays returns a scorer as flat arrays if it consists of the tables of positions only, as for d ≤ 6 on dna: "layout"
// ([]int32: the number of outputs and the length of windows) and "values" ([]float64: the tables, position after
// position, in each the k-mers of 1, 2, … letters in order, and for each k-mer a number per output). Scorers with
// longer k-mers, of bytes, and with weights of letters have no arrays: their support vectors take a byte per letter,
// their tables and tries 20 or more.
func (k Kernel) Arrays(from stringkernel.Scorer) []stringkernel.Array {
	s, ok := from.(*scorer)
	if !ok || s.branched || s.length == 0 || s.kernel.Alphabet == stringkernel.Bytes || s.kernel.Alphabet == "" {
		return nil
	}
	s.prepare()
	return []stringkernel.Array{
		{Name: layoutName, Data: []int32{int32(s.outputs), int32(s.length)}},
		{Name: valuesName, Data: s.values},
	}
}

// Restore rebuilds a scorer from the arrays of [Kernel.Arrays] of a kernel with the same parameters, to the same bits
// of every score. It returns an error if an array is missing, unknown, duplicate or of another type or size than the
// kernel's tables, or if a value is not finite. The scorer keeps the values, which must not be modified afterwards.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return stored.Restore(k, "wd", arrays, k.restore)
}

func (k Kernel) restore(a *stored.Arrays) (*scorer, error) {
	if k.resembling() {
		return nil, errors.New("a scorer of weights of letters has no stored form")
	}
	if k.Alphabet == stringkernel.Bytes || k.Alphabet == "" {
		return nil, errors.New("a scorer of bytes has no stored form")
	}
	layout := stored.Get[int32](a, layoutName, 2)
	values := stored.Get[float64](a, valuesName, math.MaxInt)
	if err := a.Close(); err != nil {
		return nil, err
	}
	if len(layout) != 2 {
		return nil, fmt.Errorf("array %q: want two int32", layoutName)
	}
	outputs, length := int(layout[0]), int(layout[1])
	p := newPacking(k.Alphabet, nil)
	depth := min(k.D, length)
	switch {
	case outputs < 1 || outputs > stringkernel.MaxOutputs:
		return nil, fmt.Errorf("%d outputs, want 1…%d", outputs, stringkernel.MaxOutputs)
	case length < 1 || length > len(values)/outputs>>p.bits:
		return nil, fmt.Errorf(
			"windows of %d letters, want 1 or more, and a word of each letter at each position among %d values",
			length, len(values))
	case depth >= p.letters():
		return nil, fmt.Errorf("tables of k-mers of %d letters, want at most %d", depth, p.letters()-1)
	case k.Weights != nil && len(k.Weights) != length:
		return nil, fmt.Errorf("windows of %d letters, but the kernel has %d weights", length, len(k.Weights))
	}
	s := newScorer(k, p, length, outputs, depth)
	if a.Table(valuesName, s.base[length], outputs); a.Err() != nil {
		return nil, a.Err()
	}
	s.values = values
	return s, nil
}
