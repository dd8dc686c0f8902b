// Package baseline has methods of learning that are so simple that a machine must be better: the mean, the largest
// class, the nearest neighbour, the nearest centroid and Parzen windows by a kernel, naive Bayes, densities of classes.
package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/strongest"
)

// Method is a simple way to learn.
type Method interface {
	// Predict learns from the records train of d and predicts the records test, all given by index (0-based,
	// ascending): a prediction for each of test, as [dataset.Dataset.Measure] takes it.
	Predict(ctx context.Context, d *dataset.Dataset, train, test []int) ([]decide.Prediction, error)
}

// CrossValidate predicts the records of each fold by a method that learns from the others, in parallel. The result has
// no Rules.
func CrossValidate(ctx context.Context, m Method, d *dataset.Dataset, fold []int) (*classify.CVResult, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if d.Labelling() == dataset.LabelSets {
		return nil, fmt.Errorf("classify: a baseline for records of several labels, want one label each")
	}
	out, err := classify.NewCVResult(d, fold)
	if err != nil {
		return nil, err
	}
	err = parallel.Do(ctx, out.Folds, func(f int) error {
		train, test := out.Split(f)
		predictions, err := m.Predict(ctx, d, train, test)
		if err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		for j, i := range test {
			out.Predictions[i] = predictions[j]
		}
		return nil
	})
	return out, err
}

// Majority predicts the class with the most records: the baseline that looks at nothing.
type Majority struct{}

// Predict implements [Method].
func (Majority) Predict(_ context.Context, d *dataset.Dataset, train, test []int) ([]decide.Prediction, error) {
	p := strongestOf(d, make([]float64, len(d.Classes)))
	p.Class = strongest.Index(d.Subset(train).Counts())
	return slices.Repeat([]decide.Prediction{p}, len(test)), nil
}

// Mean predicts the mean of the numbers: the baseline of a regression.
type Mean struct{}

// Predict implements [Method].
func (Mean) Predict(_ context.Context, d *dataset.Dataset, train, test []int) ([]decide.Prediction, error) {
	if d.Targets == nil {
		return nil, fmt.Errorf("classify: the mean of classes, want numbers")
	}
	sum, weight := 0.0, 0.0
	for _, i := range train {
		sum += float64(d.Weight(i) * d.Targets[i])
		weight += d.Weight(i)
	}
	return slices.Repeat([]decide.Prediction{number(sum / weight)}, len(test)), nil
}

// number predicts a number.
func number(value float64) decide.Prediction {
	return decide.Prediction{Scores: []float64{value}}
}

// strongestOf predicts the class with the greatest score. Scores of one record are compared, those of two records are
// not: of counts, both grow with its length. So the score of a class is its lead over the best of the others.
func strongestOf(d *dataset.Dataset, scores []float64) decide.Prediction {
	p := decide.Prediction{Class: strongest.Index(scores), Scores: make([]float64, len(scores))}
	for c, score := range scores {
		rival := math.Inf(-1)
		for other, s := range scores {
			if other != c {
				rival = max(rival, s)
			}
		}
		p.Scores[c] = score - rival
	}
	if d.Labelling() == dataset.TwoClasses {
		p = positive(d, p.Scores[d.Positive])
	}
	return p
}

// positive predicts the positive class of two, or novelty, where a decision is greater than 0: a tie is not the
// positive class's, as in [decide.Prediction].
func positive(d *dataset.Dataset, decision float64) decide.Prediction {
	p := decide.Prediction{Class: d.Positive, Scores: []float64{decision}}
	if !(decision > 0) {
		p.Class = 1 - d.Positive
	}
	return p
}

// novelties predicts novelty where the distance of a record is greater than those of all but the share nu of known
// records; zero: 0.5, as a trainer has it.
func novelties(d *dataset.Dataset, nu float64, distances, known []float64) []decide.Prediction {
	sorted := slices.Sorted(slices.Values(known))
	least := sorted[max(0, len(sorted)-1-int(float64(len(sorted))*cmp.Or(nu, 0.5)))]
	predictions := make([]decide.Prediction, len(distances))
	for j, distance := range distances {
		predictions[j] = positive(d, distance-least)
	}
	return predictions
}
