package tag

import (
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
	return c.WithOutputs(func() error {
		m, corpus, err := load(c, path, o, o.Column)
		if err != nil {
			return err
		}
		if corpus.Names != nil && o.States == "" {
			return cli.Usagef("--states is required: a FASTA file with the true state of each letter")
		}
		report := tagging.NewReport(m.Scheme)
		if err := measure(c, m, corpus, report); err != nil {
			return err
		}
		return writeReport(out, format, report)
	}, out)
}

// measure tags a corpus and adds what is right to a report.
func measure(c *cli.Call, m *tagging.Model, corpus *tokens.Corpus, report *tagging.Report) error {
	c.Stage("tagging")
	tagged, err := m.Tag(c.Context, corpus, false)
	if err != nil {
		return err
	}
	for q, t := range tagged {
		var truth []string
		for _, token := range corpus.Sequence(q) {
			truth = append(truth, token.Tag)
		}
		if t, why := m.Scheme.Check(truth); t >= 0 {
			lo, _ := corpus.Bounds(q)
			return corpus.Errorf(lo+t, "%s, the scheme of the model; is --tag the right column?", why)
		}
		report.Add(truth, t.Tags)
	}
	return nil
}

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
		row := tagRatios{Tag: kind, ratios: ratiosOf(*of[kind])}
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
