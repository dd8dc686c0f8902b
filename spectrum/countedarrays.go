package spectrum

import (
	"fmt"
	"math"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// arrays returns the scorer as flat arrays: those of one of raw counts.
func (s *countedScorer) arrays() []stringkernel.Array {
	arrays := []stringkernel.Array{stored.Outputs(s.outputs)}
	for i := range s.levels {
		l := &s.levels[i]
		length := strconv.Itoa(l.coder.K)
		arrays = append(arrays,
			stringkernel.Array{Name: codesName + length, Data: l.codes},
			stringkernel.Array{Name: valuesName + length, Data: l.values})
	}
	return arrays
}

// restore rebuilds a scorer from its arrays.
func (k throughCount) restore(a *stored.Arrays) (*countedScorer, error) {
	outputs := a.Outputs()
	levels, err := k.restoreLevels(a, outputs)
	if err != nil {
		return nil, err
	}
	return k.scorer(outputs, levels)
}

// restoreLevels reads and checks k-mers of all lengths, each with a row of that many values.
func (k throughCount) restoreLevels(a *stored.Arrays, columns int) (levels []countedLevel, _ error) {
	for length := Kernel(k).shortest(); length <= k.K; length++ {
		l := countedLevel{coder: newCoder(k.Alphabet, length)}
		name := strconv.Itoa(length)
		l.codes = stored.Get[uint64](a, codesName+name, math.MaxInt32)
		l.values = a.Table(valuesName+name, len(l.codes), columns)
		err := a.Err()
		if err == nil {
			err = l.coder.checkCodes(l.codes)
		}
		if err != nil {
			return nil, fmt.Errorf("spectrum: k-mers of %d letters: %w", length, err)
		}
		levels = append(levels, l)
	}
	if err := a.Close(); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	return levels, nil
}
