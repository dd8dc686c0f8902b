package oligo

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// The arrays of an OligoScorer.
const (
	oligoOutputs   = "outputs"
	oligoWords     = "words"
	oligoCells     = "cells"
	oligoPositions = "positions"
	oligoCoef      = "coefficients"
)

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, the number of outputs), "words" ([]uint64, the packed
// code of every k-mer, ascending), "cells" ([]int32, how many positions each k-mer has), "positions" ([]int32, those,
// ascending for each k-mer) and "coefficients" ([]float64, one per output for each position).
func (k Kernel) Arrays(scorer stringkernel.Scorer) []stringkernel.Array {
	s := scorer.(*OligoScorer)
	t := &s.cells
	// the order of first occurrence would reveal the first support vector
	codes := slices.Sorted(slices.Values(t.words.codes))
	counts, positions, coef := make([]int32, len(codes)), make([]int32, 0, len(t.at)), make([]float64, 0, len(s.coef))
	for i, code := range codes {
		w, _ := t.words.find(code) // it is there
		first, end := t.starts[w], t.starts[w+1]
		counts[i] = int32(end - first)
		for _, at := range t.at[first:end] {
			positions = append(positions, int32(at))
		}
		coef = append(coef, s.coef[int(first)*s.outputs:int(end)*s.outputs]...)
	}
	return []stringkernel.Array{
		{Name: oligoOutputs, Data: []int32{int32(s.outputs)}},
		{Name: oligoWords, Data: codes},
		{Name: oligoCells, Data: counts},
		{Name: oligoPositions, Data: positions},
		{Name: oligoCoef, Data: coef},
	}
}

// Restore rebuilds a scorer from the arrays of [Kernel.Arrays] of a kernel with the same parameters, to the same bits
// of every score. It returns an error if an array is missing, unknown, duplicate or of another type, if their lengths
// are inconsistent, if codes do not ascend or are not k-mers of the alphabet, if positions do not ascend from 0, or if
// a coefficient is not finite. The scorer keeps the coefficients, which must not be modified afterwards.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	s, err := k.restore(arrays)
	if err != nil {
		return nil, fmt.Errorf("oligo: %w", err)
	}
	if err := s.tabulate(); err != nil {
		return nil, err
	}
	return s, nil
}

func (k Kernel) restore(arrays []stringkernel.Array) (*OligoScorer, error) {
	named, err := stringkernel.ArraysByName(arrays)
	if err != nil {
		return nil, err
	}
	outputs, ok1 := named[oligoOutputs].([]int32)
	codes, ok2 := named[oligoWords].([]uint64)
	counts, ok3 := named[oligoCells].([]int32)
	positions, ok4 := named[oligoPositions].([]int32)
	coef, ok5 := named[oligoCoef].([]float64)
	switch {
	case !(ok1 && ok2 && ok3 && ok4 && ok5) || len(named) != 5:
		return nil, errors.New(
			"arrays missing, unknown or of another type, want outputs, words, cells, positions and coefficients")
	case len(outputs) != 1 || outputs[0] < 1 || outputs[0] > stringkernel.MaxOutputs:
		return nil, fmt.Errorf("want one number of outputs, 1…%d", stringkernel.MaxOutputs)
	case len(counts) != len(codes):
		return nil, fmt.Errorf("%d numbers of cells for %d words", len(counts), len(codes))
	case len(coef)%int(outputs[0]) != 0 || len(coef)/int(outputs[0]) != len(positions):
		return nil, fmt.Errorf("%d coefficients for %d positions and %d outputs", len(coef), len(positions), outputs[0])
	case int64(len(positions)) >= 1<<31:
		return nil, fmt.Errorf("%d positions, want fewer than 2³¹", len(positions))
	}
	for i, c := range coef {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return nil, fmt.Errorf("coefficient %d is %v, want a finite number", i, c)
		}
	}
	s := &OligoScorer{kernel: k, outputs: int(outputs[0]), coef: coef, bells: k.bells(k.reach() + 1)}
	s.cells, err = k.restoreCells(codes, counts, positions)
	return s, err
}

// restoreCells rebuilds the cells from the arrays.
func (k Kernel) restoreCells(codes []uint64, counts, positions []int32) (cells, error) {
	t := cells{words: newWordNumbers(k), starts: []uint32{0}}
	for w, code := range codes {
		if !k.isWord(code) {
			return t, fmt.Errorf("word %d (%#x) is none of the alphabet", w, code)
		}
		if w > 0 && code <= codes[w-1] {
			return t, fmt.Errorf("word %d does not ascend", w)
		}
		t.words.add(code)
		if counts[w] < 1 || int(counts[w]) > len(positions)-len(t.at) {
			return t, fmt.Errorf("word %d has %d of the %d positions left", w, counts[w], len(positions)-len(t.at))
		}
		last := int32(-1)
		for _, p := range positions[len(t.at) : len(t.at)+int(counts[w])] {
			if p <= last {
				return t, fmt.Errorf("position %d behind %d of word %d, want them to ascend from 0", p, last, w)
			}
			t.at, t.word = append(t.at, uint32(p)), append(t.word, uint32(w))
			last = p
		}
		t.length = max(t.length, int(last)+1)
		t.starts = append(t.starts, uint32(len(t.at)))
	}
	if len(t.at) != len(positions) {
		return t, fmt.Errorf("%d positions of no word", len(positions)-len(t.at))
	}
	return t, nil
}

// isWord reports whether a code is that of K letters of the alphabet.
func (k Kernel) isWord(code uint64) bool {
	width, letters := uint(k.Alphabet.Bits()), uint64(k.Alphabet.Size())
	for range k.K {
		if code&(1<<width-1) >= letters {
			return false
		}
		code >>= width
	}
	return code == 0
}
