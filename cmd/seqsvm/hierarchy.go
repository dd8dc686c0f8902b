package main

import (
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"
	"gonum.org/v1/gonum/stat"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/metrics"
)

func hierarchyFlag() cli.Flag {
	return &cli.StringFlag{Name: "hierarchy", Usage: "labels are paths with `SEPARATOR` between their names (sport/hockey): machines for each node, accuracy per level"}
}

// checkHierarchy names the options that a hierarchy of labels does not go with.
func checkHierarchy(c *cli.Context, t classify.Trainer) error {
	separator := c.String("hierarchy")
	switch {
	case separator == "":
		return nil
	case strings.ContainsFunc(separator, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || r == unicode.ReplacementChar }):
		return usagef("--hierarchy %q, want a separator without white space or control characters", separator)
	case t.Multiclass == classify.OneVsOne:
		return usagef("--hierarchy has --multiclass ovr or crammer-singer only")
	}
	for _, option := range []string{"probability", "positive", "multilabel", "pos", "neg"} {
		if c.IsSet(option) {
			return usagef("--%s has no meaning with --hierarchy", option)
		}
	}
	return nil
}

// levelReport adds accuracies of levels to a report.
type levelReport struct {
	metrics.Report
	Levels []metrics.Float `json:"accuracy_by_level"` // from the first name of the labels
}

// withLevels measures the levels of predictions, too.
func withLevels(d *classify.Decision, truth []int, predictions []classify.Prediction, r metrics.Report) (report, error) {
	levels, err := levelsOf(d.Classes, d.Separator, truth, predictions)
	return levelReport{r, levels}, err
}

func levelsOf(classes []string, separator string, truth []int, predictions []classify.Prediction) ([]metrics.Float, error) {
	predicted := make([]int, len(predictions))
	for i, p := range predictions {
		predicted[i] = p.Class
	}
	return metrics.LevelAccuracies(classes, separator, truth, predicted)
}

func (r levelReport) write(w io.Writer) error {
	for level, value := range r.Levels {
		if err := row(w, levelName(level), rounded(float64(value))); err != nil {
			return err
		}
	}
	return writeReport(w, r.Report)
}

// levelName is what tables call the accuracy of a level, counted from 0.
func levelName(level int) string { return "accuracy_level_" + strconv.Itoa(level+1) }

// levelTable is what cv prints of a hierarchy.
type levelTable struct {
	*cvTable
	Levels [][]metrics.Float `json:"accuracy_by_level"` // per fold
	Mean   []metrics.Float   `json:"accuracy_by_level_mean"`
	SD     []metrics.Float   `json:"accuracy_by_level_sd"`
}

func levelFolds(d *classify.Dataset, o *classify.Outcome) (*levelTable, error) {
	table, err := foldReports(d, o)
	if err != nil {
		return nil, err
	}
	t := &levelTable{cvTable: table}
	for f := range o.Folds {
		var truth []int
		var predictions []classify.Prediction
		for _, i := range o.Tested(f) {
			truth, predictions = append(truth, d.Y[i]), append(predictions, o.Predictions[i])
		}
		levels, err := levelsOf(d.Classes, d.Hierarchy, truth, predictions)
		if err != nil {
			return nil, err
		}
		t.Levels = append(t.Levels, levels)
	}
	for level := range t.Levels[0] {
		var values []float64
		for _, fold := range t.Levels {
			if fold[level].Defined() {
				values = append(values, float64(fold[level]))
			}
		}
		mean, sd := stat.MeanStdDev(values, nil)
		t.Mean, t.SD = append(t.Mean, metrics.Float(mean)), append(t.SD, metrics.Float(sd))
	}
	return t, nil
}

// write writes the table of classes, and below it that of levels.
func (t *levelTable) write(w io.Writer) error {
	if err := t.cvTable.write(w); err != nil {
		return err
	}
	header := []string{"fold"}
	for level := range t.Mean {
		header = append(header, levelName(level))
	}
	if err := row(w, header...); err != nil {
		return err
	}
	for f, levels := range t.Levels {
		if err := writeLevels(w, strconv.Itoa(f+1), levels); err != nil {
			return err
		}
	}
	if err := writeLevels(w, "mean", t.Mean); err != nil {
		return err
	}
	return writeLevels(w, "sd", t.SD)
}

func writeLevels(w io.Writer, name string, levels []metrics.Float) error {
	cells := []string{name}
	for _, value := range levels {
		cells = append(cells, rounded(float64(value)))
	}
	return row(w, cells...)
}
