package compose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// pivotScorer is a scorer of the projected kernel, whose support vectors are the pivots.
type pivotScorer struct {
	stringkernel.Scorer
	pivots *stringkernel.Corpus
	coef   [][]float64 // of the pivots, for each output
}

func newPivotScorer(
	ctx context.Context, inner stringkernel.Kernel, pivots *stringkernel.Corpus, coef [][]float64,
) (stringkernel.Scorer, error) {
	s, err := stringkernel.Merge(ctx, inner, pivots, coef...)
	if err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	return &pivotScorer{s, pivots, coef}, nil
}

// Inside returns the scorer, whose options it has.
func (s *pivotScorer) Inside() any { return s.Scorer }

// Traits are those of the scorer, but for the norms, which are not those of the projection.
func (s *pivotScorer) Traits() stringkernel.Traits {
	t := stringkernel.TraitsOf(s.Scorer)
	t.SelfScoreTo = nil
	return t
}

// The arrays of a stored scorer, besides the number of outputs.
const (
	arrayPivots       = "pivots"     // letters, end to end
	arrayEnds         = "pivot_ends" // of each pivot
	arrayCoefficients = "pivot_coef" // pivots × outputs
)

// restorer returns that of a scorer, nil if it would have a linear term and the kernel has none.
func (k LowRank) restorer(linear bool) stringkernel.Restorer {
	if !linear {
		return pivotRestorer{k.Kernel}
	}
	if term := linearTermOf(k.Kernel); term != nil {
		return term.mean(&projection{kernel: term.rest}).Restorer()
	}
	return nil
}

// Arrays returns pivots and coefficients, or those of a linear term besides.
func (k LowRank) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	_, linear := s.(*linearScorer)
	return k.restorer(linear).Arrays(s)
}

// Restore restores what the arrays are of: those of a linear term and pivots have the names of the terms of a [Mean].
func (k LowRank) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	ofTerms := func(a stringkernel.Array) bool { return strings.Contains(a.Name, "/") }
	r := k.restorer(slices.ContainsFunc(arrays, ofTerms))
	if r == nil {
		return nil, errors.New("rank: arrays of a linear term, which the kernel does not have")
	}
	return r.Restore(arrays)
}

// pivotRestorer stores pivots and coefficients, and merges them again with the projected kernel.
type pivotRestorer struct{ kernel stringkernel.Kernel }

func (k pivotRestorer) Arrays(scorer stringkernel.Scorer) []stringkernel.Array {
	s := scorer.(*pivotScorer)
	list, end := make([]uint64, s.pivots.Len()), 0
	table := make([]float64, 0, len(list)*len(s.coef))
	for i := range list {
		end += len(s.pivots.Seq(i))
		list[i] = uint64(end)
		for _, values := range s.coef {
			table = append(table, values[i])
		}
	}
	return []stringkernel.Array{
		stored.Outputs(len(s.coef)),
		{Name: arrayPivots, Data: append([]uint8{}, s.pivots.Whole()...)},
		{Name: arrayEnds, Data: list},
		{Name: arrayCoefficients, Data: table},
	}
}

// Restore merges the stored pivots, in the time of the wrapped kernel's Merge.
func (k pivotRestorer) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return stored.Restore(k.kernel, "rank", arrays, func(a *stored.Arrays) (stringkernel.Scorer, error) {
		outputs := a.Outputs()
		letters := stored.Get[uint8](a, arrayPivots, math.MaxInt)
		list := stored.Get[uint64](a, arrayEnds, MaxRank)
		table := a.Table(arrayCoefficients, len(list), outputs)
		if err := a.Close(); err != nil {
			return nil, err
		}
		pivots, err := k.storedPivots(letters, list)
		if err != nil {
			return nil, err
		}
		coef := scratch.Vectors(outputs, len(list))
		for m, values := range coef {
			for i := range values {
				values[i] = table[i*outputs+m]
			}
		}
		return newPivotScorer(context.Background(), k.kernel, pivots, coef)
	})
}

// storedPivots divides letters into records, and checks that the wrapped kernel takes them.
func (k pivotRestorer) storedPivots(letters []uint8, list []uint64) (*stringkernel.Corpus, error) {
	var b stringkernel.CorpusBuilder
	b.Grow(len(list), len(letters))
	check, start := stringkernel.TraitsOf(k.kernel).CheckRecord, uint64(0)
	for i, end := range list {
		if end < start || end > uint64(len(letters)) {
			return nil, fmt.Errorf("array %q: pivot %d ends at %d, want %d to %d", arrayEnds, i, end, start, len(letters))
		}
		if x := letters[start:end]; check != nil {
			if err := check(x); err != nil {
				return nil, fmt.Errorf("pivot %d: %w", i, err)
			}
		}
		b.Add("", letters[start:end])
		start = end
	}
	if start != uint64(len(letters)) {
		return nil, fmt.Errorf("array %q ends at %d, but there are %d letters", arrayEnds, start, len(letters))
	}
	return b.Corpus(), nil
}
