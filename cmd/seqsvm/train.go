package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// trainOptions are the options of train.
type trainOptions struct {
	experimentOptions
	summaryOptions
	stream      streamOptions
	tags        tag.Options
	predictions cli.Output
}

// summaryOptions are those of commands that write a model and print a summary.
type summaryOptions struct {
	format        string
	model         cli.Output
	keepSequences bool
	noSketch      bool
}

func (o *trainOptions) Flags(f *cli.Flags) {
	o.experimentOptions.flags(f, usualHelp)
	o.learning.calibrationFlags(f)
	o.learning.conformalFlag(f)
	o.stream.flags(f)
	o.tags.Flags(f)
	o.summaryOptions.flags(f)
	f.File(&o.model, "output,o", "model `FILE` to write (required)").Holds(cli.ModelFile)
	f.File(&o.predictions, "predictions", "`FILE` for the model's predictions on its own training data")
}

func (o *summaryOptions) flags(f *cli.Flags) {
	f.Format(&o.format, "format of the summary: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Bool(&o.keepSequences, "keep-sequences", "store support vectors even if the kernel folds them into a table")
	f.Bool(&o.noSketch, "no-sketch", "store no hashes of training records and k-mers, by which evaluate, explain and "+
		"scan recognise training data, and anyone can test whether a record was among them")
}

func (o *trainOptions) Run(c *cli.Call) error {
	if !o.model.Given() {
		return cli.Usagef("--output is required: the model file to write")
	}
	if o.learning.task == tag.Task {
		return o.tags.Train(c, o.learning.ofTags(), &o.model, o.summaryOptions.format)
	}
	if err := c.Require("--task "+tag.Task, tag.Names...); err != nil {
		return err
	}
	if o.streams(c, &o.stream, o.unstreamed()) {
		return o.runStream(c)
	}
	e, err := newExperiment(c, &o.experimentOptions)
	if err != nil {
		return err
	}
	if !o.keepSequences {
		if err := e.trainer.CheckMerge(e.data); err != nil {
			return e.records.Placed(err)
		}
	}
	start := time.Now()
	trained, err := e.train(c, &o.summaryOptions)
	if err != nil {
		return err
	}
	summary := e.summary(trained, cli.Seconds(time.Since(start).Seconds()))
	if err := e.writeTrainingPredictions(c, trained, &o.predictions); err != nil {
		return e.records.Placed(err)
	}
	if err := e.save(c, trained, &o.summaryOptions, o.kernel.portable(o.kernel.describe(c), &o.reading)); err != nil {
		return err
	}
	c.Report(o.format, summary, nil)
	return e.remark(c, trained)
}

// train trains on all data, shows progress, and makes what else the model has of them.
func (e *experiment) train(c *cli.Call, o *summaryOptions) (trained *decide.Model, err error) {
	if !o.keepSequences {
		e.trainer.Pack = e.records.DetectAlphabet()
	}
	c.Stage("training")
	runs := 1
	if e.trainer.Conformal {
		runs = 2 // cross-validation as well
	}
	e.trainer.Progress = showSolver(c, e.trainer.Tol, runs)
	err = parallel.Do(c.Context, 3, func(what int) (err error) { // a descent is for one processor
		switch alphabet := e.records.DetectAlphabet(); {
		case what == 0:
			trained, err = e.trainer.Train(c.Context, e.data)
		case what == 1 && !o.noSketch:
			e.sketch, err = model.NewSketch(c.Context, e.data.Corpus, alphabet)
		case what == 2 && e.input.Reading.Tree == "":
			e.drift = drift.New(e.data.Corpus, alphabet)
		}
		return err
	})
	return trained, e.records.Placed(optionError(err))
}

// save writes the model file with the options.
func (e *experiment) save(c *cli.Call, trained *decide.Model, o *summaryOptions, options string) error {
	c.Stage("writing the model")
	m, err := e.modelOf(c, trained, o.keepSequences, options)
	if err != nil {
		return err
	}
	return e.records.Placed(o.model.Write(m.Write))
}

// modelOf makes the model of all data, with the options in it.
func (e *experiment) modelOf(c *cli.Call, trained *decide.Model, keepSequences bool, options string) (*model.Model,
	error) {
	m, err := model.New(c.Context, trained, model.Options{KeepSequences: keepSequences})
	if err != nil {
		return nil, e.records.Placed(err)
	}
	m.Input = e.input
	m.Training = model.TrainingOn(e.data.Corpus, e.records.Labels).WithoutNumbers(len(e.spec.Columns()))
	m.Training.Anchor = model.AnchorOf(e.data.Corpus, m.Kernel.Alphabet())
	m.Sketch, m.Drift = e.sketch, e.drift
	m.Generator = model.Generator{Version: seqsvm.Version, Options: options}
	return m, nil
}

// writeTrainingPredictions scores the training data with the model in memory.
func (e *experiment) writeTrainingPredictions(c *cli.Call, trained *decide.Model, out *cli.Output) error {
	if !out.Given() {
		return nil
	}
	c.Stage("scoring the training data")
	classifier, err := trained.Classifier(c.Context)
	if err != nil {
		return err
	}
	return out.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Err = inParts(e.data.Corpus, classifier.Scorer.Outputs(),
			decisions(c.Context, classifier, e.input.Separator, t, e.records.IDs(), func(bool) error { return nil },
				func(*decide.Prediction) {}),
			func(some, of int) { c.Show(float64(some)/float64(of), "%d records", some) })
	})
}

// exactC is the cost from which rounding of the margins, 1e-16 of each, may prevent the tolerance from being reached;
// from 1e13 on it does, whatever the data.
const exactC = 1e9

// remark says which solver was chosen and why, which machines stopped short of the tolerance, and what else a user
// should know of the model.
func (e *experiment) remark(c *cli.Call, trained *decide.Model) error {
	if first := trained.Machines[0]; first.Reason != "" {
		c.Say("seqsvm: solver %s: %s", first.Solver, first.Reason)
	}
	if learned, err := catalog.SpecOf(trained.Kernel); err == nil && learned.String() != e.spec.String() {
		c.Say("seqsvm: kernel with what was learned: %s", learned)
	}
	if m := trained.Mixture; m != nil {
		c.Say("seqsvm: weights of kernels: norm %g, relative gap %.2g after %d trainings", m.Norm, m.Gap, m.Iterations)
		if m.Gap > e.trainer.Tol {
			c.Warn("the weights of the kernels stopped at a relative gap of %.3g, above --tol %g", m.Gap, e.trainer.Tol)
		}
	}
	remarkApproximations(c, trained.Approximations)
	if trained.Unreachable() {
		c.Warn("no threshold met --threshold %s on records left out in training, so that no record will be predicted to be "+
			"%s", trained.Criterion, trained.Classes[trained.Positive])
	}
	remarkGaps(c, trained, e.trainer)
	return remarkApart(c, trained, e.data.Len())
}

// remarkApproximations says how well kernels are approximated.
func remarkApproximations(c *cli.Call, list []stringkernel.Approximation) {
	for _, a := range list {
		c.Say("seqsvm: approximation: %s", a)
	}
}

// remarkGaps says which machines stopped short of the tolerance.
func remarkGaps(c *cli.Call, trained *decide.Model, t classify.Trainer) {
	for i, m := range trained.Problems {
		if m.Gap > t.Tol {
			hint := ""
			if t.C > exactC {
				hint = fmt.Sprintf("; with --C %g, rounding errors of margins are costly; a smaller one may converge", t.C)
			}
			c.Warn("machine %d of %d stopped at a relative gap of %.3g, above --tol %g%s", i+1, len(trained.Problems),
				m.Gap, t.Tol, hint)
		}
	}
}

// trainSummary is what train prints. Objectives and counts are sums over the problems solved; the gap is the largest.
type trainSummary struct {
	N              int         `json:"n"`
	Letters        int         `json:"letters"`
	SupportVectors int         `json:"support_vectors"`
	Solver         string      `json:"solver"`
	Iterations     int         `json:"iterations"`
	Primal         float64     `json:"primal"`
	Dual           float64     `json:"dual"`
	Gap            float64     `json:"gap"`
	Seconds        cli.Seconds `json:"seconds"`
}

func (e *experiment) summary(trained *decide.Model, took cli.Seconds) trainSummary {
	n, beside := e.data.Len(), len(e.spec.Columns())*stringkernel.NumberLetters
	return summaryOf(trained, n, e.data.Corpus.Letters()-n*beside, took)
}

// summaryOf returns that of a training on n records.
func summaryOf(trained *decide.Model, n, letters int, took cli.Seconds) trainSummary {
	s := trainSummary{
		N: n, Letters: letters, SupportVectors: trained.SupportVectors, Solver: trained.Machines[0].Solver, Seconds: took,
	}
	if trained.Support != nil {
		s.SupportVectors = trained.Support.Len()
	}
	for _, m := range trained.Problems {
		s.Iterations += m.Iterations
		s.Primal += m.Primal
		s.Dual += m.Dual
		s.Gap = max(s.Gap, m.Gap)
		if m.Solver != s.Solver {
			s.Solver = "mixed"
		}
	}
	return s
}

// remarkApart warns if a model knows each of its n training records by itself, as with words of records without spaces.
func remarkApart(c *cli.Call, trained *decide.Model, n int) error {
	if n < 2 || trained.Support == nil || trained.Support.Len() < n { // a record without a coefficient is like another
		return nil
	}
	apart, err := haveNothingInCommon(c.Context, trained.Kernel, trained.Support)
	if apart {
		c.Warn("no two of the %d records have a feature of the kernel in common, so that none tells anything about another; "+
			"take shorter features, or a kernel for records like these (seqsvm about kernels)", n)
	}
	return err
}

// comparedFirst is how many pairs of neighbours are compared before all records are.
const comparedFirst = 64

// haveNothingInCommon reports whether the values of a kernel between any two of the records are 0.
func haveNothingInCommon(ctx context.Context, kernel stringkernel.Kernel, records *stringkernel.Corpus) (bool, error) {
	n := records.Len()
	for i := range min(n-1, comparedFirst) {
		if kernel.Eval(records.Seq(i), records.Seq(i+1)) != 0 {
			return false, nil
		}
	}
	gram, err := kernel.Gram(ctx, records)
	if err != nil {
		return false, err
	}
	ones, sums, own := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	gram.MulVecTo(sums, ones)
	gram.Diag(own)
	for i, k := range own {
		if math.Abs(sums[i]-k) > 1e-12*max(1, k) {
			return false, nil
		}
	}
	return true, nil
}
