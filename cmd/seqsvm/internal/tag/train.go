package tag

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/tokens"
	"github.com/seqsvm/seqsvm/tagging"
)

// trained is what train prints.
type trained struct {
	Sequences  int         `json:"sequences"`
	Tokens     int         `json:"tokens"`
	Tags       int         `json:"tags"`
	Features   int         `json:"features"`
	Solver     string      `json:"solver"`
	Iterations int         `json:"iterations"`
	Primal     float64     `json:"primal"`
	Dual       float64     `json:"dual"`
	Gap        float64     `json:"gap"`
	Seconds    cli.Seconds `json:"seconds"`
}

// Train runs train.
func (o *Options) Train(c *cli.Call, l Learning, out *cli.Output, format string) error {
	t, corpus, err := o.readTagged(c, l)
	if err != nil {
		return err
	}
	start := time.Now()
	m, err := o.learn(c, t, corpus)
	if err != nil {
		return err
	}
	c.Report(format, trained{Sequences: corpus.Sequences(), Tokens: len(corpus.Tokens), Tags: len(m.Tags),
		Features: m.Machine.Features(), Solver: m.Machine.Solver, Iterations: m.Machine.Iterations,
		Primal: m.Machine.Primal, Dual: m.Machine.Dual, Gap: m.Machine.Gap,
		Seconds: cli.Seconds(time.Since(start).Seconds())}, nil)
	m.Options = strings.Join(c.Text("features", "scheme", "learner", "C", "tol", "passes", "tag", "seed"), " ")
	if m.Machine.Gap > t.Tol {
		c.Warn("stopped at a relative gap of %.3g, above --tol %g", m.Machine.Gap, t.Tol)
	}
	return out.Write(func(w io.Writer) error { return m.Write(w) })
}

// readTagged returns the trainer of the options and the data of training, finds the scheme of the tags, and says what
// they were taken for.
func (o *Options) readTagged(c *cli.Call, l Learning) (t tagging.Trainer, corpus *tokens.Corpus, err error) {
	if t, err = o.trainer(c, l); err != nil {
		return t, nil, err
	}
	if corpus, err = o.read(c, t.Features.OfLetters(), o.Column); err != nil {
		return t, nil, err
	}
	if corpus.Columns > 0 {
		if o.Column == 0 && corpus.Numbered && corpus.Columns == conllu {
			return t, nil, cli.Usagef("--tag is required for %s, which looks like CoNLL-U: 4 is the part of speech",
				corpus.Source)
		}
		t.Tag = cmp.Or(o.Column, corpus.Columns)
		c.Note("tags are column %d of %d; words column %d", t.Tag, corpus.Columns, t.Features.WordColumn())
	}
	t.Scheme, err = tagging.SchemeOf(corpus, t.Scheme)
	return t, corpus, err
}

// conllu is the number of columns of CoNLL-U.
const conllu = 10

// learn trains, and says what the tags were taken for.
func (o *Options) learn(c *cli.Call, t tagging.Trainer, corpus *tokens.Corpus) (*tagging.Model, error) {
	c.Stage("training")
	t.Progress = progress(c, t.Tol)
	m, err := t.Train(c.Context, corpus)
	if err != nil {
		return nil, err
	}
	if o.scheme == "auto" {
		name, _, _ := strings.Cut(string(m.Scheme), ":")
		c.Note("tags are %s: %s", name, cli.ListNames(m.Tags))
	}
	return m, nil
}

// CV runs cv: folds of whole documents.
func (o *Options) CV(c *cli.Call, l Learning, folds int, format string, out *cli.Output) error {
	t, corpus, err := o.readTagged(c, l)
	if err != nil {
		return err
	}
	documents := slices.Max(corpus.Documents) + 1
	if documents < folds {
		return cli.InFile(c.OperandNames(), fmt.Errorf("%s, want at least as many as --folds %d",
			plural.Of(documents, "document"), folds))
	}
	fold := make([]int, documents)
	for i, d := range rand.New(rand.NewPCG(c.Seed, 0)).Perm(documents) {
		fold[d] = i % folds
	}
	report := tagging.NewReport(t.Scheme)
	for f := range folds {
		of := func(q int) int { return fold[corpus.Documents[q]] }
		m, err := o.learn(c, t, corpus.Select(func(q int) bool { return of(q) != f }))
		if err != nil {
			return err
		}
		held := corpus.Select(func(q int) bool { return of(q) == f })
		if err := measure(c, m, held, report); err != nil {
			return err
		}
		c.Show(float64(f+1)/float64(folds), "%d of %d folds", f+1, folds)
	}
	return writeReport(out, format, report)
}
