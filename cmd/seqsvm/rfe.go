package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/metrics"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func rfeCommand() *cli.Command {
	return &cli.Command{
		Name:      "rfe",
		Usage:     "choose features by recursive elimination, and estimate what they are worth",
		ArgsUsage: "FILE…  or  --pos FILE --neg FILE",
		Description: "Trains, leaves out the features of the least squared weights, trains again, and so on (Guyon et al. 2002), for kernels whose features have names: words and\n" +
			"spectrum. Prints for each number of features the mean and standard deviation of --metric by cross-validation, with a * at the best mean, of\n" +
			"equal ones that with the fewest features. Features are chosen within the training part of each fold, never with the records that are tested; the best of\n" +
			"many means is a little too good all the same. With\n" +
			"--features the same elimination on all records writes the best number of features, or --keep of them, a line each, those of the greatest weights first: a\n" +
			"file that words takes as dict=@FILE (with stem, entries are stemmed again; n-grams are then counted as phrases, the longest first). Values of features\n" +
			"are those with all features there, normalisation included.\n" + groupHelp,
		Flags: join(kernelFlags(), []cli.Flag{
			&cli.StringFlag{Name: "step", Value: "0.5", Usage: "features to leave out in a round: a `SHARE` of those left below 1, else a number"},
			&cli.IntFlag{Name: "least", Value: 1, Usage: "features to stop at"},
			&cli.IntFlag{Name: "folds", Value: 10, Usage: "number of folds"},
			&cli.StringFlag{Name: "metric", Value: "accuracy", Usage: "what the curve shows: " + list(metrics.ScalarNames())},
			&cli.StringFlag{Name: "features", Usage: "`FILE` to write features to, one per line"},
			&cli.IntFlag{Name: "keep", Usage: "how many features to write; by default the best number"},
			formatFlag("tsv or json, which has all metrics", "tsv"), outputFlag("`FILE` to write, standard output by default"),
		}, groupFlags(), labelFlags(), learningFlags(), readingFlags(), documentFlags(), treeFlags(), alphabetFlags(), sharedFlags()),
		Action: eliminate,
	}
}

// rfeOptions are the options of rfe that no data is needed for.
type rfeOptions struct {
	format string
	step   float64
	metric int // index of metrics.ScalarNames
}

func checkRFE(c *cli.Context) (o rfeOptions, err error) {
	if o.format, err = choose(c, "format", "tsv", "json"); err != nil {
		return o, err
	}
	metric, err := choose(c, "metric", metrics.ScalarNames()...)
	if err != nil {
		return o, err
	}
	o.metric = slices.Index(metrics.ScalarNames(), metric)
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
	case c.Bool("probability"):
		return o, usagef("--probability has no meaning here")
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
	run := classify.Elimination{Trainer: e.trainer, Step: o.step, Least: c.Int("least")}
	if len(e.spec.Terms) > 1 || !stringkernel.CanEnumerate(e.trainer.Kernel) {
		return usagef("the kernel %s has no list of features to choose from: want words or spectrum, alone and without rbf", kernelText(e.spec.Terms))
	}
	curve, err := e.eliminationCurve(c, out, run)
	if err != nil {
		return e.placedOrSource(err)
	}
	best := curve.best(o.metric)
	if out.wants("features") {
		keep := curve.Sizes[best].Features
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
			curve.Best = curve.Sizes[best].Features
			return writeJSON(w, curve)
		}
		return curve.write(w, o.metric, best)
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
	Best  int       `json:"best"`
	Sizes []rfeSize `json:"sizes"`
}

// rfeSize is a point of the curve.
type rfeSize struct {
	Features int             `json:"features"`
	Mean     metrics.Scalars `json:"mean"`
	SD       metrics.Scalars `json:"sd"`
}

func (e *experiment) eliminationCurve(c *cli.Context, out *outputs, run classify.Elimination) (*rfeCurve, error) {
	fold, err := e.data.Folds(c.Int("folds"), c.Uint64("seed"))
	if err != nil {
		return nil, err
	}
	if err := e.checkDuplicates(c, out, fold); err != nil {
		return nil, err
	}
	count, err := run.Count(e.data)
	if err != nil {
		return nil, err
	}
	sizes := run.Sizes(count)
	outcomes, err := run.CrossValidate(c.Context, e.data, fold, sizes)
	if err != nil {
		return nil, err
	}
	curve := new(rfeCurve)
	for s, outcome := range outcomes {
		table, err := foldReports(e.data, outcome)
		if err != nil {
			return nil, err
		}
		curve.Sizes = append(curve.Sizes, rfeSize{sizes[s], table.Mean, table.SD})
	}
	return curve, nil
}

// best returns the size of the greatest mean, the smallest of several. An undefined mean is least.
func (t *rfeCurve) best(metric int) (best int) {
	greatest := math.Inf(-1)
	for s, size := range t.Sizes {
		if value := search.Comparable(size.Mean.Values()[metric]); value >= greatest {
			best, greatest = s, value
		}
	}
	return best
}

func (t *rfeCurve) write(w io.Writer, metric, best int) error {
	if err := row(w, "features", metrics.ScalarNames()[metric], "sd", "best"); err != nil {
		return err
	}
	for s, size := range t.Sizes {
		mark := ""
		if s == best {
			mark = "*"
		}
		if err := row(w, strconv.Itoa(size.Features), rounded(size.Mean.Values()[metric]), rounded(size.SD.Values()[metric]), mark); err != nil {
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
