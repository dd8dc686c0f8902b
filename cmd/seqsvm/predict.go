package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// predictOptions are the options of predict.
type predictOptions struct {
	input.Model
	input.Reading
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
			o.Model.Flags(f)
			f.Bool(&o.raw, "raw", input.RawHelp)
			o.Reading.Flags(f)
			o.DocumentFlags(f)
			o.Tree.Flags(f)
			o.reportOptions.flags(f)
		},
		Run: o.run,
	}
}

func (o *predictOptions) run(c *cli.Call) error {
	return c.WithOutputs(func() error {
		a, err := input.NewApplication(c, &o.Model, &o.Reading)
		if err != nil {
			return err
		}
		err = o.output.Write(func(w io.Writer) error {
			score := decisions(a, w, o.format)
			if o.raw {
				score = scoresOf(a, w, o.format)
			}
			return a.Reader.Batches(predictBatch, func(data *input.Records) error {
				if err := a.Check(data); err != nil {
					return err
				}
				return data.Placed(inParts(data.Corpus, a.Classifier.Scorer.Outputs(),
					func(part *stringkernel.Corpus) error { return score(c.Context, part) }))
			})
		})
		if err == nil {
			a.Suspects.Warn(c)
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
func decisions(a *input.Application, w io.Writer, format string) func(context.Context, *stringkernel.Corpus) error {
	header := true
	return func(ctx context.Context, corpus *stringkernel.Corpus) error {
		predictions, err := a.Classifier.Predict(ctx, corpus)
		if err != nil {
			return err
		}
		if header && format == cli.TSV {
			if err := writePredictionHeader(w, &a.Classifier.Rule); err != nil {
				return err
			}
			header = false
		}
		return writePredictionRows(w, format, &a.Classifier.Rule, a.Separator, corpus, predictions)
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
	if d.Labelling() == classify.LabelSets {
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
	if d.Labelling() == classify.LabelSets {
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

// predictBatch is the size of what predict holds at a time, as seqio.BatchSize counts it.
var predictBatch = 16 << 20 // a variable for tests

// labelsJSON is one line of predict --format json of several labels per record.
type labelsJSON struct {
	ID      string             `json:"id"`
	Classes []string           `json:"classes"`
	Scores  map[string]float64 `json:"scores"`
}

// decisionSeparator separates decision values: it is the separator of labels, but | where that may be part of a
// number or is empty.
func decisionSeparator(separator string) string {
	if strings.Trim(separator, "+-.0123456789eEInfNa") == "" {
		return "|"
	}
	return separator
}

// writeLabelRows writes the classes of each record, in the order of the model, and their decision values.
func writeLabelRows(w io.Writer, format string, d *classify.Rule, separator string, c *stringkernel.Corpus,
	predictions []classify.Prediction) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i, p := range predictions {
		classes, decisions := []string{}, []string{}
		for _, label := range p.Labels {
			classes, decisions = append(classes, d.Classes[label]), append(decisions, cli.Number(p.Scores[label]))
		}
		if format != cli.JSON {
			if err := cli.Row(w, c.Name(i), strings.Join(classes, cmp.Or(separator, "|")),
				strings.Join(decisions, decisionSeparator(separator))); err != nil {
				return err
			}
			continue
		}
		out := labelsJSON{ID: c.Name(i), Classes: classes, Scores: map[string]float64{}}
		for label, score := range p.Scores {
			out.Scores[d.Classes[label]] = score
		}
		if err := e.Encode(out); err != nil {
			return err
		}
	}
	return nil
}

// labelOf returns the label of a record, or all of them.
func labelOf(d *classify.Dataset, separator string, i int) string {
	if d.LabelSets == nil {
		return d.Classes[d.Y[i]]
	}
	var names []string
	for _, c := range d.LabelSets[i] {
		names = append(names, d.Classes[c])
	}
	return strings.Join(names, separator)
}

// scoresOf returns what writes the raw scores of the sequences of a batch.
func scoresOf(a *input.Application, w io.Writer, format string) func(context.Context, *stringkernel.Corpus) error {
	names, header := rawNames(&a.Classifier.Rule), true
	return func(ctx context.Context, corpus *stringkernel.Corpus) error {
		scores, err := rawScores(ctx, a.Classifier, corpus)
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

// rawScores returns f_m(x) = Σ_i coef_mi k(x_i, x)/√k(x_i, x_i) of every machine for every sequence: the decision but
// for the norm of x and the bias.
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
	for m := range names {
		names[m] = d.MachineName(m)
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
