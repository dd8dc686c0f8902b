package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
)

// Nested is the estimate of a whole search.
type Nested struct {
	Metric   string
	Picked   []int // per outer fold, the candidate that the search on the other folds has picked
	Measured       // the outer folds, each by its candidate trained on the other folds
}

// Nested searches once per outer fold, on the records of all others, with separate inner folds
// (dataset.Dataset.Folds with the seed), trains the candidate of s.Pick on these records, and measures it on the fold
// left out. No record of an outer fold takes part in what is chosen or trained for it.
//
// Time: that of one search per outer fold. Every class needs two records or more outside each outer fold.
func (s Search) Nested(ctx context.Context, d *dataset.Dataset, outer []int, folds int, seed uint64) (*Nested, error) {
	var picked []int
	n, err := nested(ctx, d, outer, s.metric(d), func(f int, rest *dataset.Dataset) (t classify.Trainer, err error) {
		var inner []int
		if !s.whole() {
			if inner, err = rest.Folds(folds, seed); err != nil {
				return t, err
			}
		}
		progress := Progress{Candidates: len(s.Candidates), Outer: f + 1, Outers: slices.Max(outer) + 1}
		table, err := s.run(ctx, rest, inner, progress)
		if err != nil {
			return t, err
		}
		picked = append(picked, table.Picked(s.Pick))
		return s.Candidates[table.Picked(s.Pick)], nil
	})
	if err != nil {
		return nil, err
	}
	n.Picked = picked
	return n, nil
}

// nested measures what search returns for the records outside each outer fold, trained on these, on that fold.
func nested(ctx context.Context, d *dataset.Dataset, outer []int, metric string,
	search func(fold int, rest *dataset.Dataset) (classify.Trainer, error)) (*Nested, error) {
	if len(outer) != d.Len() || len(outer) == 0 || slices.Min(outer) < 0 {
		return nil, fmt.Errorf("search: %d outer fold numbers for %d records, want one per record, from 0",
			len(outer), d.Len())
	}
	k := slices.Max(outer) + 1
	o := &classify.CVResult{
		Classes: d.Classes, Positive: d.Positive, Folds: k, Fold: outer,
		Predictions: make([]decide.Prediction, d.Len()), Rules: make([]decide.Rule, k), Data: d,
	}
	for f := range o.Folds {
		if err := outerFold(ctx, d, o, f, search); err != nil {
			return nil, fmt.Errorf("outer fold %d: %w", f+1, err)
		}
	}
	measured, err := MeasureFolds(d, o)
	return &Nested{Metric: metric, Measured: measured}, err
}

// outerFold searches without the records of outer fold f, and predicts these.
func outerFold(ctx context.Context, d *dataset.Dataset, o *classify.CVResult, f int,
	search func(fold int, rest *dataset.Dataset) (classify.Trainer, error)) error {
	if len(o.Tested(f)) == 0 {
		return fmt.Errorf("search: an outer fold has no records")
	}
	train, _ := o.Split(f)
	trainer, err := search(f, d.Subset(train))
	if err != nil {
		return err
	}
	trainer.Progress = nil
	return o.TrainFold(ctx, trainer, d, f)
}
