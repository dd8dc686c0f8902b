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
			"The confusion matrix has true classes in rows and predicted ones in columns. NA (null in json) is a metric that is not defined.",
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
	truth, err := a.truth(data)
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
	report, err := truth.measure(&classifier.Rule, predictions)
	if err != nil {
		return err
	}
	err = out.write("output", func(w io.Writer) error {
		if format == "json" {
			return writeJSON(w, report)
		}
		return report.write(w)
	})
	if err != nil {
		return err
	}
	return out.commit()
}

// truth is what evaluate compares predictions with.
type truth interface {
	measure(d *classify.Rule, predictions []classify.Prediction) (report, error)
}

// report is what evaluate prints, as a table or as JSON.
type report interface{ write(w io.Writer) error }

// truth finds the labels of records among the model's classes.
func (a *application) truth(data *records) (truth, error) {
	if a.classifier.Scheme == classify.MultiLabel {
		return data.setsOf(&a.classifier.Rule, a.separator)
	}
	return data.classesOf(&a.classifier.Rule)
}

// trueClasses has one class per record.
type trueClasses []int

func (t trueClasses) measure(d *classify.Rule, predictions []classify.Prediction) (report, error) {
	if d.Scheme == classify.Hierarchy {
		r, err := search.MeasureLevels(d.Classes, d.Separator, d.Positive, t, predictions)
		return levelReport{r}, err
	}
	r, err := search.Measure(d.Classes, d.Positive, t, predictions)
	return classReport{r}, err
}

// classReport prints what was measured on one class per record.
type classReport struct{ metrics.Report }

func (r classReport) write(w io.Writer) error { return writeReport(w, r.Report) }

// classesOf finds each label among the model's classes.
func (r *records) classesOf(d *classify.Rule) (trueClasses, error) {
	truth, number := make(trueClasses, len(r.labels)), classNumbers(d)
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

func writeReport(w io.Writer, r metrics.Report) error {
	if err := row(w, "n", strconv.Itoa(r.N)); err != nil {
		return err
	}
	for k, value := range r.Values() {
		if err := row(w, metrics.ScalarNames()[k], rounded(value)); err != nil {
			return err
		}
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
