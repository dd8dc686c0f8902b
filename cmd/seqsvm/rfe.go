package main

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/rfe"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rfeOptions are the options of rfe.
type rfeOptions struct {
	experimentOptions
	reportOptions
	drop     string
	step     float64
	least    int
	by       rfe.Criterion
	metric   string
	features cli.Output
	keep     int
}

func rfeCommand() *cli.Command {
	o := new(rfeOptions)
	return &cli.Command{
		Name:     "rfe",
		Usage:    "choose features by recursive elimination, and estimate their accuracy",
		Example:  "seqsvm rfe --kernel spectrum:k=3 --features best.txt testdata/fasta/promoters.fa",
		Operands: "FILE…  or  --pos FILE --neg FILE",
		Description: `Trains, drops the features with the smallest squared weights, trains again, and so on (Guyon et al.
2002), for kernels whose features have names: words and spectrum. Prints for each number of features
the mean and standard deviation of --metric by cross-validation, with a * at the best mean (of
hamming_loss the least), of equal ones that with the fewest features. Features are chosen within the
training part of each fold, never with the records that are tested; still, the best of many means is
slightly optimistic.
With --by, features are ranked once, each alone, by how it differs between a class and all others (of
several classes, where it differs most), and the machines are only trained on those left: fisher, the
score of the discriminant, between classes over within; golub, |difference of means|/(sum of standard
deviations); mean, |difference of means|; chi2 of sums; information, mutual, of presence; auroc.
With --features, the same elimination on all records writes the best number of features, or --keep of
them, one per line, those with the greatest weights first: a file that words takes as dict=@FILE (with
stem, entries are stemmed again; n-grams are then counted as phrases, the longest first). Values of
features, normalisation included, are those with all features present.

` + groupHelp,
		Random: true,
		Flags: func(f *cli.Flags) {
			o.experimentOptions.flags(f, specHelp)
			o.folds.flags(f, 10)
			f.Section(input.OfLearning)
			f.String(&o.drop, "drop", "0.5", "features to drop in a round: a `SHARE` of those left if below 1, "+
				"otherwise a number")
			f.Int(&o.least, "least", 1, "number of features to stop at").AtLeast(1)
			cli.Choice(f, &o.by, "by", "what ranks features: weights, of the machines of each round, or a `CRITERION` of "+
				"each feature alone: fisher, golub, mean, chi2, information or auroc", rfe.Criteria()...)
			f.String(&o.metric, "metric", "", "`METRIC` of the curve: "+metricHelp).Default("accuracy; f1_micro " +
				"with --multilabel")
			f.File(&o.features, "features", "`FILE` to write features to, one per line")
			f.Int(&o.keep, "keep", 0, "number of features to write").AtLeast(1).Default("the best number")
			o.reportOptions.flags(f)
		},
		Run: o.run,
	}
}

// check finds errors in the options before any file is read.
func (o *rfeOptions) check(c *cli.Call) error {
	if err := o.learning.checkMetric(c, o.metric); err != nil {
		return err
	}
	if o.metric == "" {
		o.metric = "accuracy"
		if task := o.learning.taskNamed(); task != dataset.Classes {
			o.metric = (&dataset.Dataset{Task: task}).DefaultMetric()
		}
		if o.learning.multilabel != "" {
			o.metric = "f1_micro"
		}
	}
	var err error
	o.step, err = strconv.ParseFloat(o.drop, 64)
	whole := o.step == math.Trunc(o.step) && o.step < 1<<31
	switch {
	case err != nil || !(o.step > 0) || o.step > 1 && !whole:
		return cli.Usagef("--drop %.40q, want a share below 1 or a whole number of features", o.drop)
	case o.learning.task == gaussianTask:
		return cli.Usagef("--task %s needs the same k(x, x) of all records, which chosen features have not; "+
			"--task regress --lambda X predicts about the same numbers", gaussianTask)
	case o.learning.Penalty == classify.PenaltySum:
		return cli.Usagef("--penalty %s, want %s for elimination: %s chooses features itself", classify.PenaltySum,
			classify.PenaltySquares, classify.PenaltySum)
	case o.by != rfe.ByWeights && o.learning.taskNamed() != dataset.Classes:
		return cli.Usagef("--by %s compares the records of classes, want --by %s with this --task", o.by, rfe.ByWeights)
	case o.keep > 0 && !o.features.Given():
		return cli.Usagef("--keep needs --features, the file to write them to")
	}
	return o.folds.check()
}

func (o *rfeOptions) run(c *cli.Call) error {
	if err := o.check(c); err != nil {
		return err
	}
	e, err := newExperiment(c, &o.experimentOptions)
	if err != nil {
		return err
	}
	if len(e.spec.Terms) > 1 || stringkernel.EnumeratorOf(e.trainer.Kernel) == nil {
		return cli.Usagef("the kernel %s has no list of features: want %s", e.spec, listed)
	}
	if err := e.checkLevel(c, o.metric); err != nil {
		return err
	}
	return o.eliminate(c, e)
}

// eliminate makes the curve and chooses the features.
func (o *rfeOptions) eliminate(c *cli.Call, e *experiment) error {
	fold, err := e.folds(c)
	if err != nil {
		return err
	}
	c.Stage("eliminating features")
	run := rfe.Elimination{Trainer: e.trainer, Step: o.step, Least: o.least, By: o.by, Progress: func(done, of int) {
		c.Show(float64(done)/float64(of), "round %d of %d of all folds", done, of)
	}}
	curve, err := e.eliminationCurve(c, run, fold, o.metric)
	if err != nil {
		return e.records.Located(err)
	}
	if o.features.Given() {
		c.Stage("choosing features")
		names, err := run.Select(c.Context, e.data, cmp.Or(o.keep, curve.Best))
		if err != nil {
			return e.records.Located(err)
		}
		if err := o.features.WriteTable(cli.TSV, func(t *cli.Table) {
			for _, name := range names {
				t.Row(stringkernel.Readable(name))
			}
		}); err != nil {
			return err
		}
	}
	return o.output.WriteAs(o.format, curve, curve.write)
}

// rfeCurve is what rfe prints.
type rfeCurve struct {
	Best  int       `json:"best"` // number of features
	Sizes []rfeSize `json:"sizes"`

	table search.Table // of the sizes
}

// rfeSize is a point of the curve.
type rfeSize struct {
	Features int             `json:"features"`
	Mean     metrics.Scalars `json:"mean"`
	SD       metrics.Scalars `json:"sd"`
}

func (e *experiment) eliminationCurve(c *cli.Call, run rfe.Elimination, fold []int, metric string) (*rfeCurve, error) {
	count, err := run.Count(c.Context, e.data)
	if err != nil {
		return nil, err
	}
	sizes := run.Sizes(count)
	outcomes, err := run.CrossValidate(c.Context, e.data, fold, sizes)
	if err != nil {
		return nil, err
	}
	curve := &rfeCurve{table: search.Table{Metric: metric}}
	for s, outcome := range outcomes {
		m, err := search.MeasureFolds(e.data, outcome)
		if err != nil {
			return nil, err
		}
		curve.Sizes = append(curve.Sizes, rfeSize{sizes[s], m.Mean, m.SD})
		curve.table.Results = append(curve.table.Results, search.Result{Measured: m})
	}
	return curve, curve.choose()
}

// choose finds the best size, the smallest of equal ones.
func (t *rfeCurve) choose() error {
	for s := range t.Sizes {
		if t.table.Compare(s, t.table.Best) <= 0 {
			t.table.Best = s
		}
	}
	if mean, _ := t.table.Value(t.table.Best); math.IsNaN(mean) {
		return fmt.Errorf("the metric %s is undefined in every fold for every number of features, want another or "+
			"fewer folds", t.table.Metric)
	}
	t.Best = t.Sizes[t.table.Best].Features
	return nil
}

func (t *rfeCurve) write(w *cli.Table) {
	w.Row("features", t.table.Metric, "sd", "best")
	for s, size := range t.Sizes {
		mark := ""
		if s == t.table.Best {
			mark = "*"
		}
		mean, sd := t.table.Value(s)
		w.Row(size.Features, cli.Metrics(mean, sd), mark)
	}
}
