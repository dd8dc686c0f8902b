package main

import (
	"cmp"
	"maps"
	"slices"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/report/curves"
)

// cvOptions are the options of cv.
type cvOptions struct {
	experimentOptions
	reportOptions
	bootstrapOptions
	multiqcOptions
	curveOptions
	baselineOptions
	stream        streamOptions
	tags          tag.Options
	predictions   cli.Output
	learningCurve bool
}

func (o *cvOptions) Flags(f *cli.Flags) {
	o.experimentOptions.flags(f, usualHelp)
	o.learning.calibrationFlags(f)
	o.folds.flags(f, 10)
	o.stream.flags(f)
	o.tags.Flags(f)
	o.baselineOptions.flags(f, "")
	o.bootstrapOptions.flags(f)
	o.reportOptions.flags(f)
	o.multiqcOptions.flags(f)
	f.File(&o.predictions, "predictions", "`FILE` for id, score, label and fold of every record")
	o.curveOptions.flags(f, plotHelp)
	f.Bool(&o.learningCurve, "learning-curve", "also draw the metric against the number of records of training: "+
		"repeat the folds on nested parts of 10 to 100 % of their training records")
}

func (o *cvOptions) Run(c *cli.Call) error {
	if err := cmp.Or(o.folds.check(), o.multiqcOptions.check()); err != nil {
		return err
	}
	if o.learning.task == tag.Task {
		return o.tags.CV(c, o.learning.ofTags(), o.folds.folds, o.format, &o.output)
	}
	if err := c.Require("--task "+tag.Task, tag.Names...); err != nil {
		return err
	}
	if o.learningCurve && !o.pictures.Wanted() {
		return cli.Usagef("--learning-curve without --plot or --curves")
	}
	if o.streams(c, &o.stream, o.unstreamed()) {
		return o.runStream(c)
	}
	e, err := newExperiment(c, &o.experimentOptions)
	if err != nil {
		return err
	}
	fold, err := e.folds(c)
	if err != nil {
		return err
	}
	c.Stage("cross-validating")
	e.trainer.Progress = showSolver(c, e.trainer.Tol, e.runs(fold))
	e.trainer.Pack = e.records.DetectAlphabet()
	outcome, err := classify.CrossValidate(c.Context, e.trainer, e.data, fold)
	if err != nil {
		return e.records.Placed(optionError(err))
	}
	remarkFolds(c, outcome)
	table, err := newCVTable(e.data, outcome)
	if err != nil {
		return err
	}
	if o.baseline {
		if err := table.addBaselines(c, e, fold); err != nil {
			return err
		}
	}
	var more func(*curves.Result) error
	if o.learningCurve {
		more = func(to *curves.Result) error { return o.learn(c, e, fold, to) }
	}
	return o.write(c, e.data, e.data.Corpus.Name, outcome, table, more)
}

// write writes all outputs; name is that of each record, and more adds to the picture, unless it is nil.
func (o *cvOptions) write(c *cli.Call, d *dataset.Dataset, name func(i int) string, outcome *classify.CVResult,
	table *cvTable, more func(*curves.Result) error) error {
	noteOneClass(c, d, outcome.Predictions, o.learning.ClassWeight != classify.WeightNone)
	if err := o.addInterval(c, d, outcome, table); err != nil {
		return err
	}
	err := o.multiqcOptions.write("cv", "seqsvm cv", "Metrics of a cross-validation, means over the folds.",
		d.Len(), table.Mean, table.Interval)
	if err != nil {
		return err
	}
	if err := o.predictions.WriteTable(cli.TSV, func(t *cli.Table) {
		answer.Outcome(t, outcome, name, func(i int) string { return labelOf(d, o.learning.multilabel, i) })
	}); err != nil {
		return err
	}
	if err := o.drawPredictions(c, d, outcome.Predictions, outcome.Fold, o.replicates, more); err != nil {
		return err
	}
	return o.output.WriteAs(o.format, table, table.write)
}

// remarkFolds says how well kernels are approximated in the fold where that is worst.
func remarkFolds(c *cli.Call, o *classify.CVResult) {
	worst := slices.Clone(o.Rules[0].Approximations)
	for _, r := range o.Rules[1:] {
		for i, a := range r.Approximations {
			if a.TraceError > worst[i].TraceError {
				worst[i] = a
			}
		}
	}
	remarkApproximations(c, worst)
}

// cvTable is what cv prints.
type cvTable struct {
	Positive string           `json:"positive,omitempty"` // of two classes
	Folds    []metrics.Report `json:"folds"`
	Mean     metrics.Scalars  `json:"mean"`
	SD       metrics.Scalars  `json:"sd"`
	*metrics.Interval
	PerClass  []metrics.ClassFigures `json:"per_class,omitempty"` // of all folds together, if there are intervals
	Labels    []metrics.LabelFigures `json:"classes,omitempty"`   // the same of several labels per record
	Baselines map[string]*cvTable    `json:"baselines,omitempty"` // by name, if asked for

	// Of a hierarchy; Folds, Mean and SD have the other metrics.
	Levels    [][]metrics.Float `json:"accuracy_by_level,omitempty"` // per fold
	LevelMean []metrics.Float   `json:"accuracy_by_level_mean,omitempty"`
	LevelSD   []metrics.Float   `json:"accuracy_by_level_sd,omitempty"`

	levelNames []string
}

// addInterval adds the intervals of the means, and the figures of each class of all folds together with theirs.
func (o *cvOptions) addInterval(c *cli.Call, d *dataset.Dataset, r *classify.CVResult, t *cvTable) (err error) {
	all := metrics.NewScalars(append(slices.Clip(t.Mean.Names), t.levelNames...),
		append(slices.Clip(t.Mean.Values), t.LevelMean...))
	if t.Interval, err = o.interval(c, d, r.Fold, r.Predictions, all); t.Interval == nil {
		return err
	}
	whole, err := measure.Predictions(d, subset.Whole(len(r.Predictions)), r.Predictions)
	if err != nil {
		return err
	}
	err = o.classIntervals(c, d, r.Predictions, &whole)
	t.PerClass, t.Labels = whole.PerClass(), whole.LabelFigures()
	return err
}

// newCVTable measures every fold.
func newCVTable(d *dataset.Dataset, o *classify.CVResult) (*cvTable, error) {
	m, err := search.MeasureFolds(d, o)
	if err != nil {
		return nil, err
	}
	t := &cvTable{Positive: d.PositiveName(), Folds: m.Folds}
	var mean, sd, levels metrics.Scalars
	t.Mean, mean = m.Mean.Split()
	t.SD, sd = m.SD.Split()
	t.levelNames, t.LevelMean, t.LevelSD = mean.Names, mean.Values, sd.Values
	if len(t.levelNames) == 0 {
		return t, nil
	}
	for f := range t.Folds {
		r := &t.Folds[f]
		r.Scalars, levels = r.Split()
		t.Levels = append(t.Levels, levels.Values)
	}
	return t, nil
}

// addBaselines adds the tables, without the levels of a hierarchy, of simple methods on the same folds.
func (t *cvTable) addBaselines(c *cli.Call, e *experiment, fold []int) error {
	methods, err := e.baselines(c)
	if err != nil {
		return err
	}
	t.Baselines = map[string]*cvTable{}
	return e.compare(c, methods, fold, func(m simpleMethod, outcome *classify.CVResult) error {
		b, err := newCVTable(e.data, outcome)
		if err == nil {
			t.Baselines[m.name] = &cvTable{Folds: b.Folds, Mean: b.Mean, SD: b.SD}
		}
		return err
	})
}

// write writes the metrics of the folds, their mean and standard deviation, those of the baselines, and in a table
// below the accuracies of the levels of a hierarchy.
func (t *cvTable) write(w *cli.Table) {
	answer.Folds(w, t.Folds, t.Mean, t.SD)
	if t.Interval != nil {
		lower, _ := t.Lower.Split()
		upper, _ := t.Upper.Split()
		w.Row("lower", "", cli.Metrics(lower.Values...))
		w.Row("upper", "", cli.Metrics(upper.Values...))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Baselines)) {
		b := t.Baselines[name]
		w.Row(name+" mean", "", t.valuesOf(b.Mean))
		w.Row(name+" sd", "", t.valuesOf(b.SD))
	}
	if t.Levels == nil {
		return
	}
	w.Header("fold", t.levelNames)
	for f, levels := range t.Levels {
		w.Row(f+1, cli.Metrics(levels...))
	}
	w.Row("mean", cli.Metrics(t.LevelMean...))
	w.Row("sd", cli.Metrics(t.LevelSD...))
	if t.Interval != nil {
		_, lowerLevels := t.Lower.Split()
		_, upperLevels := t.Upper.Split()
		w.Row("lower", cli.Metrics(lowerLevels.Values...))
		w.Row("upper", cli.Metrics(upperLevels.Values...))
	}
}

// valuesOf lists the metrics of a baseline, which has no probabilities, under the names of the table.
func (t *cvTable) valuesOf(s metrics.Scalars) (cells []cli.Metric) {
	for _, metric := range t.Mean.Names {
		cells = append(cells, cli.Metrics(s.Value(metric))...)
	}
	return cells
}
