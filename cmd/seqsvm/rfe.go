package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/rfe"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func rfeCommand() *cli.Command {
	return &cli.Command{
		Name:      "rfe",
		Usage:     "choose features by recursive elimination, and estimate what they are worth",
		ArgsUsage: "FILE…  or  --pos FILE --neg FILE",
		Description: "Trains, leaves out the features of the least squared weights, trains again, and so on (Guyon et al. 2002), for kernels whose features have names: words and\n" +
			"spectrum. Prints for each number of features the mean and standard deviation of --metric by cross-validation, with a * at the best mean (of\n" +
			"hamming_loss the least), of equal ones that with the fewest features. Features are chosen within the training part of each fold, never with the records that are tested; the best of\n" +
			"many means is a little too good all the same. With\n" +
			"--features the same elimination on all records writes the best number of features, or --keep of them, a line each, those of the greatest weights first: a\n" +
			"file that words takes as dict=@FILE (with stem, entries are stemmed again; n-grams are then counted as phrases, the longest first). Values of features\n" +
			"are those with all features there, normalisation included.\n" + groupHelp,
		Flags: join(kernelFlags(), []cli.Flag{
			&cli.StringFlag{Name: "step", Value: "0.5", Usage: "features to leave out in a round: a `SHARE` of those left below 1, else a number"},
			&cli.IntFlag{Name: "least", Value: 1, Usage: "features to stop at"},
			&cli.IntFlag{Name: "folds", Value: 10, Usage: "number of folds"},
			&cli.StringFlag{Name: "metric", Usage: "what the curve shows: " + metricHelp + "; default accuracy, f1_micro of several labels"},
			&cli.StringFlag{Name: "features", Usage: "`FILE` to write features to, one per line"},
			&cli.IntFlag{Name: "keep", Usage: "how many features to write; by default the best number"},
			formatFlag("tsv or json, which has all metrics", "tsv"), outputFlag("`FILE` to write, standard output by default"),
		}, groupFlags(), labelFlags(), learningFlags(), labelingFlags(), readingFlags(), documentFlags(), treeFlags(), alphabetFlags(), sharedFlags()),
		Action: eliminate,
	}
}

// rfeOptions are the options of rfe that no data is needed for.
type rfeOptions struct {
	format string
	step   float64
	metric string
}

func checkRFE(c *cli.Context) (o rfeOptions, err error) {
	if o.format, err = choose(c, "format", "tsv", "json"); err != nil {
		return o, err
	}
	if err := checkMetric(c); err != nil {
		return o, err
	}
	switch {
	case c.IsSet("metric"):
		o.metric = c.String("metric")
	case c.IsSet("multilabel"):
		o.metric = "f1_micro"
	default:
		o.metric = "accuracy"
	}
	o.step, err = strconv.ParseFloat(c.String("step"), 64)
	whole := o.step == math.Trunc(o.step) && o.step < 1<<31
	switch {
	case err != nil || !(o.step > 0) || o.step > 1 && !whole:
		return o, usagef("--step %.40q, want a share below 1 or a whole number of features", c.String("step"))
	case c.Int("least") < 1:
		return o, usagef("--least %d, want 1 or more", c.Int("least"))
	case c.Int("folds") < 2:
		return o, usagef("--folds %d, want 2 or more", c.Int("folds"))
	case c.IsSet("keep") && c.String("features") == "":
		return o, usagef("--keep without --features, want a file to write them to")
	case c.IsSet("keep") && c.Int("keep") < 1:
		return o, usagef("--keep %d, want 1 or more", c.Int("keep"))
	}
	return o, nil
}

func eliminate(c *cli.Context) error {
	o, err := checkRFE(c)
	if err != nil {
		return err
	}
	if err := checkGroupFlags(c); err != nil {
		return err
	}
	out, err := openOutputs(c, "near-duplicates", "features", "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	e, err := newExperiment(c, true)
	if err != nil {
		return err
	}
	run := rfe.Elimination{Trainer: e.trainer, Step: o.step, Least: c.Int("least")}
	if len(e.spec.Terms) > 1 || !stringkernel.CanEnumerate(e.trainer.Kernel) {
		return usagef("the kernel %s has no list of features to choose from: want words or spectrum, alone and without rbf", kernelText(e.spec.Terms))
	}
	if err := e.checkLevel(c); err != nil {
		return err
	}
	curve, err := e.eliminationCurve(c, out, run, o.metric)
	if err != nil {
		return e.placedOrSource(err)
	}
	if out.wants("features") {
		keep := curve.Best
		if c.IsSet("keep") {
			keep = c.Int("keep")
		}
		names, err := run.Select(c.Context, e.data, keep)
		if err != nil {
			return e.placedOrSource(err)
		}
		if err := out.write("features", func(w io.Writer) error { return writeFeatures(w, names) }); err != nil {
			return err
		}
	}
	err = out.write("output", func(w io.Writer) error {
		if o.format == "json" {
			return writeJSON(w, curve)
		}
		return curve.write(w)
	})
	if err != nil {
		return err
	}
	return out.commit()
}

// placedOrSource names the record that an error is about, else all files.
func (e *experiment) placedOrSource(err error) error {
	var about *stringkernel.RecordError
	var large *memory.Error
	if errors.As(err, &about) || errors.As(err, &large) {
		return e.records.placed(err)
	}
	return inFile(e.records.source(), err)
}

// rfeCurve is what rfe prints.
type rfeCurve struct {
	Best  int       `json:"best"` // number of features
	Sizes []rfeSize `json:"sizes"`

	table search.Table // of the sizes
}

// rfeSize is a point of the curve.
type rfeSize struct {
	Features int             `json:"features"`
	Mean     metrics.Scalars `json:"mean"`
	SD       metrics.Scalars `json:"sd"`
}

func (e *experiment) eliminationCurve(c *cli.Context, out *outputs, run rfe.Elimination, metric string) (*rfeCurve, error) {
	fold, err := e.data.Folds(c.Int("folds"), c.Uint64("seed"))
	if err != nil {
		return nil, err
	}
	if err := e.checkFolds(c, out, fold); err != nil {
		return nil, err
	}
	count, err := run.Count(c.Context, e.data)
	if err != nil {
		return nil, err
	}
	sizes := run.Sizes(count)
	outcomes, err := run.CrossValidate(c.Context, e.data, fold, sizes)
	if err != nil {
		return nil, err
	}
	curve := &rfeCurve{table: search.Table{Metric: metric}}
	for s, outcome := range outcomes {
		m, err := search.MeasureFolds(e.data, outcome)
		if err != nil {
			return nil, err
		}
		curve.Sizes = append(curve.Sizes, rfeSize{sizes[s], m.Mean, m.SD})
		curve.table.Results = append(curve.table.Results, search.Result{Measured: m})
	}
	return curve, curve.choose()
}

// choose finds the best size, the smallest of several.
func (t *rfeCurve) choose() error {
	for s := range t.Sizes {
		if t.table.Compare(s, t.table.Best) <= 0 {
			t.table.Best = s
		}
	}
	if mean, _ := t.table.Value(t.table.Best); math.IsNaN(mean) {
		return fmt.Errorf("the metric %s is undefined in every fold for every number of features, want another or fewer folds", t.table.Metric)
	}
	t.Best = t.Sizes[t.table.Best].Features
	return nil
}

func (t *rfeCurve) write(w io.Writer) error {
	if err := row(w, "features", t.table.Metric, "sd", "best"); err != nil {
		return err
	}
	for s, size := range t.Sizes {
		mark := ""
		if s == t.table.Best {
			mark = "*"
		}
		mean, sd := t.table.Value(s)
		if err := row(w, strconv.Itoa(size.Features), rounded(mean), rounded(sd), mark); err != nil {
			return err
		}
	}
	return nil
}

func writeFeatures(w io.Writer, names []string) error {
	for _, name := range names {
		if _, err := fmt.Fprintln(w, stringkernel.Readable(name)); err != nil {
			return err
		}
	}
	return nil
}
