package main

import (
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

// evaluateOptions are the options of evaluate.
type evaluateOptions struct {
	input.Model
	input.Labels
	input.Reading
	reportOptions
	predictions cli.Output
}

func evaluateCommand() *cli.Command {
	o := new(evaluateOptions)
	return &cli.Command{
		Name:     "evaluate",
		Usage:    "measure a model on labelled sequences",
		Operands: "-m MODEL FILE…  or  -m MODEL --pos FILE --neg FILE",
		Description: `Areas under curves are those of the positive class of two; with more classes, means over one-vs-rest.
The confusion matrix has true classes in rows and predicted ones in columns. NA (null in json) is an undefined
metric. A model with probabilities is also measured by them: log_loss (mean −ln of the true class's probability)
and brier (mean squared error of the probabilities; with two classes, of the positive class's).`,
		Flags: func(f *cli.Flags) {
			o.Model.Flags(f)
			o.Labels.Flags(f)
			o.Reading.Flags(f)
			o.DocumentFlags(f)
			o.Tree.Flags(f)
			o.reportOptions.flags(f)
			f.File(&o.predictions, "predictions", "`FILE` for the predictions")
		},
		Run: o.run,
	}
}

func (o *evaluateOptions) run(c *cli.Call) error {
	return c.WithOutputs(func() error {
		a, err := input.NewApplication(c, &o.Model, &o.Reading)
		if err != nil {
			return err
		}
		data, err := a.Reader.Labelled(&o.Labels)
		if err != nil {
			return err
		}
		if err := a.Check(data); err != nil {
			return err
		}
		a.Suspects.Warn(c)
		return o.measure(c, a, data)
	}, &o.predictions, &o.output)
}

// measure predicts the classes of records and compares them with their labels.
func (o *evaluateOptions) measure(c *cli.Call, a *input.Application, data *input.Records) error {
	truth, err := a.Truth(data)
	if err != nil {
		return err
	}
	predictions, err := a.Classifier.Predict(c.Context, data.Corpus)
	if err != nil {
		return data.Placed(err)
	}
	err = o.predictions.Write(func(w io.Writer) error {
		return writePredictions(w, &a.Classifier.Rule, a.Separator, data.Corpus, predictions)
	})
	if err != nil {
		return err
	}
	all := make([]int, len(predictions))
	for i := range all {
		all[i] = i
	}
	report, err := truth.Measure(all, predictions)
	if err != nil {
		return err
	}
	return o.output.WriteAs(o.format, report, func(w io.Writer) error { return writeReport(w, report) })
}

// writeReport writes the accuracy of each level of a hierarchy, all other metrics, and the confusion matrix or, of
// several labels per record, a table of the classes.
func writeReport(w io.Writer, r metrics.Report) error {
	whole, levels := r.Split()
	if err := writeMetrics(w, levels); err != nil {
		return err
	}
	if err := cli.Row(w, "n", strconv.Itoa(r.N)); err != nil {
		return err
	}
	if err := writeMetrics(w, whole); err != nil {
		return err
	}
	if r.Labels != nil {
		return writeLabelCounts(w, r.Labels)
	}
	if err := cli.Row(w, append([]string{"confusion"}, r.Classes...)...); err != nil {
		return err
	}
	for t, class := range r.Classes {
		cells := []string{class}
		for p := range r.Classes {
			cells = append(cells, strconv.FormatInt(r.Confusion.At(t, p), 10))
		}
		if err := cli.Row(w, cells...); err != nil {
			return err
		}
	}
	return nil
}

func writeMetrics(w io.Writer, s metrics.Scalars) error {
	for m, name := range s.Names {
		if err := cli.Row(w, name, cli.Rounded(float64(s.Values[m]))); err != nil {
			return err
		}
	}
	return nil
}

func writeLabelCounts(w io.Writer, classes []metrics.LabelCounts) error {
	if err := cli.Row(w, "class", "n", "precision", "recall", "f1", "breakeven"); err != nil {
		return err
	}
	for _, c := range classes {
		if err := writeValues(w, []string{c.Class, strconv.Itoa(c.N)}, c.Precision, c.Recall, c.F1, c.BreakEven); err != nil {
			return err
		}
	}
	return nil
}
