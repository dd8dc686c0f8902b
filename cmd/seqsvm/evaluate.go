package main

import (
	"io"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
)

func evaluateCommand() *cli.Command {
	return &cli.Command{
		Name:      "evaluate",
		Usage:     "measure a model on labelled sequences",
		ArgsUsage: "-m MODEL FILE…  or  -m MODEL --pos FILE --neg FILE",
		Description: "Areas under curves speak for the positive class of two, and are means over classes against the rest of more.\n" +
			"The confusion matrix has true classes in rows and predicted ones in columns. NA (null in json) is a metric that is not defined.\n" +
			"A model with probabilities is also measured by them: log_loss (mean −ln of the true class's probability) and brier (mean\n" +
			"squared error of the probabilities; with two classes, of the positive class's).",
		Flags: join([]cli.Flag{
			modelFlag(), formatFlag("tsv or json", "tsv"), outputFlag("`FILE` to write, standard output by default"),
			predictionsFlag("`FILE` for the predictions themselves"),
		}, labelFlags(), readingFlags(), documentFlags(), treeFlags(), sharedFlags()),
		Action: evaluate,
	}
}

func evaluate(c *cli.Context) error {
	format, err := choose(c, "format", "tsv", "json")
	if err != nil {
		return err
	}
	out, err := openOutputs(c, "predictions", "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	a, err := newApplication(c)
	if err != nil {
		return err
	}
	data, err := a.reader.labelled()
	if err != nil {
		return err
	}
	if err := a.check(data); err != nil {
		return err
	}
	a.suspects.warn(c)
	classifier := a.classifier
	measured, err := a.truth(data)
	if err != nil {
		return err
	}
	predictions, err := classifier.Predict(c.Context, data.corpus)
	if err != nil {
		return data.placed(err)
	}
	if out.wants("predictions") {
		err := out.write("predictions", func(w io.Writer) error {
			return writePredictions(w, &classifier.Rule, a.separator, data.corpus, predictions)
		})
		if err != nil {
			return err
		}
	}
	all := make([]int, len(predictions))
	for i := range all {
		all[i] = i
	}
	report, err := search.Measure(measured, all, predictions)
	if err != nil {
		return err
	}
	err = out.write("output", func(w io.Writer) error {
		if format == "json" {
			return writeJSON(w, report)
		}
		return writeReport(w, report)
	})
	if err != nil {
		return err
	}
	return out.commit()
}

// truth finds the labels of records among the model's classes: what evaluate compares predictions with.
func (a *application) truth(data *records) (*classify.Dataset, error) {
	rule := &a.classifier.Rule
	d := &classify.Dataset{Classes: rule.Classes, Positive: rule.Positive, Hierarchy: rule.Separator}
	var err error
	if rule.Scheme == classify.MultiLabel {
		d.LabelSets, err = data.setsOf(rule, a.separator)
	} else {
		d.Y, err = data.classesOf(rule)
	}
	return d, err
}

// classesOf finds each label among the model's classes.
func (r *records) classesOf(d *classify.Rule) ([]int, error) {
	truth, number := make([]int, len(r.labels)), classNumbers(d)
	for i, label := range r.labels {
		var known bool
		if truth[i], known = number[label]; !known {
			return nil, r.noClass(i, label, d)
		}
	}
	return truth, nil
}

// classNumbers finds the classes of a model by name: there may be as many as records.
func classNumbers(d *classify.Rule) map[string]int {
	number := make(map[string]int, len(d.Classes))
	for c, name := range d.Classes {
		number[name] = c
	}
	return number
}

// noClass is the error of a label that the model does not know.
func (r *records) noClass(i int, label string, d *classify.Rule) error {
	return r.errorf(i, "label %.80q is no class of the model, which has: %s", label, listNames(d.Classes))
}

// writeReport writes the accuracy of each level of a hierarchy, all other metrics, and the confusion matrix or, of
// several labels per record, a table of the classes.
func writeReport(w io.Writer, r metrics.Report) error {
	whole, levels := r.Split()
	if err := writeMetrics(w, levels); err != nil {
		return err
	}
	if err := row(w, "n", strconv.Itoa(r.N)); err != nil {
		return err
	}
	if err := writeMetrics(w, whole); err != nil {
		return err
	}
	if r.Labels != nil {
		return writeLabelCounts(w, r.Labels)
	}
	if err := row(w, append([]string{"confusion"}, r.Classes...)...); err != nil {
		return err
	}
	for t, class := range r.Classes {
		cells := []string{class}
		for p := range r.Classes {
			cells = append(cells, strconv.FormatInt(r.Confusion.At(t, p), 10))
		}
		if err := row(w, cells...); err != nil {
			return err
		}
	}
	return nil
}

func writeMetrics(w io.Writer, s metrics.Scalars) error {
	for m, name := range s.Names {
		if err := row(w, name, rounded(float64(s.Values[m]))); err != nil {
			return err
		}
	}
	return nil
}

func writeLabelCounts(w io.Writer, classes []metrics.LabelCounts) error {
	if err := row(w, "class", "n", "precision", "recall", "f1", "breakeven"); err != nil {
		return err
	}
	for _, c := range classes {
		if err := writeValues(w, []string{c.Class, strconv.Itoa(c.N)}, c.Precision, c.Recall, c.F1, c.BreakEven); err != nil {
			return err
		}
	}
	return nil
}
