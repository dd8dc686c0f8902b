// Package tag has what the commands do for models that tag the tokens of sequences: train, cv and tune with --task tag,
// and predict, evaluate, explain and model info of such a model. Commands call it before they read anything.
package tag

import (
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/tokens"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/tagging"
)

// Task is the value of --task.
const Task = "tag"

const section = "Tagging (--task tag)"

// Input is where tokens and their tags are.
type Input struct {
	Column       int // of --tag
	States, Mask string
}

// InputNames lists the options of Input, and Names all of this package: other tasks have no use for them.
var (
	InputNames = []string{"tag", "states", "mask"}
	Names      = append(slices.Clone(InputNames), "features", "scheme", "learner", "passes")
)

// Flags binds the options.
func (o *Input) Flags(f *cli.Flags) {
	f.Section(section)
	f.Int(&o.Column, "tag", 0, "column of the tags, in files of a token per line with a blank line after each sentence").
		Between(1, 1<<10).Default("the last; evaluate: that of training")
	f.String(&o.States, "states", "", "FASTA `FILE` of states, a letter for each letter of the records").Reads(&o.States)
	f.String(&o.Mask, "mask", "", "FASTA `FILE` of 1 where a state counts and 0 where it is not known").Reads(&o.Mask)
}

// Options are those of learning.
type Options struct {
	Input
	features string
	scheme   tagging.Scheme
	learner  tagging.Learner
	passes   int
}

// Flags binds the options.
func (o *Options) Flags(f *cli.Flags) {
	o.Input.Flags(f)
	f.String(&o.features, "features", "", "what of a token and its neighbours is seen: words:KEY=VALUE,… or "+
		"letters:KEY=VALUE,… (docs/tagging.md)").Default("words, with --states letters")
	cli.Choice(f, &o.scheme, "scheme", "how tags mark names: iob1, iob2, ioe1, ioe2, iobes, bilou, bmewo, bmes "+
		"(docs/tagging.md) or not at all, states; auto: what most tags follow",
		append([]tagging.Scheme{"auto"}, tagging.Schemes()...)...)
	cli.Choice(f, &o.learner, "learner", "margin (structural support vector machine), likelihood (conditional random "+
		"field), perceptron (averaged) or windows (a token at a time)", tagging.Learners()...)
	f.Int(&o.passes, "passes", 20, "perceptron: number of passes").Between(1, 10_000)
}

// Learning are options of other tasks that mean something for this one.
type Learning struct {
	C, Tol float64
}

// usualTol is --tol where it is not given: a hundredth of the objective changes few tags, and costs half the time of a
// thousandth.
const usualTol = 1e-2

// usualC is -C where it is not given: one tells rare names of training from others, and is not slow.
const usualC = 2

// usual lists the options that every command may have beside those of this package.
var usual = append(slices.Clone(Names), "task", "model", "C", "tol", "output", "format", "digits", "folds", "budget", "seed",
	"threads", "max-memory", "quiet", "verbose", "probability", "top", "class")

// check refuses options that mean nothing here.
func check(c *cli.Call, beside string, more ...string) error {
	for _, v := range c.Settings() {
		name := strings.TrimPrefix(v.Name, "--")
		if !slices.Contains(usual, name) && !slices.Contains(more, name) {
			return cli.Usagef("--%s cannot be used with %s", name, beside)
		}
	}
	return nil
}

// trainer returns the trainer of the options.
func (o *Options) trainer(c *cli.Call, l Learning) (tagging.Trainer, error) {
	t := tagging.Trainer{C: l.C, Tol: l.Tol, Learner: o.learner, Passes: o.passes, Seed: c.Seed}
	if err := check(c, "--task "+Task); err != nil {
		return t, err
	}
	if o.learner != tagging.Perceptron {
		if err := c.Require("--learner perceptron", "passes"); err != nil {
			return t, err
		}
	}
	if !(l.C > 0 && l.C <= 1e12) {
		return t, cli.Usagef("--C %v, want a number above 0, to 1e12", l.C)
	}
	if !(l.Tol > 0 && l.Tol < 1) {
		return t, cli.Usagef("--tol %v, want a number between 0 and 1", l.Tol)
	}
	if !c.Given("tol") {
		t.Tol = usualTol
	}
	if !c.Given("C") {
		t.C = usualC
	}
	if o.scheme != "auto" {
		t.Scheme = o.scheme
	}
	text := o.features
	if text == "" {
		text = "words"
		if o.States != "" {
			text = "letters"
		}
	}
	var err error
	if t.Features, err = tagging.ParseFeatures(text); err != nil {
		return t, cli.Usagef("--features: %w", err)
	}
	if letters := t.Features.OfLetters(); letters && o.States == "" {
		return t, cli.Usagef("--states is required with --features letters: a FASTA file with a state for each letter")
	} else if !letters && o.States != "" {
		return t, cli.Usagef("--states cannot be used with --features words, whose tags are in a column")
	} else if letters {
		return t, c.Refuse("--states", "tag")
	}
	return t, c.Require("--states", "mask")
}

// read reads the operands: tokens in columns, or records of letters. column is that of the tags, as
// [tokens.ReadColumns] has it.
func (o *Input) read(c *cli.Call, letters bool, column int) (*tokens.Corpus, error) {
	if len(c.Args) == 0 {
		return nil, cli.Usagef("no input files")
	}
	c.Stage("reading")
	if letters {
		return o.readLetters(c)
	}
	list := make([]*tokens.Corpus, len(c.Args))
	for i, path := range c.Args {
		var err error
		list[i], err = cli.Read(c, path, func(r io.Reader, name string) (*tokens.Corpus, error) {
			return tokens.ReadColumns(r, name, column)
		})
		if err != nil {
			return nil, err
		}
	}
	corpus, err := tokens.Join(list)
	if err == nil && corpus.Comments > 0 {
		c.Note("%s before sentences left out: comments that begin with #", plural.Of(corpus.Comments, "line"))
	}
	return corpus, err
}

// readLetters reads records, and their states and mask if there are any.
func (o *Input) readLetters(c *cli.Call) (*tokens.Corpus, error) {
	r, err := input.NewReader(c, new(input.Reading), stringkernel.Bytes)
	if err != nil {
		return nil, err
	}
	all, err := r.Files(c.Args)
	if err != nil {
		return nil, err
	}
	list := make([]*tokens.Corpus, len(c.Args))
	for i := range list {
		set := all.Part(i)
		if set.Format.Text() {
			return nil, &seqio.Error{File: set.Source, Err: errors.New("text, want FASTA records of letters; tokens in " +
				"columns need features words")}
		}
		list[i] = tokens.FromSet(set)
	}
	corpus, err := tokens.Join(list)
	if err != nil {
		return nil, err
	}
	for _, beside := range []struct {
		path string
		read func(io.Reader, string) error
	}{{o.States, corpus.AddStates}, {o.Mask, corpus.ApplyMask}} {
		if beside.path == "" {
			continue
		}
		in, stop := c.Open(beside.path)
		err := beside.read(in, cli.InputName(beside.path))
		stop()
		if err != nil {
			return nil, err
		}
	}
	return corpus, nil
}

// readModel reads a model.
func readModel(c *cli.Call, path string) (*tagging.Model, error) {
	c.Stage("loading the model")
	content, found := c.Files.Content(path)
	if !found {
		var err error
		if content, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	m, err := tagging.Read(content)
	if err != nil {
		return nil, &seqio.Error{File: path, Err: err}
	}
	return m, nil
}

// progress shows how far a solver is.
func progress(c *cli.Call, tol float64) func(svm.Progress) {
	return func(p svm.Progress) {
		share := 0.0
		if p.Gap > 0 && p.Gap < 1 { // which falls exponentially, more or less
			share = min(1, math.Log(p.Gap)/math.Log(tol))
		}
		c.Show(share, "%s, iteration %d, relative gap %.2g", p.Solver, p.Iterations, p.Gap)
	}
}
