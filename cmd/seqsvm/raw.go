package main

import (
	"encoding/json"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// rawFlag is the option of predict that leaves out norms and biases.
func rawFlag() cli.Flag {
	return &cli.BoolFlag{Name: "raw", Usage: "raw scores: without the norm of the sequence, which takes most of the time, and without the bias"}
}

// scoreRaw scores the records, and returns what writes the result.
func scoreRaw(c *cli.Context, classifier *classify.Classifier, data *records, format string) (write func(io.Writer) error, err error) {
	scores, err := rawScores(c, classifier, data.corpus)
	return func(w io.Writer) error {
		return writeRaw(w, format, &classifier.Decision, data.corpus, scores)
	}, err
}

// rawScores returns f_m(x) = Σ_i coef_mi k(x_i, x)/√k(x_i, x_i) of every machine for every sequence: the decision but for the norm of x and the bias.
func rawScores(c *cli.Context, classifier *classify.Classifier, corpus *stringkernel.Corpus) ([][]float64, error) {
	const block = 64 // sequences per task
	scorer := stringkernel.Raw(classifier.Scorer)
	scores := make([][]float64, corpus.Len())
	err := parallel.Do(c.Context, (len(scores)+block-1)/block, func(b int) error {
		for i := b * block; i < min((b+1)*block, len(scores)); i++ {
			scores[i] = make([]float64, scorer.Outputs())
			scorer.ScoreTo(scores[i], corpus.Seq(i))
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

// writeRaw writes raw scores: a column per machine, named by the class that it speaks for or, of one-vs-one, by both classes.
func writeRaw(w io.Writer, format string, d *classify.Decision, c *stringkernel.Corpus, scores [][]float64) error {
	names := make([]string, len(d.Machines))
	for m, machine := range d.Machines {
		names[m] = d.Classes[machine.Positive]
		if d.Scheme == classify.OneVsOne {
			names[m] += "/" + d.Classes[machine.Negative]
		}
	}
	if format == "json" {
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
	header := []string{"id"}
	for _, name := range names {
		header = append(header, "raw "+name)
	}
	if err := row(w, header...); err != nil {
		return err
	}
	for i, values := range scores {
		cells := []string{c.Name(i)}
		for _, value := range values {
			cells = append(cells, number(value))
		}
		if err := row(w, cells...); err != nil {
			return err
		}
	}
	return nil
}
