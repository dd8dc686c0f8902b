package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// evaluateOptions are the options of evaluate.
type evaluateOptions struct {
	input.Model
	input.Labels
	input.Reading
	reportOptions
	bootstrapOptions
	multiqcOptions
	confidenceOptions
	foldOptions // groups alone
	curveOptions
	predictions cli.Output
	query       string
	tags        tag.Input
}

func (o *evaluateOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	o.Labels.Flags(f)
	o.RecordFlags(f)
	o.StrictFlag(f)
	o.tags.Flags(f)
	f.Section(cli.OfInput)
	f.String(&o.query, "query", "", queryHelp).Default("that of training, if there was one")
	f.Section(cli.OfOutput)
	o.groupFlags(f, "draw groups of records for --bootstrap")
	o.bootstrapOptions.flags(f)
	o.confidenceOptions.flags(f)
	o.reportOptions.flags(f)
	o.multiqcOptions.flags(f)
	f.File(&o.predictions, "predictions", "`FILE` for the predictions")
	o.curveOptions.flags(f, plotHelp)
}

func (o *evaluateOptions) Run(c *cli.Call) error {
	if o.Tags(c) {
		return o.tags.Evaluate(c, o.Path, o.format, &o.output)
	}
	if err := cmp.Or(c.Require("a model of --task "+tag.Task, tag.InputNames...), o.checkGroups(c)); err != nil {
		return err
	}
	on, err := o.apply(c)
	if err != nil {
		return err
	}
	err = o.predictions.WriteTable(cli.TSV, func(t *cli.Table) {
		write := predictionWriter(t, on.Classifier, on.Separator, on.Names)
		t.Err = write(len(on.predictions), func(p *decide.Prediction, i int) { *p = on.predictions[i] })
	})
	if err != nil {
		return err
	}
	report, err := o.report(c, on)
	if err != nil {
		return err
	}
	noteOneClass(c, on.truth, on.predictions, strings.Contains(on.Model.Generator.Options, "--class-weight"))
	err = o.multiqcOptions.write("evaluate", "seqsvm evaluate", "Metrics of a model on labelled records.", report.N,
		report.Scalars, report.Interval)
	if err != nil {
		return err
	}
	if err := o.output.WriteAs(o.format, report, func(t *cli.Table) { writeReport(t, report) }); err != nil {
		return err
	}
	if err := o.drawPredictions(c, on.truth, on.predictions, nil, o.replicates, nil); err != nil {
		return err
	}
	k, r := on.Classifier, report.Regions
	if r != nil && k.Conformal.Short(float64(r.Coverage), report.N, k.Confidence()) {
		c.Warn("sets or intervals that should hold the truth of %.4g %% of the records hold that of %.4g %%: they are "+
			"unlike those of training, and what was learned of its errors does not hold here (docs/confidence.md)",
			100*k.Confidence(), 100*r.Coverage)
	}
	on.Warn()
	on.Suspects.WarnKnown(c, "the metrics are not those of new data; use records held out from training, or cv")
	return nil
}

// checkGroups finds errors in the options of groups before any file is read.
func (o *evaluateOptions) checkGroups(c *cli.Call) error {
	if o.replicates == 0 {
		if err := c.Require("--bootstrap", "group", "similarity"); err != nil {
			return err
		}
	}
	return cmp.Or(o.foldOptions.check(), o.multiqcOptions.check())
}

// experiment returns what finds the groups of records.
func (o *evaluateOptions) experiment(data *input.Records) *experiment {
	options := &experimentOptions{folds: o.foldOptions, reading: o.Reading}
	options.learning.query = o.query
	return &experiment{records: data, options: options}
}

// applied is a model and what it predicts for labelled records.
type applied struct {
	*input.Application
	data        *input.Records
	truth       *dataset.Dataset
	predictions []decide.Prediction
}

// apply reads the model and the records, and predicts what they are.
func (o *evaluateOptions) apply(c *cli.Call) (*applied, error) {
	a, err := o.confidenceOptions.open(c, &o.Model, &o.Reading)
	if err != nil {
		return nil, err
	}
	task := taskOf(&a.Classifier.Rule)
	a.Reader.Labels = labelsOf(task)
	if o.query != "" && task != dataset.Ranking {
		return nil, cli.Usagef("--query is for models of train --task rank, and this one is of %s", task)
	}
	o.query = cmp.Or(o.query, a.Model.Input.Query)
	a.Reader.Options.Fields = o.experiment(nil).options.fields()
	a.Reader.Options.RepeatedIDs = o.groupFile() == ""
	data, err := a.Reader.Labelled(&o.Labels)
	if err != nil {
		return nil, err
	}
	a.Suspects.Training = input.NewTrainingData(a.Model)
	if err := a.Check(data); err != nil {
		return nil, err
	}
	on := &applied{Application: a, data: data}
	if on.truth, err = a.Truth(c, data); err != nil {
		return nil, err
	}
	if o.group != "" {
		if on.truth.Groups, err = o.experiment(data).groups(c); err != nil {
			return nil, err
		}
	}
	c.Stage("scoring")
	return on, on.predict(c)
}

// predict predicts the classes of the records.
func (on *applied) predict(c *cli.Call) error {
	err := inParts(on.data.Corpus, on.Classifier.Scorer.Outputs(), func(part *stringkernel.Corpus) error {
		some, err := on.Classifier.Predict(c.Context, part)
		on.predictions = append(on.predictions, some...)
		return err
	}, on.Done)
	if err != nil {
		return on.data.Placed(err)
	}
	for _, p := range on.predictions {
		if err := on.Scored(p.Unknown); err != nil {
			return err
		}
	}
	return nil
}

// measure compares the predictions with the labels.
func (on *applied) measure() (metrics.Report, error) {
	records := subset.Whole(len(on.predictions))
	report, err := measure.Predictions(on.truth, records, on.predictions)
	report.Positive = on.truth.PositiveName()
	if on.Classifier.HasRegions() && err == nil {
		report.Regions = measure.Regions(on.truth, records, on.predictions)
	}
	return report, err
}

// report measures the predictions, with the intervals of --bootstrap.
func (o *evaluateOptions) report(c *cli.Call, on *applied) (metrics.Report, error) {
	report, err := on.measure()
	if err == nil {
		report.Interval, err = o.interval(c, on.truth, nil, on.predictions, report.Scalars)
	}
	if err == nil {
		err = o.classIntervals(c, on.truth, on.predictions, &report)
	}
	return report, err
}

// writeReport writes the accuracy of each level of a hierarchy, all other metrics, and the confusion matrix of classes
// or, of several labels per record, a table of the classes.
func writeReport(t *cli.Table, r metrics.Report) {
	whole, levels := r.Split()
	if r.Interval == nil {
		writeMetrics(t, levels)
		t.Row("n", r.N)
		if r.Positive != "" {
			t.Row("positive", r.Positive)
		}
		writeMetrics(t, whole)
	} else {
		writeIntervals(t, r)
	}
	if r.Regions != nil {
		writeRegions(t, r)
	}
	if r.Classes != nil {
		writeConfusion(t, r)
	}
	writeClasses(t, r)
}

// writeConfusion writes the confusion matrix.
func writeConfusion(t *cli.Table, r metrics.Report) {
	t.Row("confusion", r.Classes)
	for truth, class := range r.Classes {
		counts := make([]string, len(r.Classes))
		for predicted := range counts {
			counts[predicted] = strconv.FormatInt(r.Confusion.At(truth, predicted), 10)
		}
		t.Row(class, counts)
	}
}

// writeClasses writes the figures of each class, and their intervals if they are known.
func writeClasses(t *cli.Table, r metrics.Report) {
	columns := []string{"precision", "recall", "f1"}
	if r.Labels != nil {
		columns = append(columns, "breakeven")
	}
	if r.ClassIntervals != nil {
		columns = append(columns, "precision_lower", "precision_upper", "recall_lower", "recall_upper", "f1_lower",
			"f1_upper")
	}
	if r.Labels != nil || r.Classes != nil {
		t.Row("class", "n", columns)
	}
	for _, c := range r.LabelFigures() {
		t.Row(c.Class, c.N, cli.Metrics(c.List()...), cli.Metrics(c.BreakEven), intervalCells(c.ClassInterval))
	}
	for _, c := range r.PerClass() {
		t.Row(c.Class, c.N, cli.Metrics(c.List()...), intervalCells(c.ClassInterval))
	}
}

// intervalCells are the ends of the intervals of precision, recall and F1, none if they are not known.
func intervalCells(i *metrics.ClassInterval) (cells []cli.Metric) {
	if i != nil {
		lower, upper := i.Lower.List(), i.Upper.List()
		for k := range lower {
			cells = append(cells, cli.Metrics(lower[k], upper[k])...)
		}
	}
	return cells
}

// writeRegions writes how often regions hold the truth, of classes for each of them too.
func writeRegions(t *cli.Table, r metrics.Report) {
	t.Row("region", "n", "coverage", "mean_size", "abstained")
	all := r.Regions
	if all.Abstained == nil {
		t.Row("all", r.N, cli.Metrics(all.Coverage, all.Size), "NA")
		return
	}
	t.Row("all", r.N, cli.Metrics(all.Coverage, all.Size, *all.Abstained))
	for _, c := range all.Classes {
		t.Row(c.Class, c.N, cli.Metrics(c.Coverage, c.Size), "NA")
	}
}

// writeIntervals writes the metrics with their intervals.
func writeIntervals(t *cli.Table, r metrics.Report) {
	t.Header("metric", "value", "lower", "upper")
	t.Row("n", r.N, "", "")
	if r.Positive != "" {
		t.Row("positive", r.Positive, "", "")
	}
	for m, name := range r.Names {
		t.Row(name, cli.Metrics(r.Values[m], r.Interval.Lower.Values[m], r.Interval.Upper.Values[m]))
	}
}

func writeMetrics(t *cli.Table, s metrics.Scalars) {
	for m, name := range s.Names {
		t.Row(name, cli.Metrics(s.Values[m]))
	}
}

// compareOptions are the options of compare: those of evaluate, without a model.
type compareOptions struct{ evaluateOptions }

func (o *compareOptions) Flags(f *cli.Flags) {
	o.Labels.Flags(f)
	o.RecordFlags(f)
	f.String(&o.query, "query", "", queryHelp).Default("that of training, if there was one")
	f.Section(cli.OfOutput)
	o.groupFlags(f, "draw groups of records")
	f.Int(&o.replicates, "bootstrap", metrics.DefaultReplicates, "`N` samples of the records").Between(100, 1e6)
	o.reportOptions.flags(f)
}

func (o *compareOptions) Run(c *cli.Call) error {
	if err := o.foldOptions.check(); err != nil {
		return err
	}
	if slices.Contains(c.Args, "-") {
		return cli.Usagef("- is standard input, and compare reads its records twice: give files")
	}
	paths, files := modelsFirst(c.Args)
	if len(paths) != 2 {
		return cli.Usagef("model files among the operands: %d, want two, A and B, which train wrote", len(paths))
	}
	var both [2]*applied
	for i, path := range paths {
		one := o.evaluateOptions
		one.Path, c.Args = path, files
		var err error
		if both[i], err = one.apply(c); err != nil {
			return err
		}
	}
	if err := comparable(both, paths); err != nil {
		return err
	}
	input.NotePositive(c, &both[0].Classifier.Rule)
	c.Stage("bootstrapping")
	rows, err := measure.Compare(c.Context, both[0].truth, o.replicates, c.Seed, both[0].predictions, both[1].predictions)
	if err != nil {
		return err
	}
	if err := o.output.WriteTable(o.format, func(t *cli.Table) { writeComparison(t, rows) }); err != nil {
		return err
	}
	for i, on := range both {
		on.Warn()
		on.Suspects.WarnKnown(c, paths[i]+" has an advantage that it would not have on new data")
	}
	return nil
}

// modelsFirst separates model files from other operands.
func modelsFirst(operands []string) (models, others []string) {
	for _, path := range operands {
		if model.IsModel(path) {
			models = append(models, path)
		} else {
			others = append(others, path)
		}
	}
	return models, others
}

// comparable returns an error unless both models decide between the same classes.
func comparable(both [2]*applied, paths []string) error {
	a, b := &both[0].Classifier.Rule, &both[1].Classifier.Rule
	switch {
	case a.Labelling() != b.Labelling():
		return fmt.Errorf("%s is a model for %s, %s for %s: their metrics differ", paths[0], taskText(a), paths[1],
			taskText(b))
	case !slices.Equal(both[0].truth.Classes, both[1].truth.Classes):
		return fmt.Errorf("%s has the classes %s, %s has %s: want the same", paths[0], cli.ListNames(a.Classes),
			paths[1], cli.ListNames(b.Classes))
	case a.Positive != b.Positive:
		return fmt.Errorf("the scores of %s are those of class %s, of %s those of %s: want the same (train --positive)",
			paths[0], a.Classes[a.Positive], paths[1], b.Classes[b.Positive])
	}
	return nil
}

func writeComparison(t *cli.Table, rows []measure.Difference) {
	t.Header("metric", "method", "a", "b", "difference", "lower", "upper", "p")
	for _, r := range rows {
		t.Row(r.Metric, r.Method, cli.Metric(r.A), cli.Metric(r.B), cli.Metric(r.Difference), cli.Metric(r.Lower),
			cli.Metric(r.Upper), r.P)
	}
}
