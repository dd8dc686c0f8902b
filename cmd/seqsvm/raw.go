package main

import (
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// rawHelp is the help of --raw.
const rawHelp = "write raw scores, without the norm of the sequence, which takes most of the time, and without the bias"

// rawScores returns what scores the sequences of a batch and writes the result.
func (a *application) rawScores(w io.Writer, format string) func(context.Context, *stringkernel.Corpus) error {
	names, header := rawNames(&a.classifier.Rule), true
	return func(ctx context.Context, corpus *stringkernel.Corpus) error {
		scores, err := rawScores(ctx, a.classifier, corpus)
		if err != nil {
			return err
		}
		if header && format == cli.TSV {
			if err := writeRawHeader(w, names); err != nil {
				return err
			}
			header = false
		}
		return writeRaw(w, format, names, corpus, scores)
	}
}

// rawScores returns f_m(x) = Σ_i coef_mi k(x_i, x)/√k(x_i, x_i) of every machine for every sequence: the decision but for the norm of x and the bias.
func rawScores(ctx context.Context, classifier *classify.Classifier, corpus *stringkernel.Corpus) ([][]float64, error) {
	const block = 64 // sequences per task
	scorer := compose.Raw(classifier.Scorer)
	scores := make([][]float64, corpus.Len())
	err := parallel.Do(ctx, (len(scores)+block-1)/block, func(b int) error {
		for i := b * block; i < min((b+1)*block, len(scores)); i++ {
			scores[i] = make([]float64, scorer.Outputs())
			scorer.ScoreTo(scores[i], corpus.Seq(i))
			if err := classify.CheckScores(corpus, i, scores[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return scores, err
}

// rawJSON is one line of predict --raw --format json.
type rawJSON struct {
	ID  string             `json:"id"`
	Raw map[string]float64 `json:"raw"`
}

// rawNames names each machine by its positive class or, of one-vs-one, by both classes.
func rawNames(d *classify.Rule) []string {
	names := make([]string, len(d.Machines))
	for m, machine := range d.Machines {
		names[m] = d.Classes[machine.Positive]
		if d.Scheme == classify.Hierarchy { // classes of several nodes may be the same
			names[m] += " " + strconv.Itoa(m+1)
		}
		if d.Scheme == classify.OneVsOne {
			names[m] += "/" + d.Classes[machine.Negative]
		}
	}
	return names
}

func writeRawHeader(w io.Writer, names []string) error {
	header := []string{"id"}
	for _, name := range names {
		header = append(header, "raw "+name)
	}
	return cli.Row(w, header...)
}

// writeRaw writes raw scores: a column per machine.
func writeRaw(w io.Writer, format string, names []string, c *stringkernel.Corpus, scores [][]float64) error {
	if format == cli.JSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		for i, values := range scores {
			named := map[string]float64{}
			for m, value := range values {
				named[names[m]] = value
			}
			if err := e.Encode(rawJSON{c.Name(i), named}); err != nil {
				return err
			}
		}
		return nil
	}
	for i, values := range scores {
		cells := []string{c.Name(i)}
		for _, value := range values {
			cells = append(cells, cli.Number(value))
		}
		if err := cli.Row(w, cells...); err != nil {
			return err
		}
	}
	return nil
}
