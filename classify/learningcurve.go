package classify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// LearningPoint is a cross-validation on a fraction of each training part.
type LearningPoint struct {
	Fraction float64
	Records  int // of training, the mean over the folds, rounded
	Result   *CVResult
}

// LearningCurve cross-validates with fractions of the training part of each fold: the records of the fold are predicted
// by models of growing parts of all others. Parts are drawn at random, have about the fraction of each class, at least
// one record of it, and are nested: what is in one is in all that are larger. Fractions are above 0 and at most 1. The
// folds run in parallel; the outcome is the same whatever the number of processors. Time is that of a cross-validation
// without a common index, times the sum of the fractions.
func LearningCurve(ctx context.Context, t Trainer, d *dataset.Dataset, fold []int, fractions []float64, seed uint64,
) ([]LearningPoint, error) {
	points := make([]LearningPoint, len(fractions))
	for p, fraction := range fractions {
		if !(fraction > 0 && fraction <= 1) {
			return nil, fmt.Errorf("classify: fraction %v of a learning curve, want above 0 and at most 1", fraction)
		}
		result, err := NewCVResult(d, fold)
		if err != nil {
			return nil, err
		}
		points[p] = LearningPoint{Fraction: fraction, Result: result}
	}
	if len(points) == 0 {
		return nil, nil
	}
	folds := points[0].Result.Folds
	sizes := make([][]int, folds)
	t = t.beside(folds)
	err := parallel.Do(ctx, folds, func(f int) error {
		train, test := points[0].Result.Split(f)
		order := growing(d, train, rand.New(rand.NewPCG(seed, 0x1ea4+uint64(f))))
		for _, p := range points {
			part := slices.Clone(order[:fractionOf(len(order), len(d.Classes), p.Fraction)])
			slices.Sort(part)
			if err := p.Result.trainOn(ctx, t, d, f, part, test); err != nil {
				return fmt.Errorf("fold %d, %d of %d records: %w", f+1, len(part), len(train), err)
			}
			sizes[f] = append(sizes[f], len(part))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for p := range points {
		sum := 0
		for _, size := range sizes {
			sum += size[p]
		}
		points[p].Records = (sum + folds/2) / folds
	}
	return points, nil
}

// fractionOf is the number of records of a fraction, at least one per class.
func fractionOf(records, classes int, fraction float64) int {
	return min(records, max(classes, int(math.Round(float64(fraction*float64(records))))))
}

// growing orders records so that every beginning is a random sample with about as large a share of each class. The
// first ones are one of each class.
func growing(d *dataset.Dataset, records []int, rng *rand.Rand) []int {
	type place struct {
		record int
		at     float64 // 0 for the first of its class, 1 would be after the last
	}
	byClass := make([][]int, len(d.Classes))
	for _, i := range records {
		byClass[d.Y[i]] = append(byClass[d.Y[i]], i)
	}
	var places []place
	for _, members := range byClass {
		rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		for rank, i := range members {
			places = append(places, place{i, float64(rank) / float64(len(members))})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	order := make([]int, len(places))
	for k, p := range places {
		order[k] = p.record
	}
	return order
}
