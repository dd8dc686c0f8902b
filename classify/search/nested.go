package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/metrics"
)

// Nested is the estimate of a whole search.
type Nested struct {
	Metric   string
	Picked   []int            // per outer fold, the candidate that the search on the other folds has picked
	Folds    []metrics.Report // per outer fold, of that candidate trained on the other folds
	Mean, SD metrics.Scalars  // over the outer folds
}

// Nested searches once per outer fold, on the records of all others, with inner folds of its own (classify.Dataset.Folds with the seed), trains the candidate
// of s.Pick on these records, and measures it on the fold left out. No record of an outer fold takes part in what is chosen or trained for it.
//
// Time: that of as many searches. Every class needs two records or more outside each outer fold.
func (s Search) Nested(ctx context.Context, d *classify.Dataset, outer []int, folds int, seed uint64) (*Nested, error) {
	if len(outer) != d.Len() || len(outer) == 0 || slices.Min(outer) < 0 {
		return nil, fmt.Errorf("search: %d numbers of outer folds for %d records, want one each, from 0", len(outer), d.Len())
	}
	n := &Nested{}
	for f := range slices.Max(outer) + 1 {
		progress := Progress{Candidates: len(s.Candidates), Outer: f + 1, Outers: slices.Max(outer) + 1}
		picked, report, err := s.outerFold(ctx, d, outer, f, folds, seed, progress)
		if err != nil {
			return nil, fmt.Errorf("outer fold %d: %w", f+1, err)
		}
		n.Picked, n.Folds = append(n.Picked, picked), append(n.Folds, report)
	}
	if n.Metric = s.Metric; n.Metric == "" {
		n.Metric = DefaultMetric(len(d.Classes))
	}
	n.Mean, n.SD = metrics.MeanSD(n.Folds)
	return n, nil
}

// outerFold searches without the records of an outer fold and measures on them.
func (s Search) outerFold(ctx context.Context, d *classify.Dataset, outer []int, f, folds int, seed uint64, progress Progress) (picked int, report metrics.Report, err error) {
	var train, test []int
	for i, g := range outer {
		if g == f {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	if len(test) == 0 {
		return 0, report, fmt.Errorf("search: no records, want outer folds numbered from 0 without a gap")
	}
	rest := d.Subset(train)
	inner, err := rest.Folds(folds, seed)
	if err != nil {
		return 0, report, err
	}
	table, err := s.run(ctx, rest, inner, progress)
	if err != nil {
		return 0, report, err
	}
	picked = table.Picked(s.Pick)
	trainer := s.Candidates[picked]
	trainer.Progress = nil
	model, err := trainer.Train(ctx, rest)
	if err != nil {
		return 0, report, err
	}
	classifier, err := model.Classifier()
	if err != nil {
		return 0, report, err
	}
	held := d.Subset(test)
	predictions, err := classifier.Predict(ctx, held.Corpus)
	if err != nil {
		return 0, report, err
	}
	report, err = Measure(d.Classes, d.Positive, held.Y, predictions)
	return picked, report, err
}
