package compose

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// lowRankScorer is a scorer of the wrapped kernel, whose support vectors are the pivots.
type lowRankScorer struct {
	stringkernel.Scorer
	pivots *stringkernel.Corpus
	coef   [][]float64 // of the pivots, for each output
}

func newLowRankScorer(
	ctx context.Context, inner stringkernel.Kernel, pivots *stringkernel.Corpus, coef [][]float64,
) (stringkernel.Scorer, error) {
	s, err := stringkernel.Merge(ctx, inner, pivots, coef...)
	if err != nil {
		return nil, fmt.Errorf("rank: %w", err)
	}
	return &lowRankScorer{s, pivots, coef}, nil
}

func (s *lowRankScorer) Explainer() stringkernel.Explainer { return stringkernel.ExplainerOf(s.Scorer) }

func (s *lowRankScorer) FeatureLister() stringkernel.FeatureLister {
	return stringkernel.FeatureListerOf(s.Scorer)
}

func (s *lowRankScorer) BatchScorer() stringkernel.BatchScorer {
	return stringkernel.BatchScorerOf(s.Scorer)
}

func (s *lowRankScorer) Tracker() stringkernel.Tracker { return stringkernel.TrackerOf(s.Scorer) }

func (s *lowRankScorer) Substituter() Substituter { return SubstituterOf(s.Scorer) }

// Describer is that of the scorer inside.
func (s *lowRankScorer) Describer() stringkernel.Describer { return stringkernel.DescriberOf(s.Scorer) }

// The arrays of a stored scorer, besides the number of outputs.
const (
	arrayPivots       = "pivots"     // letters, end to end
	arrayEnds         = "pivot_ends" // of each pivot
	arrayCoefficients = "pivot_coef" // pivots × outputs
)

// lowRankRestorer stores pivots and coefficients, and merges them again with the wrapped kernel.
type lowRankRestorer LowRank

func (k lowRankRestorer) Arrays(scorer stringkernel.Scorer) []stringkernel.Array {
	s := scorer.(*lowRankScorer)
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
func (k lowRankRestorer) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return stored.Restore(LowRank(k), "rank", arrays, func(a *stored.Arrays) (stringkernel.Scorer, error) {
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
		return newLowRankScorer(context.Background(), k.Kernel, pivots, coef)
	})
}

// storedPivots divides letters into records, and checks that the wrapped kernel takes them.
func (k lowRankRestorer) storedPivots(letters []uint8, list []uint64) (*stringkernel.Corpus, error) {
	var b stringkernel.CorpusBuilder
	b.Grow(len(list), len(letters))
	check, start := stringkernel.TraitsOf(k.Kernel).CheckRecord, uint64(0)
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
