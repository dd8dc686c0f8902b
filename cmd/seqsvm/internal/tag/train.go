package tag

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/seqsvm/seqsvm/classify/metrics"
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
	m, err := learn(c, t, corpus)
	if err != nil {
		return err
	}
	o.noteTags(c, m)
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

// learn trains.
func learn(c *cli.Call, t tagging.Trainer, corpus *tokens.Corpus) (*tagging.Model, error) {
	c.Stage("training")
	t.Progress = progress(c, t.Tol)
	return t.Train(c.Context, corpus)
}

// noteTags says what the tags were taken for.
func (o *Options) noteTags(c *cli.Call, m *tagging.Model) {
	if o.scheme == "auto" {
		name, _, _ := strings.Cut(string(m.Scheme), ":")
		c.Note("tags are %s: %s", name, cli.ListNames(m.Tags))
	}
}

// CV runs cv: folds of whole documents.
func (o *Options) CV(c *cli.Call, l Learning, folds int, format string, out *cli.Output) error {
	t, corpus, err := o.readTagged(c, l)
	if err != nil {
		return err
	}
	of, err := divide(c, corpus, folds, 1)
	if err != nil {
		return err
	}
	report := tagging.NewReport(t.Scheme)
	for f := range folds {
		m, err := learn(c, t, corpus.Select(func(q int) bool { return of(q) != f }))
		if err != nil {
			return err
		}
		if f == 0 {
			o.noteTags(c, m)
		}
		held := corpus.Select(func(q int) bool { return of(q) == f })
		if err := measure(c, m, held, report); err != nil {
			return err
		}
		c.Show(float64(f+1)/float64(folds), "%d of %d folds", f+1, folds)
	}
	return writeReport(out, format, report)
}

// leftOut is the fold of documents that are not used.
const leftOut = -1

// divide returns the fold of each sequence, that of its document, of which a share is used.
func divide(c *cli.Call, corpus *tokens.Corpus, folds int, share float64) (of func(q int) int, err error) {
	documents := slices.Max(corpus.Documents) + 1
	if documents < folds {
		return nil, cli.InFile(c.OperandNames(), fmt.Errorf("%s, want at least as many as --folds %d",
			plural.Of(documents, "document"), folds))
	}
	fold := make([]int, documents)
	for i, d := range rand.New(rand.NewPCG(c.Seed, 0)).Perm(documents) {
		fold[d] = i % folds
		if i >= max(folds, int(math.Ceil(share*float64(documents)))) {
			fold[d] = leftOut
		}
	}
	return func(q int) int { return fold[corpus.Documents[q]] }, nil
}

// Evaluate runs evaluate.
func (o *Input) Evaluate(c *cli.Call, path, format string, out *cli.Output) error {
	if err := check(c, "a model of --task "+Task); err != nil {
		return err
	}
	m, err := readModel(c, path)
	if err != nil {
		return err
	}
	if letters := m.Features.OfLetters(); letters && o.States == "" {
		return cli.Usagef("--states is required with a model of letters: a FASTA file with the true state of each")
	} else if !letters && (o.States != "" || o.Mask != "") {
		return cli.Usagef("--states and --mask cannot be used with a model of words, whose tags are in a column")
	}
	corpus, err := o.read(c, m.Features.OfLetters(), o.Column)
	if err != nil {
		return err
	}
	if err := o.chooseColumn(c, m, corpus); err != nil {
		return err
	}
	if err := m.CheckTags(corpus); err != nil {
		return err
	}
	report := tagging.NewReport(m.Scheme)
	if err := measure(c, m, corpus, report); err != nil {
		return err
	}
	if kinds, known := m.Unlike(report); kinds != nil {
		c.Warn("the kinds of the test are %s, those of the model %s: one that differs, if only in case, is never right",
			listKinds(kinds), listKinds(known))
	}
	if share := m.Known(corpus); share >= leastKnown {
		c.Warn("%.0f %% of the sequences of %s are in the model's training data: the metrics are not those of new data; "+
			"use sequences held out from training, or cv", 100*share, corpus.Source)
	}
	return writeReport(out, format, report)
}

// leastKnown is the share of sequences that recur from which on a warning follows.
const leastKnown = 0.1

func listKinds(kinds []string) string {
	if slices.Equal(kinds, []string{""}) {
		return "none"
	}
	return cli.ListNames(kinds)
}

// chooseColumn takes the tags from the column that they had in training, if lines have as many, unless --tag is given.
func (o *Input) chooseColumn(c *cli.Call, m *tagging.Model, corpus *tokens.Corpus) error {
	if o.Column > 0 || corpus.Columns == 0 {
		return nil
	}
	columns, tag := m.Features.Columns()
	if columns != corpus.Columns {
		tag = corpus.Columns
	}
	c.Note("tags are column %d of %d", tag, corpus.Columns)
	return corpus.TakeTags(tag)
}

// measure tags a corpus and adds what is right to a report.
func measure(c *cli.Call, m *tagging.Model, corpus *tokens.Corpus, report *tagging.Report) error {
	truth, scheme, err := m.Truth(corpus)
	if err != nil {
		return err
	}
	if scheme != m.Scheme {
		c.Note("tags are %s, those of the model %s: spans are compared", scheme, m.Scheme)
	}
	c.Stage("tagging")
	tagged, err := m.Tag(c.Context, corpus, false)
	if err != nil {
		return err
	}
	for q, t := range tagged {
		report.Add(truth[q], t.Tags)
	}
	return nil
}

// noKind stands for the kind of spans whose tags have none.
const noKind = "span"

// measured is what evaluate and cv print.
type measured struct {
	Tokens         int            `json:"tokens"`
	Accuracy       metrics.Float  `json:"accuracy"`
	Spans          *ratios        `json:"spans,omitempty"`           // all kinds
	SegmentOverlap *metrics.Float `json:"segment_overlap,omitempty"` // of states
	Tags           []tagRatios    `json:"tags"`
}

// ratios are those of spans or states.
type ratios struct {
	N         int           `json:"n"`
	Found     int           `json:"found"`
	Right     int           `json:"right"`
	Precision metrics.Float `json:"precision"`
	Recall    metrics.Float `json:"recall"`
	F1        metrics.Float `json:"f1"`
}

type tagRatios struct {
	Tag string `json:"tag"`
	ratios
	SegmentOverlap *metrics.Float `json:"segment_overlap,omitempty"`
}

func ratiosOf(c tagging.Counts) ratios {
	return ratios{c.True, c.Found, c.Right, metrics.Float(c.Precision()), metrics.Float(c.Recall()), metrics.Float(c.F1())}
}

func writeReport(out *cli.Output, format string, r *tagging.Report) error {
	all := measured{Tokens: r.Tokens, Accuracy: metrics.Float(r.Accuracy())}
	of := r.States
	if r.Spans != nil {
		of = r.Spans
		whole := ratiosOf(r.All())
		all.Spans = &whole
	} else {
		sov := metrics.Float(r.SegmentOverlap(""))
		all.SegmentOverlap = &sov
	}
	for _, kind := range r.Kinds() {
		row := tagRatios{Tag: cmp.Or(kind, noKind), ratios: ratiosOf(*of[kind])}
		if r.Spans == nil {
			sov := metrics.Float(r.SegmentOverlap(kind))
			row.SegmentOverlap = &sov
		}
		all.Tags = append(all.Tags, row)
	}
	return out.WriteAs(format, all, func(t *cli.Table) {
		t.Row("tokens", all.Tokens)
		t.Row("accuracy", cli.Metrics(all.Accuracy))
		if all.Spans != nil {
			t.Row("precision", cli.Metrics(all.Spans.Precision))
			t.Row("recall", cli.Metrics(all.Spans.Recall))
			t.Row("f1", cli.Metrics(all.Spans.F1))
			t.Row("tag", "n", "found", "right", "precision", "recall", "f1")
		} else {
			t.Row("segment_overlap", cli.Metrics(*all.SegmentOverlap))
			t.Row("tag", "n", "found", "right", "precision", "recall", "f1", "segment_overlap")
		}
		for _, row := range all.Tags {
			cells := cli.Metrics(row.Precision, row.Recall, row.F1)
			if row.SegmentOverlap != nil {
				cells = append(cells, cli.Metrics(*row.SegmentOverlap)...)
			}
			t.Row(row.Tag, row.N, row.Found, row.Right, cells)
		}
	})
}
