package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func predictCommand() *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "classify sequences with a model",
		ArgsUsage: "-m MODEL FILE…",
		Description: "Writes id, class and decision per record, and the probability if the model was trained with --probability.\n" +
			"With two classes decision and probability are those of the positive class, which is predicted if the decision is above 0;\n" +
			"with more they are those of the class predicted. json has one object per line, with the scores of all classes.\n" +
			"Of files larger than memory a part is held at a time, so that rows may have been printed when an error is found; --output is complete or not there.\n" +
			"Of a model of several labels per record, classes and their decisions stand in one column each, with the separator of training between them; decisions have | where\n" +
			"that may be part of a number, as - and . are.\n" +
			"With --raw: id and the raw score of each machine, Σ coef·k(x_i, x)/√k(x_i, x_i), in place of all that.",
		Flags: join([]cli.Flag{modelFlag(), rawFlag(), formatFlag("tsv or json", "tsv"), outputFlag("`FILE` to write, standard output by default")},
			readingFlags(), documentFlags(), treeFlags(), sharedFlags()),
		Action: predict,
	}
}

func predict(c *cli.Context) error {
	format, err := choose(c, "format", "tsv", "json")
	if err != nil {
		return err
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	a, err := newApplication(c)
	if err != nil {
		return err
	}
	err = out.write("output", func(w io.Writer) error {
		score := a.decisions(w, format)
		if c.Bool("raw") {
			score = a.rawScores(w, format)
		}
		return a.reader.batches(predictBatch, func(data *records) error {
			if err := a.check(data); err != nil {
				return err
			}
			return data.placed(inParts(data.corpus, a.classifier.Scorer.Outputs(), func(part *stringkernel.Corpus) error { return score(c.Context, part) }))
		})
	})
	if err != nil {
		return err
	}
	a.suspects.warn(c)
	return out.commit()
}

// partScores bounds the scores of the records that inParts gives away together, 8 bytes each.
var partScores = 1 << 23 // a variable for tests

// inParts gives the records of a corpus to visit in order, so many at a time that their scores for all outputs take little memory. An
// error of visit about a record of the part is about that of the corpus.
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
		if header && format == "tsv" {
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
func writePredictions(w io.Writer, d *classify.Rule, separator string, c *stringkernel.Corpus, predictions []classify.Prediction) error {
	if err := writePredictionHeader(w, d); err != nil {
		return err
	}
	return writePredictionRows(w, "tsv", d, separator, c, predictions)
}

func writePredictionHeader(w io.Writer, d *classify.Rule) error {
	if d.Scheme == classify.MultiLabel {
		return row(w, "id", "classes", "decisions")
	}
	header := []string{"id", "class", "decision"}
	if d.Machines[0].Sigmoid != nil {
		header = append(header, "probability")
	}
	return row(w, header...)
}

func writePredictionRows(w io.Writer, format string, d *classify.Rule, separator string, c *stringkernel.Corpus, predictions []classify.Prediction) error {
	if d.Scheme == classify.MultiLabel {
		return writeLabelRows(w, format, d, separator, c, predictions)
	}
	if format == "json" {
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
		cells := []string{c.Name(i), d.Classes[p.Class], number(decisionOf(d, p))}
		if p.Probabilities != nil {
			cells = append(cells, number(p.Probabilities[reported(d, p)]))
		}
		if err := row(w, cells...); err != nil {
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
