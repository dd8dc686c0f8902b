package main

import (
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// bootstrapOptions ask for intervals of metrics.
type bootstrapOptions struct{ replicates int }

func (o *bootstrapOptions) flags(f *cli.Flags) {
	f.Section(cli.OfOutput)
	f.Int(&o.replicates, "bootstrap", 0, "95 % intervals of all metrics by `N` samples of the records, as 1000").
		Between(100, 1e6)
}

// interval returns those of the metrics s of predictions or, of a cross-validation, of their means over the folds; nil
// without --bootstrap.
func (o *bootstrapOptions) interval(c *cli.Call, d *dataset.Dataset, fold []int, predictions []decide.Prediction,
	s metrics.Scalars) (*metrics.Interval, error) {
	if o.replicates == 0 {
		return nil, nil
	}
	c.Stage("bootstrapping")
	r, err := measure.Resample(c.Context, d, o.replicates, c.Seed, fold, predictions)
	if err != nil {
		return nil, err
	}
	return r.Intervals(s), nil
}

// classIntervals adds the intervals of the figures of each class to a report on all records, where they have classes.
func (o *bootstrapOptions) classIntervals(c *cli.Call, d *dataset.Dataset, predictions []decide.Prediction,
	r *metrics.Report) error {
	if o.replicates == 0 || r.Classes == nil && r.Labels == nil {
		return nil
	}
	replicates, err := measure.ResampleClasses(c.Context, d, o.replicates, c.Seed, predictions)
	if err == nil {
		r.AddClassIntervals(replicates)
	}
	return err
}

// bootstrapHelp is for the description of a command with these options.
const bootstrapHelp = `--bootstrap N adds 95 % intervals, lower to upper, by how much every metric, and precision,
recall and F1 of every class (of cv: with --format json), varies over N samples of the records, drawn
with replacement within each class. They say how sure the figures are for these models,
not how much models vary. Where records go together, as those of a gene, draw groups (--group).`
