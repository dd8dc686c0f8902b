package oligo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The arrays of an scorer.
const (
	oligoKmers     = "words"
	oligoCells     = "cells"
	oligoPositions = "positions"
	oligoCoef      = "coefficients"
)

// Arrays returns a scorer as flat arrays: "outputs" ([]int32, the number of outputs), "k-mers" ([]uint64, the packed
// code of every k-mer, ascending), "cells" ([]int32, how many positions each k-mer has), "positions" ([]int32, those,
// ascending for each k-mer) and "coefficients" ([]float64, one per output for each position). A scorer with weights of
// letters has none.
func (k Kernel) Arrays(from stringkernel.Scorer) []stringkernel.Array {
	s, ok := from.(*scorer)
	if !ok {
		return nil
	}
	t := &s.cells
	// the order of first occurrence would reveal the first support vector
	codes := slices.Sorted(slices.Values(t.kmers.codes))
	counts, positions, coef := make([]int32, len(codes)), make([]int32, 0, len(t.at)), make([]float64, 0, len(s.coef))
	for i, code := range codes {
		w, _ := t.kmers.find(code) // it is there
		first, end := t.starts[w], t.starts[w+1]
		counts[i] = int32(end - first)
		for _, at := range t.at[first:end] {
			positions = append(positions, int32(at))
		}
		coef = append(coef, s.coef[int(first)*s.outputs:int(end)*s.outputs]...)
	}
	return []stringkernel.Array{
		stored.Outputs(s.outputs),
		{Name: oligoKmers, Data: codes},
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
	return stored.Restore(k, "oligo", arrays, k.restore)
}

func (k Kernel) restore(a *stored.Arrays) (*scorer, error) {
	if k.resembling() {
		return nil, errors.New("a scorer with weights of letters has no stored form")
	}
	outputs := a.Outputs()
	codes, counts := stored.Get[uint64](a, oligoKmers, math.MaxInt), stored.Get[int32](a, oligoCells, math.MaxInt)
	positions := stored.Get[int32](a, oligoPositions, math.MaxInt32)
	coef := a.Table(oligoCoef, len(positions), outputs)
	if err := a.Close(); err != nil {
		return nil, err
	}
	if len(counts) != len(codes) {
		return nil, fmt.Errorf("%d numbers of cells for %d k-mers", len(counts), len(codes))
	}
	s := &scorer{kernel: k, outputs: outputs, coef: coef, bells: k.bells(k.reach() + 1)}
	var err error
	if s.cells, err = k.restoreCells(codes, counts, positions); err != nil {
		return nil, err
	}
	return s, s.tabulate(context.Background())
}

// restoreCells rebuilds the cells from the arrays.
func (k Kernel) restoreCells(codes []uint64, counts, positions []int32) (cells, error) {
	t := cells{kmers: newNumbers(k), starts: []uint32{0}}
	coder := k.coder()
	for w, code := range codes {
		if !coder.Valid(code) {
			return t, fmt.Errorf("code %d (%#x) is not a k-mer of the alphabet", w, code)
		}
		if w > 0 && code <= codes[w-1] {
			return t, fmt.Errorf("k-mer %d does not ascend", w)
		}
		t.kmers.add(code)
		if counts[w] < 1 || int(counts[w]) > len(positions)-len(t.at) {
			return t, fmt.Errorf("k-mer %d has %d of the %d positions left", w, counts[w], len(positions)-len(t.at))
		}
		last := int32(-1)
		for _, p := range positions[len(t.at) : len(t.at)+int(counts[w])] {
			if p <= last {
				return t, fmt.Errorf("position %d after %d of k-mer %d, want them to ascend from 0", p, last, w)
			}
			t.at, t.kmer = append(t.at, uint32(p)), append(t.kmer, uint32(w))
			last = p
		}
		t.length = max(t.length, int(last)+1)
		t.starts = append(t.starts, uint32(len(t.at)))
	}
	if len(t.at) != len(positions) {
		return t, fmt.Errorf("%d positions without a k-mer", len(positions)-len(t.at))
	}
	return t, nil
}
