package main

import (
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
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
	return refuseOptions(c, "--hierarchy", "probability", "positive", "multilabel", "pos", "neg")
}

// levelReport prints what was measured in a hierarchy.
type levelReport struct{ metrics.LevelReport }

func (r levelReport) write(w io.Writer) error {
	for level, value := range r.Levels {
		if err := row(w, metrics.LevelName(level), rounded(float64(value))); err != nil {
			return err
		}
	}
	return writeReport(w, r.Report)
}

// levelTable is what cv prints of a hierarchy.
type levelTable struct {
	*cvTable
	Levels [][]metrics.Float `json:"accuracy_by_level"` // per fold
	Mean   []metrics.Float   `json:"accuracy_by_level_mean"`
	SD     []metrics.Float   `json:"accuracy_by_level_sd"`
}

func levelFolds(d *classify.Dataset, o *classify.CVResult) (*levelTable, error) {
	reports, err := search.LevelFolds(d, o)
	if err != nil {
		return nil, err
	}
	mean, sd := metrics.LevelMeanSD(reports)
	t := &levelTable{cvTable: &cvTable{Mean: mean.Scalars, SD: sd.Scalars}, Mean: mean.Levels, SD: sd.Levels}
	for _, r := range reports {
		t.Folds, t.Levels = append(t.Folds, r.Report), append(t.Levels, r.Levels)
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
		header = append(header, metrics.LevelName(level))
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
