package main

import (
	"time"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/online"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/model"
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

func learnCommand() *cli.Command {
	o := new(learnOptions)
	return &cli.Command{
		Name:     "learn",
		Usage:    "learn from a stream of records, one at a time",
		Example:  "seqsvm learn --kernel spectrum:k=6,rc testdata/fasta/promoters.fa -o promoters.seqsvm",
		Operands: "FILE…  or  -",
		Description: `Each record is predicted, then learned from once, then forgotten, so that a stream of any length, such
as standard input, is learned from in constant memory by kernels that fold into a table: spectrum with
k-mers of up to 24 bits (dna: 12 letters), gapped and mismatch on dna with few mismatches, and words.
Other kernels keep the records that they learned from; norma lets them decay. The error of
these predictions, which is an estimate for new data, goes to standard error after 1000, 2000, 4000, …
records, the summary to standard output.

Labels come from the headers, columns or fields. The classes are those that are met, or --classes and
those that are met besides. What the letters are follows the first records unless --alphabet says it. A
kernel with weights by document frequency, and the vocabulary of words, are fitted to the first 10,000
records, which are read before any is learned from. Records should come in no order: of all of one class
after all of another, nothing is learned but the last.

--task regress learns the number that is the label, and its error is the mean absolute one. --task novelty
takes all records for known ones, and its error is the share that it took for novel.

An interrupt (Ctrl-C) ends the stream: the model of what was learned so far is written, and the exit
status is 130. A second one ends the program without a model.`,
		Flags: func(f *cli.Flags) {
			o.kernel.flags(f, specHelp)
			o.flags(f)
			o.reading.RecordFlags(f)
			o.reading.AlphabetFlags(f)
			f.Format(&o.format, "format of the summary: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
			f.File(&o.model, "output,o", "model `FILE` to write (required)").Holds(cli.ModelFile)
		},
		Run: o.run,
	}
}

// flags binds the options of the learner.
func (o *learnOptions) flags(f *cli.Flags) {
	f.Section(input.OfLearning)
	f.Choice(&o.task, "task", "what is learned: classify, regress or novelty", string(dataset.Classes),
		string(dataset.Regression), string(dataset.Novelty))
	f.Choice(&o.Algorithm, "algorithm", "passive-aggressive (PA-I, averaged), perceptron (averaged) or norma "+
		"(stochastic gradient descent on a regularised hinge loss; that of novelty)", online.AlgorithmNames()...)
	f.Float64(&o.Bias, "bias", 0.3, "value of the feature whose weight is the bias; 0: no bias")
	f.Float64(&o.C, "C", 1, "passive-aggressive: the greatest step")
	f.Float64(&o.Lambda, "lambda", 1e-4, "norma: λ of the decay, 1 − λ/√t of record t")
	f.Float64(&o.Epsilon, "epsilon", 0.1, "regress: the error that costs nothing")
	f.Float64(&o.Nu, "nu", 0.1, "novelty: the share of records to be taken for novel").Above(0)
	f.String(&o.classes, "classes", "", "`CLASSES` known beforehand, separated by commas; others are added when they "+
		"are met").Default("those that are met")
	f.String(&o.positive, "positive", "", "with two classes: `CLASS` that scores above 0 speak for").Default("the one " +
		"that its name affirms (docs/input.md), else the second in sorted order")
}

func (o *learnOptions) run(c *cli.Call) error {
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
	return s.save(&o.model, "learn "+o.kernel.describe(c))
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
		N: s.learner.Seen(), Letters: s.training().Letters, Classes: s.learner.Classes(), Algorithm: s.o.Algorithm,
		Updates: s.learner.Updates(), Error: s.error(), Kept: s.learner.Records(),
		Seconds: cli.Seconds(took.Seconds()),
	}
}
