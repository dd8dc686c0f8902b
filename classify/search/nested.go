package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify"
)

// Nested is the estimate of a whole search.
type Nested struct {
	Metric   string
	Picked   []int // per outer fold, the candidate that the search on the other folds has picked
	Measured       // the outer folds, each by its candidate trained on the other folds
}

// Nested searches once per outer fold, on the records of all others, with separate inner folds
// (classify.Dataset.Folds with the seed), trains the candidate of s.Pick on these records, and measures it on the fold
// left out. No record of an outer fold takes part in what is chosen or trained for it.
//
// Time: that of one search per outer fold. Every class needs two records or more outside each outer fold.
func (s Search) Nested(ctx context.Context, d *classify.Dataset, outer []int, folds int, seed uint64) (*Nested, error) {
	if len(outer) != d.Len() || len(outer) == 0 || slices.Min(outer) < 0 {
		return nil, fmt.Errorf("search: %d outer fold numbers for %d records, want one per record, from 0",
			len(outer), d.Len())
	}
	n := &Nested{Metric: s.metric(d)}
	k := slices.Max(outer) + 1
	o := &classify.CVResult{
		Classes: d.Classes, Positive: d.Positive, Folds: k, Fold: outer,
		Predictions: make([]classify.Prediction, d.Len()), Rules: make([]classify.Rule, k),
	}
	for f := range o.Folds {
		progress := Progress{Candidates: len(s.Candidates), Outer: f + 1, Outers: o.Folds}
		picked, err := s.outerFold(ctx, d, o, f, folds, seed, progress)
		if err != nil {
			return nil, fmt.Errorf("outer fold %d: %w", f+1, err)
		}
		n.Picked = append(n.Picked, picked)
	}
	var err error
	n.Measured, err = MeasureFolds(d, o)
	return n, err
}

// outerFold searches without the records of outer fold f, and predicts these.
func (s Search) outerFold(ctx context.Context, d *classify.Dataset, o *classify.CVResult, f, folds int, seed uint64,
	progress Progress) (picked int, err error) {
	test := o.Tested(f)
	if len(test) == 0 {
		return 0, fmt.Errorf("search: an outer fold has no records")
	}
	train, _ := o.Split(f)
	rest := d.Subset(train)
	var inner []int
	if !s.whole() {
		if inner, err = rest.Folds(folds, seed); err != nil {
			return 0, err
		}
	}
	table, err := s.run(ctx, rest, inner, progress)
	if err != nil {
		return 0, err
	}
	picked = table.Picked(s.Pick)
	trainer := s.Candidates[picked]
	trainer.Progress = nil
	return picked, o.TrainFold(ctx, trainer, d, f)
}
