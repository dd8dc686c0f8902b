package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// predictOptions are the options of predict.
type predictOptions struct {
	modelOption
	readingOptions
	reportOptions
	raw bool
}

func predictCommand() *cli.Command {
	o := new(predictOptions)
	return &cli.Command{
		Name:     "predict",
		Usage:    "classify sequences with a model",
		Operands: "-m MODEL FILE…",
		Description: `Writes id, class and decision per record, and the probability if the model was trained with --probability.
With two classes, decision and probability are those of the positive class, which is predicted if the decision is
above 0; with more they are those of the predicted class. json has one object per line, with the scores of all
classes. Of files larger than memory a part is held at a time, so that rows may have been printed when an error is
found; a file of --output is complete or missing.
For a model of several labels per record, all classes are in one column and all their decisions in another, with
the separator of training between them; decisions are separated by | where the separator may be part of a number,
as - and . are.
With --raw: id and the raw score of each machine, Σ coef·k(x_i, x)/√k(x_i, x_i), instead.`,
		Flags: func(f *cli.Flags) {
			o.modelOption.flags(f)
			f.Bool(&o.raw, "raw", rawHelp)
			o.readingOptions.flags(f)
			o.documentFlags(f)
			o.tree.flags(f)
			o.reportOptions.flags(f)
		},
		Run: o.run,
	}
}

func (o *predictOptions) run(c *cli.Call) error {
	return c.WithOutputs(func() error {
		a, err := newApplication(c, &o.modelOption, &o.readingOptions)
		if err != nil {
			return err
		}
		err = o.output.Write(func(w io.Writer) error {
			score := a.decisions(w, o.format)
			if o.raw {
				score = a.rawScores(w, o.format)
			}
			return a.reader.batches(predictBatch, func(data *records) error {
				if err := a.check(data); err != nil {
					return err
				}
				return data.placed(inParts(data.corpus, a.classifier.Scorer.Outputs(),
					func(part *stringkernel.Corpus) error { return score(c.Context, part) }))
			})
		})
		if err == nil {
			a.suspects.warn(c)
		}
		return err
	}, &o.output)
}

// partScores bounds the scores of the records that inParts gives away together, 8 bytes each.
var partScores = 1 << 23 // a variable for tests

// inParts gives the records of a corpus to visit in order, in parts whose scores for all outputs take little memory. An
// error of visit about a record of the part becomes one about that of the corpus.
func inParts(corpus *stringkernel.Corpus, outputs int, visit func(*stringkernel.Corpus) error) error {
	step := max(1, partScores/outputs)
	if corpus.Len() <= step {
		return visit(corpus)
	}
	for lo := 0; lo < corpus.Len(); lo += step {
		var index []int
		for i := lo; i < min(lo+step, corpus.Len()); i++ {
			index = append(index, i)
		}
		err := visit(corpus.Subset(index))
		var about *stringkernel.RecordError
		if errors.As(err, &about) {
			return &stringkernel.RecordError{Record: lo + about.Record, Name: about.Name, Err: about.Err}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decisions returns what classifies the sequences of a batch and writes the result.
func (a *application) decisions(w io.Writer, format string) func(context.Context, *stringkernel.Corpus) error {
	header := true
	return func(ctx context.Context, corpus *stringkernel.Corpus) error {
		predictions, err := a.classifier.Predict(ctx, corpus)
		if err != nil {
			return err
		}
		if header && format == cli.TSV {
			if err := writePredictionHeader(w, &a.classifier.Rule); err != nil {
				return err
			}
			header = false
		}
		return writePredictionRows(w, format, &a.classifier.Rule, a.separator, corpus, predictions)
	}
}

// predictionJSON is one line of predict --format json.
type predictionJSON struct {
	ID            string             `json:"id"`
	Class         string             `json:"class"`
	Decision      float64            `json:"decision"`
	Probability   *float64           `json:"probability,omitempty"`
	Scores        map[string]float64 `json:"scores,omitempty"`
	Probabilities map[string]float64 `json:"probabilities,omitempty"`
}

// writePredictions writes a table of all predictions.
func writePredictions(w io.Writer, d *classify.Rule, separator string, c *stringkernel.Corpus,
	predictions []classify.Prediction) error {
	if err := writePredictionHeader(w, d); err != nil {
		return err
	}
	return writePredictionRows(w, cli.TSV, d, separator, c, predictions)
}

func writePredictionHeader(w io.Writer, d *classify.Rule) error {
	if d.Scheme == classify.MultiLabel {
		return cli.Row(w, "id", "classes", "decisions")
	}
	header := []string{"id", "class", "decision"}
	if d.Machines[0].Sigmoid != nil {
		header = append(header, "probability")
	}
	return cli.Row(w, header...)
}

func writePredictionRows(w io.Writer, format string, d *classify.Rule, separator string, c *stringkernel.Corpus,
	predictions []classify.Prediction) error {
	if d.Scheme == classify.MultiLabel {
		return writeLabelRows(w, format, d, separator, c, predictions)
	}
	if format == cli.JSON {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		for i, p := range predictions {
			if err := e.Encode(describe(d, c.Name(i), p)); err != nil {
				return err
			}
		}
		return nil
	}
	for i, p := range predictions {
		cells := []string{c.Name(i), d.Classes[p.Class], cli.Number(decisionOf(d, p))}
		if p.Probabilities != nil {
			cells = append(cells, cli.Number(p.Probabilities[reported(d, p)]))
		}
		if err := cli.Row(w, cells...); err != nil {
			return err
		}
	}
	return nil
}

func describe(d *classify.Rule, id string, p classify.Prediction) predictionJSON {
	out := predictionJSON{ID: id, Class: d.Classes[p.Class], Decision: decisionOf(d, p)}
	if len(p.Scores) > 1 {
		out.Scores = map[string]float64{}
		for k, score := range p.Scores {
			out.Scores[d.Classes[k]] = score
		}
	}
	if p.Probabilities != nil {
		out.Probability = &p.Probabilities[reported(d, p)]
		out.Probabilities = map[string]float64{}
		for k, probability := range p.Probabilities {
			out.Probabilities[d.Classes[k]] = probability
		}
	}
	return out
}

// reported is the class whose decision and probability are printed: the positive one of two, else the one predicted.
func reported(d *classify.Rule, p classify.Prediction) int {
	if len(d.Classes) == 2 {
		return d.Positive
	}
	return p.Class
}

func decisionOf(d *classify.Rule, p classify.Prediction) float64 {
	if len(p.Scores) == 1 {
		return p.Scores[0]
	}
	return p.Scores[p.Class]
}
