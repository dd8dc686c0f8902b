package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/online"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// learnOptions are the options of learn.
type learnOptions struct {
	online.Options // but Kernel and Classes
	kernel         kernelOptions
	task           string
	classes        string
	positive       string
	reading        input.Reading
	format         string
	model          cli.Output
}

func (o *learnOptions) Flags(f *cli.Flags) {
	o.kernel.flags(f, specHelp)
	o.learnerFlags(f)
	o.reading.RecordFlags(f)
	f.Format(&o.format, "format of the summary: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.File(&o.model, "output,o", "model `FILE` to write (required)").Holds(cli.ModelFile)
}

// learnerFlags binds the options of the learner.
func (o *learnOptions) learnerFlags(f *cli.Flags) {
	f.Section(input.OfLearning)
	f.Choice(&o.task, "task", "what is learned: classify, regress or novelty", string(dataset.Classes),
		string(dataset.Regression), string(dataset.Novelty))
	f.Choice(&o.Algorithm, "algorithm", "passive-aggressive (PA-I, averaged), perceptron (averaged) or norma "+
		"(stochastic gradient descent on a regularised hinge loss; that of novelty)", online.AlgorithmNames()...)
	f.Float64(&o.Bias, "bias", 0.3, "value of the feature whose weight is the bias; 0: no bias")
	f.Float64(&o.C, "C", 1, "passive-aggressive: the greatest step")
	f.Float64(&o.Lambda, "lambda", 1e-4, "norma: λ of the decay, 1 − λ/√t of record t")
	f.Float64(&o.Epsilon, "epsilon", 0.1, "regress: the error that costs nothing")
	f.Float64(&o.Nu, "nu", 0.1, "novelty: the share of records to be taken for novel").Share()
	f.String(&o.classes, "classes", "", "`CLASSES` known beforehand, separated by commas; others are added when they "+
		"are met").Default("those that are met")
	f.String(&o.positive, "positive", "", "with two classes: `CLASS` that scores above 0 speak for").Default("the one " +
		"that its name affirms (docs/input.md), else the second in sorted order")
}

func (o *learnOptions) Run(c *cli.Call) error {
	if !o.model.Given() {
		return cli.Usagef("--output is required: the model file to write")
	}
	s, r, err := o.open(c)
	if err != nil {
		return err
	}
	start := time.Now()
	c.Stage("learning")
	read := r.Batches
	if s.o.Task == dataset.Classes {
		read = func(size int, visit func(*input.Records) error) error {
			return r.LabelledBatches(&input.Labels{}, size, visit)
		}
	}
	if err := read(learnBatch, s.add); err != nil && !s.interrupted(err) {
		return err
	}
	if err := s.finish(); err != nil {
		return err
	}
	s.warnOrder()
	s.doubts.Warn(c)
	input.WarnKernels(c, s.spec)
	c.Report(o.format, s.summary(time.Since(start)), nil)
	c.Afterwards(c.Context.Err) // of an interrupt, after which the model is that of the records so far
	return s.save(&o.model, "learn "+o.kernel.portable(o.kernel.describe(c), &o.reading))
}

// learnBatch is the size of a batch of records, as seqio.BatchSize counts it.
var learnBatch = 64 << 10 // a variable for tests

// unlearned lists, by task and by algorithm, the options of learn that have no meaning for it.
var unlearned = map[string][]string{
	string(dataset.Classes):    {"epsilon", "nu"},
	string(dataset.Regression): {"classes", "positive", "nu"},
	string(dataset.Novelty):    {"classes", "positive", "epsilon"},
	online.PassiveAggressive:   {"lambda"},
	online.Perceptron:          {"C", "lambda"},
	online.NORMA:               {"C"},
}

// open checks the options before anything is read.
func (o *learnOptions) open(c *cli.Call) (*learning, input.Reader, error) {
	spec, r, err := kernelAndReader(c, &o.kernel, &o.reading)
	if err != nil {
		return nil, r, err
	}
	if o.Classes, err = classesOf("classes", o.classes); err != nil {
		return nil, r, err
	}
	o.Task = dataset.Task(o.task)
	if o.Task == dataset.Novelty && !c.Given("algorithm") {
		o.Algorithm = online.NORMA
	}
	for _, value := range []string{o.task, o.Algorithm} {
		if err := c.Refuse(value, unlearned[value]...); err != nil {
			return nil, r, err
		}
	}
	r.Options.FirstDecides = true
	s := &learning{o: o, call: c, spec: spec, read: r.Options, sizes: map[string]int{}, next: firstReport}
	return s, r, optionError(o.CheckOptions())
}

// learnSummary is what learn prints.
type learnSummary struct {
	N         int         `json:"n"`
	Letters   int         `json:"letters"`
	Classes   []string    `json:"classes"`
	Algorithm string      `json:"algorithm"`
	Updates   int         `json:"updates"`
	Error     float64     `json:"error"`
	Kept      int         `json:"kept"`
	Seconds   cli.Seconds `json:"seconds"`
}

// training describes the records that were learned from.
func (s *learning) training() model.Training {
	return s.tally.Training().WithoutNumbers(len(s.spec.Columns()))
}

func (s *learning) summary(took time.Duration) learnSummary {
	return learnSummary{
		N: s.learner.Seen(), Letters: s.training().Letters, Classes: append([]string{}, s.learner.Classes()...),
		Algorithm: s.o.Algorithm, Updates: s.learner.Updates(), Error: s.error(), Kept: s.learner.Records(),
		Seconds: cli.Seconds(took.Seconds()),
	}
}

// learning is a stream under way.
type learning struct {
	o     *learnOptions
	call  *cli.Call
	spec  catalog.Spec
	read  seqio.Options // settled by the first records
	early []*input.Records

	doubts  input.Suspects
	learner *online.Learner // nil while records are collected to fit the kernel to
	tally   model.Tally
	looks   drift.Collector
	errors  float64 // of all predictions
	sizes   map[string]int
	changes int // of the label from one record to the next
	label   string
	next    int // record after which the errors are reported
	before  struct {
		seen   int
		errors float64
	}
}

// warmUp is the number of records that a kernel that depends on a corpus is fitted to.
var warmUp = 10_000 // a variable for tests

// firstReport is the number of records after which the errors are reported first, then twice as many, and so on.
const firstReport = 1000

// add learns from a batch, once the kernel is there.
func (s *learning) add(batch *input.Records) error {
	if s.tally.Training().Sequences == 0 && len(s.early) == 0 {
		if err := s.settle(batch); err != nil {
			return err
		}
	}
	unlabelled := s.o.Task == dataset.Novelty
	if err := cmp.Or(batch.WantLabels(unlabelled), batch.Placed(s.spec.CheckCorpus(batch.Corpus, 0))); err != nil {
		return err
	}
	s.doubts.Add(batch)
	if s.learner != nil {
		return s.learn(batch)
	}
	s.early = append(s.early, batch)
	waiting := 0
	for _, b := range s.early {
		waiting += b.Corpus.Len()
	}
	kernel, err := s.spec.Compile("")
	if err != nil || stringkernel.DependsOnCorpus(kernel) && waiting < warmUp {
		return err
	}
	return s.begin(kernel)
}

// settle takes from the first records what holds for all.
func (s *learning) settle(first *input.Records) (err error) {
	if s.o.Task == dataset.Classes {
		if err := first.CheckTraining(); err != nil {
			return err
		}
	}
	if s.spec, s.read, err = settle(s.call, s.spec, s.read, first); err != nil {
		return err
	}
	s.doubts.Spec = s.spec
	return nil
}

// begin fits the kernel to the records collected and learns from them.
func (s *learning) begin(kernel stringkernel.Kernel) (err error) {
	if stringkernel.DependsOnCorpus(kernel) {
		if kernel, err = stringkernel.Fit(context.WithoutCancel(s.call.Context), kernel, s.head()); err != nil {
			return err
		}
	}
	approximations, err := compose.Approximations(context.WithoutCancel(s.call.Context), kernel)
	if err != nil {
		return err
	}
	remarkApproximations(s.call, approximations)
	options := s.o.Options
	options.Kernel = kernel
	if s.learner, err = online.New(options); err != nil {
		return err
	}
	early := s.early
	s.early = nil
	for _, batch := range early {
		if err := s.learn(batch); err != nil {
			return err
		}
	}
	return nil
}

// head returns the records to fit the kernel to.
func (s *learning) head() *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	n := 0
	for _, batch := range s.early {
		for i := range min(batch.Corpus.Len(), warmUp-n) {
			b.Add("", batch.Corpus.Seq(i))
			n++
		}
	}
	s.call.Say("seqsvm: the kernel is fitted to the first %s", plural.Of(n, "record"))
	return b.Corpus()
}

// learn predicts the records of a batch and learns from them, one after the other, to its end: an interrupt ends the
// stream after it.
func (s *learning) learn(batch *input.Records) error {
	records, err := s.recordsOf(batch)
	if err != nil {
		return batch.Located(err)
	}
	for i, r := range records {
		outcome, err := s.learner.Learn(context.WithoutCancel(s.call.Context), r)
		if err != nil {
			return batch.Located(err)
		}
		s.tally.Add(r.X, batch.Labels[i])
		s.looks.Add(r.X)
		s.follow(r.Label)
		s.errors += s.errorOf(r, outcome)
		if s.learner.Seen() == s.next {
			s.report()
		}
	}
	s.call.Show(0, "%d records, error %.4f", s.learner.Seen(), s.error())
	return nil
}

// recordsOf returns the records of a batch, with the numbers that a regression needs for labels.
func (s *learning) recordsOf(batch *input.Records) ([]online.Record, error) {
	records := make([]online.Record, batch.Corpus.Len())
	for i := range records {
		records[i].X = batch.Corpus.Seq(i)
	}
	if s.o.Task != dataset.Regression {
		for i, label := range batch.Labels {
			records[i].Label = label
		}
		return records, nil
	}
	d, err := dataset.NewTargets(batch.Corpus, batch.Labels, nil)
	if err != nil {
		return nil, err
	}
	for i, value := range d.Targets {
		records[i].Value = value
	}
	return records, nil
}

// errorOf returns the error of a prediction: 1 for a wrong class or a known record taken for novel, or the distance of
// the number.
func (s *learning) errorOf(r online.Record, predicted online.Outcome) float64 {
	switch {
	case s.o.Task == dataset.Regression:
		return math.Abs(r.Value - predicted.Score)
	case s.o.Task == dataset.Novelty && predicted.Score < 0,
		s.o.Task == dataset.Classes && predicted.Class != r.Label:
		return 1
	}
	return 0
}

// report says how great the errors of the predictions were.
func (s *learning) report() {
	seen := s.learner.Seen()
	last := (s.errors - s.before.errors) / float64(seen-s.before.seen)
	s.call.Say("seqsvm: %d records: error %.4f, of the last %d %.4f", seen, s.error(), seen-s.before.seen, last)
	s.before.seen, s.before.errors, s.next = seen, s.errors, 2*s.next
}

// follow counts the label of the next record.
func (s *learning) follow(label string) {
	if label != s.label {
		s.label = label
		s.changes++
	}
	s.sizes[label]++
}

// warnOrder warns of records that come class by class: far fewer changes of the label than there would be in no order.
func (s *learning) warnOrder() {
	n := float64(s.learner.Seen())
	expected := n
	for _, size := range s.sizes {
		expected -= float64(size) * float64(size) / n
	}
	if s.o.Task == dataset.Classes && float64(s.changes) < expected/10 && expected > 20 {
		s.call.Warn("the records come class by class (%d changes of the label in %d): shuffle them, for what is learned "+
			"last counts most and the error of the predictions says nothing", s.changes-1, s.learner.Seen())
	}
}

// error returns the mean error.
func (s *learning) error() float64 { return s.errors / float64(s.learner.Seen()) }

// interrupted reports whether the stream was ended by an interrupt after records were learned from.
func (s *learning) interrupted(err error) bool {
	if s.call.Context.Err() == nil || s.learner == nil && len(s.early) == 0 {
		return false
	}
	s.call.Say("seqsvm: the stream was interrupted: the model is of what was learned before")
	return true
}

// finish learns from the records of a stream that ended before the kernel was fitted.
func (s *learning) finish() error {
	if s.learner != nil {
		return nil
	}
	kernel, err := s.spec.Compile("")
	if err != nil {
		return err
	}
	return s.begin(kernel)
}

// positive returns the class of --positive. The stream is over: a wrong one costs a warning, not the model.
func (s *learning) positive() string {
	name, classes := s.o.positive, s.learner.Classes()
	if name == "" || len(classes) == 2 && slices.Contains(classes, name) {
		return name
	}
	s.call.Warn("--positive %s is ignored, want one of two classes: the stream has %.200q", name, classes)
	return ""
}

// save writes the model.
func (s *learning) save(to *cli.Output, options string) error {
	s.call.Stage("writing the model")
	ctx := context.WithoutCancel(s.call.Context)
	trained, err := s.learner.Model(ctx, s.positive())
	if err != nil {
		return err
	}
	input.NotePositive(s.call, &trained.Rule)
	if trained.Approximations, err = compose.Approximations(ctx, trained.Kernel); err != nil {
		return err
	}
	m, err := model.New(ctx, trained, model.Options{})
	if err != nil {
		return err
	}
	m.Input, m.Training = model.InputOf(s.read), s.training()
	m.Generator = model.Generator{Version: seqsvm.Version, Options: options}
	if s.read.Tree.Syntax == "" {
		m.Drift = s.looks.Profile(cmp.Or(s.read.Alphabet, s.spec.Alphabet()))
	}
	return to.Write(m.Write)
}
