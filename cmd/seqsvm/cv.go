package main

import (
	"io"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
)

func cvCommand() *cli.Command {
	return &cli.Command{
		Name:      "cv",
		Usage:     "estimate accuracy by cross-validation",
		ArgsUsage: "FILE…  or  --pos FILE --neg FILE",
		Description: "Folds are stratified by class, or keep the groups of --group together. Prints the metrics of every fold, their mean and their\n" +
			"standard deviation.\n" + groupHelp,
		Flags: join(kernelFlags(), []cli.Flag{
			&cli.IntFlag{Name: "folds", Value: 10, Usage: "number of folds"},
			baselineFlag(), predictionsFlag("`FILE` for id, score, label and fold of every record"),
			formatFlag("tsv or json", "tsv"), outputFlag("`FILE` to write, standard output by default"),
		}, groupFlags(), labelFlags(), learningFlags(), calibrationFlags(), labelingFlags(), readingFlags(), documentFlags(), treeFlags(), alphabetFlags(), sharedFlags()),
		Action: crossValidate,
	}
}

func crossValidate(c *cli.Context) error {
	format, err := choose(c, "format", "tsv", "json")
	if err != nil {
		return err
	}
	if k := c.Int("folds"); k < 2 {
		return usagef("--folds %d, want 2 or more", k)
	}
	if err := checkGroupFlags(c); err != nil {
		return err
	}
	if c.Bool("baseline") && c.IsSet("multilabel") {
		return usagef("--baseline has no meaning with --multilabel")
	}
	out, err := openOutputs(c, "near-duplicates", "predictions", "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	e, err := newExperiment(c, true)
	if err != nil {
		return err
	}
	fold, err := e.data.Folds(c.Int("folds"), c.Uint64("seed"))
	if err != nil {
		return inFile(e.records.source(), err)
	}
	if err := e.checkFolds(c, out, fold); err != nil {
		return err
	}
	report, clear := progress(c)
	e.trainer.Progress = report
	outcome, err := classify.CrossValidate(c.Context, e.trainer, e.data, fold)
	clear()
	if err != nil {
		return e.records.placed(err)
	}
	table, err := newCVTable(e.data, outcome)
	if err != nil {
		return err
	}
	if c.Bool("baseline") {
		if err := e.addBaselines(c, table, fold); err != nil {
			return e.placedOrSource(err)
		}
	}
	if out.wants("predictions") {
		if err := out.write("predictions", func(w io.Writer) error { return writeOutcome(w, e.data, e.input.Separator, outcome) }); err != nil {
			return err
		}
	}
	err = out.write("output", func(w io.Writer) error {
		if format == "json" {
			return writeJSON(w, table)
		}
		return table.write(w)
	})
	if err != nil {
		return err
	}
	return out.commit()
}

// cvTable is what cv prints.
type cvTable struct {
	Folds     []metrics.Report    `json:"folds"`
	Mean      metrics.Scalars     `json:"mean"`
	SD        metrics.Scalars     `json:"sd"`
	Baselines map[string]*cvTable `json:"baselines,omitempty"` // by name, if asked for

	// Of a hierarchy; Folds, Mean and SD have the other metrics.
	Levels    [][]metrics.Float `json:"accuracy_by_level,omitempty"` // per fold
	LevelMean []metrics.Float   `json:"accuracy_by_level_mean,omitempty"`
	LevelSD   []metrics.Float   `json:"accuracy_by_level_sd,omitempty"`

	levelNames []string
}

// newCVTable measures every fold.
func newCVTable(d *classify.Dataset, o *classify.CVResult) (*cvTable, error) {
	m, err := search.MeasureFolds(d, o)
	if err != nil {
		return nil, err
	}
	t := &cvTable{Folds: m.Folds}
	var mean, sd, levels metrics.Scalars
	t.Mean, mean = m.Mean.Split()
	t.SD, sd = m.SD.Split()
	t.levelNames, t.LevelMean, t.LevelSD = mean.Names, mean.Values, sd.Values
	if len(t.levelNames) == 0 {
		return t, nil
	}
	for f := range t.Folds {
		r := &t.Folds[f]
		r.Scalars, levels = r.Split()
		t.Levels = append(t.Levels, levels.Values)
	}
	return t, nil
}

// write writes the metrics of the folds, their mean and standard deviation, those of the baselines, and in a table below
// the accuracies of the levels of a hierarchy.
func (t *cvTable) write(w io.Writer) error {
	if err := row(w, append([]string{"fold", "n"}, t.Mean.Names...)...); err != nil {
		return err
	}
	n := 0
	for f, r := range t.Folds {
		n += r.N
		if err := writeValues(w, []string{strconv.Itoa(f + 1), strconv.Itoa(r.N)}, r.Values...); err != nil {
			return err
		}
	}
	if err := writeValues(w, []string{"mean", strconv.Itoa(n)}, t.Mean.Values...); err != nil {
		return err
	}
	if err := writeValues(w, []string{"sd", ""}, t.SD.Values...); err != nil {
		return err
	}
	if err := t.writeBaselines(w); err != nil || t.Levels == nil {
		return err
	}
	return t.writeLevels(w)
}

func (t *cvTable) writeLevels(w io.Writer) error {
	if err := row(w, append([]string{"fold"}, t.levelNames...)...); err != nil {
		return err
	}
	for f, levels := range t.Levels {
		if err := writeValues(w, []string{strconv.Itoa(f + 1)}, levels...); err != nil {
			return err
		}
	}
	if err := writeValues(w, []string{"mean"}, t.LevelMean...); err != nil {
		return err
	}
	return writeValues(w, []string{"sd"}, t.LevelSD...)
}

// writeValues writes a row of cells and metrics.
func writeValues(w io.Writer, cells []string, values ...metrics.Float) error {
	for _, value := range values {
		cells = append(cells, rounded(float64(value)))
	}
	return row(w, cells...)
}

// writeOutcome writes id, score (one per class if there are more than two), label and fold, counted from 1.
func writeOutcome(w io.Writer, d *classify.Dataset, separator string, o *classify.CVResult) error {
	header := []string{"id"}
	if len(o.Predictions[0].Scores) == 1 {
		header = append(header, "score")
	} else {
		for _, class := range o.Classes {
			header = append(header, "score:"+class)
		}
	}
	if err := row(w, append(header, "label", "fold")...); err != nil {
		return err
	}
	for i, p := range o.Predictions {
		cells := []string{d.Corpus.Name(i)}
		for _, score := range p.Scores {
			cells = append(cells, number(score))
		}
		if err := row(w, append(cells, labelOf(d, separator, i), strconv.Itoa(o.Fold[i]+1))...); err != nil {
			return err
		}
	}
	return nil
}
