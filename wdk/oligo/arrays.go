package oligo

import (
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The arrays of an OligoScorer.
const (
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
		stored.Outputs(s.outputs),
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
	a := stored.Read(arrays)
	outputs := a.Outputs()
	codes, counts := stored.Get[uint64](a, oligoWords, math.MaxInt), stored.Get[int32](a, oligoCells, math.MaxInt)
	positions := stored.Get[int32](a, oligoPositions, math.MaxInt32)
	coef := a.Table(oligoCoef, len(positions), outputs)
	if err := a.Close(); err != nil {
		return nil, err
	}
	if len(counts) != len(codes) {
		return nil, fmt.Errorf("%d numbers of cells for %d words", len(counts), len(codes))
	}
	s := &OligoScorer{kernel: k, outputs: outputs, coef: coef, bells: k.bells(k.reach() + 1)}
	var err error
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
