package classify

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// CVResult is the result of a cross-validation.
type CVResult struct {
	Classes     []string
	Positive    int                 // the class that two-class scores speak for
	Folds       int                 // k
	Fold        []int               // per record, 0 … k−1: the fold it was tested in
	Predictions []decide.Prediction // per record, by the classifier trained on the other folds
	Rules       []decide.Rule       // per fold: the machines with their certificates
}

// CrossValidate trains on all folds but one and predicts the records of that one, for every fold. fold numbers the fold
// of each record from 0 without gaps; make it with [dataset.Dataset.Folds] or by hand. Every class must occur in at
// least two folds.
//
// A kernel that depends on nothing but its parameters indexes the whole corpus once; the folds train on parts of that
// index, and the scores of the records left out come from the same product. A stringkernel.Fitter that depends on its
// corpus is fitted for each fold, on counts that were made once ([stringkernel.Share]), so that the records left out
// have no influence on it.
//
// Folds and machines run in parallel; the outcome is the same to the bit whatever the number of processors.
func CrossValidate(ctx context.Context, t Trainer, d *dataset.Dataset, fold []int) (*CVResult, error) {
	outcomes, err := CrossValidateCosts(ctx, t, d, fold, []float64{cmp.Or(t.C, 1)}, nil)
	if err != nil {
		return nil, err
	}
	return outcomes[0], nil
}

// NewCVResult checks the folds and returns an outcome still to be filled in.
func NewCVResult(d *dataset.Dataset, fold []int) (*CVResult, error) {
	if err := d.CheckFolds(fold); err != nil {
		return nil, err
	}
	k := slices.Max(fold) + 1
	return &CVResult{
		Classes: d.Classes, Positive: d.Positive, Folds: k, Fold: append([]int(nil), fold...),
		Predictions: make([]decide.Prediction, d.Len()), Rules: make([]decide.Rule, k),
	}, nil
}

// Tested returns the records of fold f, ascending.
func (o *CVResult) Tested(f int) []int {
	_, test := o.Split(f)
	return test
}

// Split returns the records not in and in fold f.
func (o *CVResult) Split(f int) (train, test []int) {
	for i, g := range o.Fold {
		if g == f {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}

// refit trains each fold from its own sequences.
func (o *CVResult) refit(ctx context.Context, t Trainer, d *dataset.Dataset) error {
	t = t.beside(o.Folds)
	return parallel.Do(ctx, o.Folds, func(f int) error {
		if err := o.TrainFold(ctx, t, d, f); err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		return nil
	})
}

// TrainFold trains on the records that are not in fold f, and fills in the rule and the predictions of the fold.
func (o *CVResult) TrainFold(ctx context.Context, t Trainer, d *dataset.Dataset, f int) error {
	train, test := o.Split(f)
	return o.trainOn(ctx, t, d, f, train, test)
}

// trainOn trains on some records, and fills in the rule and the predictions of fold f, whose records are given.
func (o *CVResult) trainOn(ctx context.Context, t Trainer, d *dataset.Dataset, f int, train, test []int) error {
	model, err := t.Train(ctx, d.Subset(train))
	if err != nil {
		return err
	}
	c, err := model.Classifier(ctx)
	if err != nil {
		return err
	}
	predictions, err := c.Predict(ctx, d.Corpus.Subset(test))
	if err != nil {
		return err
	}
	o.Rules[f] = model.Rule
	for j, i := range test {
		o.Predictions[i] = predictions[j]
	}
	return nil
}

// fill makes decisions and predictions of some folds from the results of the jobs of their plans, one after the other.
func (o *CVResult) fill(plans []*plan, folds []int, results []solve.Result) error {
	for i, p := range plans {
		f := folds[i]
		mine := results[:len(p.jobs)]
		results = results[len(p.jobs):]
		var err error
		if o.Rules[f], err = p.decide(mine); err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		o.predict(f, p.jobs[0].Test, mine)
	}
	return nil
}

// predict combines the machines' decision values of the test records of a fold.
func (o *CVResult) predict(f int, test []int, results []solve.Result) {
	decider := o.Rules[f].Decider()
	for j, i := range test {
		decisions := make([]float64, len(o.Rules[f].Machines))
		for m := range decisions {
			decisions[m] = results[m].Decisions[j]
		}
		decider(decisions, &o.Predictions[i])
	}
}
