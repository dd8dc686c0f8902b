package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/report"
	"github.com/seqsvm/seqsvm/report/page"
)

// pageOptions are the options of report: those of cv and, with a model, of evaluate.
type pageOptions struct {
	input.Model
	experimentOptions
	bootstrapOptions
	confidenceOptions
	baselineOptions
	title           string
	records, tracks int
	known           knownMotifs
	output, card    cli.Output
}

func (o *pageOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	o.experimentOptions.flags(f, usualHelp)
	o.learning.calibrationFlags(f)
	o.folds.flags(f, 10)
	o.baselineOptions.flags(f, "; without it, Markov chains alone")
	f.Section(cli.OfOutput)
	f.Output(&o.output, "output,o", "`FILE` to write").Holds(cli.HTML)
	f.File(&o.card, "card", "`FILE` for a model card: data, metrics, certificates and limits in Markdown")
	f.String(&o.title, "title", "", "heading of the page").Default("the names of the files")
	f.Int(&o.records, "records", report.DefaultRecords, "number of records in the table; of more, those predicted "+
		"worst and others at random").Between(1, 1e6)
	f.Int(&o.tracks, "tracks", report.DefaultTracks, "number of records with contributions").Between(0, 1e4)
	o.known.flags(f)
	f.Float64(&o.confidence, "confidence", usualConfidence, "`PROBABILITY` of the sets of classes, or intervals, of a "+
		"model of train --conformal").Share().Needs("model")
	f.Int(&o.replicates, "bootstrap", 1000, "95 % intervals of all metrics by `N` samples of the records, 0 for none").
		Between(0, 1e6)
}

func (o *pageOptions) Run(c *cli.Call) error {
	paths, files := modelsFirst(c.Args)
	if o.Path != "" {
		paths = append([]string{o.Path}, paths...)
	}
	if c.Args = files; len(paths) > 0 {
		o.Path = paths[0]
	}
	if err := o.check(c); err != nil {
		return err
	}
	s, err := o.describe(c, paths)
	if err != nil {
		return err
	}
	if s.KnownMotifs, err = o.known.read(s.Model.Kernel.Alphabet()); err != nil {
		return err
	}
	c.Stage("writing the page")
	s.Records, s.Tracks, s.Replicates, s.Seed = o.records, o.tracks, o.replicates, c.Seed
	if s.Other != nil {
		s.Other.KnownMotifs, s.Other.Seed, s.Other.Replicates = s.KnownMotifs, s.Seed, s.Replicates
	}
	s.Progress = func(done, of int) { c.Show(float64(done)/float64(of), "%d of %d explanations", done, of) }
	if o.tracks == 0 {
		s.Tracks = -1
	}
	if o.title != "" {
		s.Title = o.title
	}
	s.Foot = fmt.Sprintf("Written by seqsvm %s, seed %d.", seqsvm.Version, c.Seed)
	p, err := s.Page(c.Context)
	if err != nil {
		return err
	}
	err = o.card.Write(func(w io.Writer) error {
		return p.WriteMarkdown(w, "metrics", "classes", "regions", "leakage", "shifts", "model")
	})
	if err != nil {
		return err
	}
	if err := o.output.Write(p.Write); err != nil {
		return err
	}
	o.sayFigure(c, p)
	return nil
}

// sayFigure says the first figure of the page, with its interval.
func (o *pageOptions) sayFigure(c *cli.Call, p *page.Page) {
	if len(p.Tiles) < 2 || !o.output.Given() {
		return
	}
	figure := p.Tiles[1] // the first is the number of records
	interval := ""
	if figure.Small != "" {
		interval = " (" + figure.Small + ")"
	}
	c.Say("seqsvm: %s: %s %s%s", o.output.Path(), figure.Name, figure.Value, interval)
}

// ofTraining are the options that a model has settled.
var ofTraining = strings.Fields("kernel no-normalize task epsilon lambda landmarks relevance nu prior " +
	"known order weights C loss tol class-weight solver sparse multiclass positive multilabel thresholds " +
	"threshold hierarchy probability folds near-duplicates baseline")

// check finds errors in the options before any file is read.
func (o *pageOptions) check(c *cli.Call) error {
	if o.replicates > 0 && o.replicates < 100 {
		return cli.Usagef("--bootstrap %d, want 0 or 100 to 1000000", o.replicates)
	}
	if o.Path != "" {
		if err := c.Refuse("--model, which is trained", ofTraining...); err != nil {
			return err
		}
	}
	return o.folds.check()
}

// describe describes a cross-validation, a model or two on labelled records.
func (o *pageOptions) describe(c *cli.Call, paths []string) (*report.Subject, error) {
	switch {
	case len(paths) == 0:
		return o.validated(c)
	case len(paths) == 1:
		s, on, err := o.applied(c)
		if err == nil {
			on.warnKnown(c)
		}
		return s, err
	case len(paths) > 2:
		return nil, cli.Usagef("%d models, want one, or two to compare", len(paths))
	case slices.Contains(c.Args, "-"):
		return nil, cli.Usagef("- is standard input, and a report on two models reads its records twice: give files")
	}
	var both [2]*applied
	var subjects [2]*report.Subject
	files := c.Args
	for i, path := range paths {
		var err error
		o.Path, c.Args = path, files
		if subjects[i], both[i], err = o.applied(c); err != nil {
			return nil, err
		}
		subjects[i].Name, _, _ = input.NameOf(path)
	}
	if subjects[0].Name == subjects[1].Name {
		subjects[0].Name, subjects[1].Name = paths[0], paths[1]
	}
	if err := comparable(both, paths); err != nil {
		return nil, err
	}
	s := subjects[0]
	s.Title = fmt.Sprintf("%s and %s on %s", s.Name, subjects[1].Name, fileNames(both[0].data))
	s.Lead = fmt.Sprintf("%s and %s, %s", s.Model.Kernel, subjects[1].Model.Kernel, taskText(&s.Model.Decision))
	s.Other, s.Warnings = subjects[1], subjects[1].Warnings // of both, which came one after the other
	both[0].warnKnown(c)
	both[1].warnKnown(c)
	c.Stage("comparing")
	var err error
	s.Differences, err = measure.Compare(c.Context, s.Data, o.replicates, c.Seed, s.Predictions, s.Other.Predictions)
	return s, err
}

// applied describes a model on labelled records.
func (o *pageOptions) applied(c *cli.Call) (*report.Subject, *applied, error) {
	e := &evaluateOptions{
		Model: o.Model, Labels: o.labels, Reading: o.reading, foldOptions: o.folds, bootstrapOptions: o.bootstrapOptions,
		confidenceOptions: confidenceOptions{o.confidence, true}, query: o.learning.query,
	}
	on, err := e.apply(c)
	if err != nil {
		return nil, nil, err
	}
	measured, err := e.report(c, on)
	if err != nil {
		return nil, nil, err
	}
	input.NotePositive(c, &on.Classifier.Rule)
	on.Warn()
	s := newSubject(on.Model, on.Classifier, on.data, c.Warnings())
	s.Title = filepath.Base(o.Path) + " on " + fileNames(on.data)
	s.Data, s.Predictions, s.Measured, s.Known = on.truth, on.predictions, measured, on.Suspects.Training.Known()
	if o.folds.similarity > 0 {
		if s.Duplicates, err = e.experiment(on.data).nearDuplicates(c); err != nil {
			return nil, nil, err
		}
	}
	return s, on, nil
}

// warnKnown warns of records that the model was trained on. The page has a warning of its own.
func (on *applied) warnKnown(c *cli.Call) {
	on.Suspects.WarnKnown(c,
		"the figures are not those of new data; use records held out from training, or cross-validate")
}

// validated describes a cross-validation, and a model of all records.
func (o *pageOptions) validated(c *cli.Call) (*report.Subject, error) {
	e, err := newExperiment(c, &o.experimentOptions)
	if err != nil {
		return nil, err
	}
	warnings := c.Warnings()
	fold, err := e.folds(c)
	if err != nil {
		return nil, err
	}
	c.Stage("cross-validating")
	e.trainer.Progress = showSolver(c, e.trainer.Tol, e.runs(fold))
	outcome, err := classify.CrossValidate(c.Context, e.trainer, e.data, fold)
	if err != nil {
		return nil, e.records.Placed(optionError(err))
	}
	trained, err := e.train(c, new(summaryOptions))
	if err != nil {
		return nil, err
	}
	remarkApproximations(c, trained.Approximations)
	m, err := e.modelOf(c, trained, false, o.kernel.portable(o.kernel.describe(c), &o.reading))
	if err != nil {
		return nil, err
	}
	classifier, err := m.Classifier(c.Context)
	if err != nil {
		return nil, err
	}
	s := newSubject(m, classifier, e.records, warnings)
	s.Title = "Cross-validation of " + fileNames(e.records)
	s.Data, s.Predictions, s.Duplicates = e.data, outcome.Predictions, e.duplicates
	if err := o.measureFolds(c, s, outcome); err != nil {
		return nil, err
	}
	return s, o.addBaselines(c, e, s.Validation)
}

// addBaselines measures simple methods on the folds of a cross-validation: Markov chains, or all if asked for.
func (o *pageOptions) addBaselines(c *cli.Call, e *experiment, v *report.Validation) (err error) {
	methods := e.markov()
	if o.baseline {
		if methods, err = e.baselines(c); err != nil {
			return err
		}
	}
	return e.compare(c, methods, v.Fold, func(m simpleMethod, outcome *classify.CVResult) error {
		measured, err := search.MeasureFolds(e.data, outcome)
		v.Baselines = append(v.Baselines, report.Baseline{
			Name: m.name, Meaning: m.meaning, Mean: measured.Mean, SD: measured.SD,
		})
		return err
	})
}

// measureFolds measures a cross-validation.
func (o *pageOptions) measureFolds(c *cli.Call, s *report.Subject, outcome *classify.CVResult) error {
	m, err := search.MeasureFolds(s.Data, outcome)
	if err != nil {
		return err
	}
	s.Validation = &report.Validation{CVResult: outcome, Folds: m.Folds, Mean: m.Mean, SD: m.SD}
	if s.Measured, err = measure.Predictions(s.Data, subset.Whole(len(outcome.Predictions)), outcome.Predictions); err != nil {
		return err
	}
	if s.Measured.Interval, err = o.interval(c, s.Data, outcome.Fold, outcome.Predictions, m.Mean); err != nil {
		return err
	}
	return o.classIntervals(c, s.Data, outcome.Predictions, &s.Measured)
}

// newSubject describes a model and the records that it is applied to.
func newSubject(m *model.Model, classifier *decide.Classifier, records *input.Records,
	warnings []string) *report.Subject {
	task := taskText(&m.Decision)
	return &report.Subject{
		Model: m, Classifier: classifier, Corpus: records.Corpus, Labels: records.Labels, Warnings: warnings,
		Lead:  fmt.Sprintf("%s, %s on %s", m.Kernel, task, fileNames(records)),
		Facts: []page.Fact{{Name: "task", Value: task}, {Name: "sketch", Value: newSketchInfo(m.Sketch).String()}},
	}
}

// fileNames are the names of the files of records, without their folders.
func fileNames(records *input.Records) string {
	var names []string
	for _, set := range records.Sets {
		if name := filepath.Base(set.Source); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	const most = 3
	if len(names) > most {
		return fmt.Sprintf("%s and %d more files", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
