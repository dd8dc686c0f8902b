package tag

import (
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio/tokens"
	"github.com/seqsvm/seqsvm/tagging"
)

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
	return writeReport(out, format, report)
}

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
