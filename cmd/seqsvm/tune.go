package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func tuneCommand() *cli.Command {
	return &cli.Command{
		Name:      "tune",
		Usage:     "search for the best kernel and options by cross-validation",
		ArgsUsage: "FILE…  or  --pos FILE --neg FILE",
		Description: "Cross-validates every kernel with every combination of options, prints mean and standard deviation of --metric, the best first, and with\n" +
			"--output trains the winner on everything and saves it. Kernels given several times are alternatives, and each may be a grid:\n" +
			"  spectrum:k=3/5/8     each of these values          spectrum:k=3..6   each from 3 to 6; 2..10..4 is 2, 6, 10\n" +
			"  words:tfidf/-        with the flag and without     words:binary/sublinear/-   one of the flags or none; -/mindf=2/3 also\n" +
			"  A+B                  the mean of two kernels       spectrum, words, …         the name alone: a grid of its own\n" +
			"-C and other options of learning take lists, --C 0.1,1,10 --class-weight none,balanced.\n" +
			"The mark best is the greatest mean (of hamming_loss the least); 1se the simplest candidate at most one standard error behind it (Breiman): the least C, of\n" +
			"the same C the sum of fewest kernels, and of these the one that comes first on the command line, so give simple values first. A candidate whose metric is undefined\n" +
			"in some folds, as mcc is where all predictions are one class, comes behind those with more folds. --nested estimates the accuracy of the whole search on data it\n" +
			"has not seen.\n" + groupHelp,
		Flags: join([]cli.Flag{
			&cli.StringSliceFlag{Name: "kernel", Aliases: []string{"k"}, Usage: "`GRID` of kernels; given twice, both are tried"},
			&cli.BoolFlag{Name: "no-normalize", Usage: "k(x, y) as it is, not divided by √(k(x, x)·k(y, y))"},
			&cli.StringFlag{Name: "metric", Usage: "what to choose by: " + metricHelp + "; default auroc for two classes, f1_micro of several labels, else accuracy"},
			&cli.IntFlag{Name: "folds", Value: 5, Usage: "number of folds"},
			&cli.IntFlag{Name: "nested", Usage: "search anew on all but one of `K` outer folds, and measure the winner there"},
			&cli.IntFlag{Name: "random", Usage: "try `N` candidates, drawn with --seed, in place of all"},
			&cli.StringFlag{Name: "pick", Value: string(search.Best), Usage: "the winner: best or 1se"},
			outputFlag("model `FILE` to write, the winner trained on everything"),
			&cli.BoolFlag{Name: "keep-sequences", Usage: "store support vectors even if the kernel folds into a table"},
			formatFlag("tsv or json", "tsv"),
		}, groupFlags(), labelFlags(), gridFlags(learningFlags()), calibrationFlags(), labelingFlags(), readingFlags(), documentFlags(), treeFlags(), alphabetFlags(), sharedFlags()),
		Action: tune,
	}
}

func tune(c *cli.Context) error {
	format, err := choose(c, "format", "tsv", "json")
	if err != nil {
		return err
	}
	if err := checkTuneFlags(c); err != nil {
		return err
	}
	settings, err := tuneSettings(c)
	if err != nil {
		return err
	}
	out, err := openOutputs(c, "near-duplicates", "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	t, err := newTuning(c, settings)
	if err != nil {
		return err
	}
	report, err := t.run(c, out)
	if err != nil {
		return err
	}
	if c.String("output") != "" {
		if err := t.save(c, out); err != nil {
			return err
		}
	}
	if err := out.commit(); err != nil {
		return err
	}
	w := summaryWriter(c)
	if format == "json" {
		err = writeJSON(w, report)
	} else {
		err = report.write(w)
	}
	say(c, "seqsvm: picked: %s", t.picked().options)
	return err
}

// checkTuneFlags finds what is wrong with the options of the search before any file is read.
func checkTuneFlags(c *cli.Context) error {
	if err := checkMetric(c); err != nil {
		return err
	}
	if _, err := choose(c, "pick", string(search.Best), string(search.OneSE)); err != nil {
		return err
	}
	switch {
	case c.Int("folds") < 2:
		return usagef("--folds %d, want 2 or more", c.Int("folds"))
	case c.IsSet("nested") && c.Int("nested") < 2:
		return usagef("--nested %d, want 2 outer folds or more", c.Int("nested"))
	case c.IsSet("random") && c.Int("random") < 1:
		return usagef("--random %d, want 1 candidate or more", c.Int("random"))
	}
	return checkGroupFlags(c)
}

// tuning is a search: the data, and what to try on them.
type tuning struct {
	*experiment // whose kernel and trainer are those of the winner in the end
	settings    []setting
	search      search.Search
	table       *search.Table
}

// newTuning reads the data and makes the candidates.
func newTuning(c *cli.Context, settings []setting) (*tuning, error) {
	t := &tuning{experiment: new(experiment)}
	_, r, err := kernelAndReader(settings[0].context)
	if err != nil {
		return nil, err
	}
	if err := t.read(c, r, true); err != nil {
		return nil, err
	}
	if err := t.checkLevel(c); err != nil {
		return nil, err
	}
	t.search = search.Search{Metric: c.String("metric"), Pick: search.Pick(c.String("pick"))}
	return t, t.addCandidates(c, settings)
}

// addCandidates makes the kernels, now that the alphabet is known. One that is not for this alphabet is left out.
func (t *tuning) addCandidates(c *cli.Context, settings []setting) error {
	alphabet := t.records.collection.DetectAlphabet()
	var spec catalog.Spec
	var kernel stringkernel.Kernel
	var refused, err error
	var doubts tuneDoubts
	for _, s := range settings {
		if s.first {
			spec = s.spec.WithAlphabet(alphabet)
			if kernel, err = spec.Compile(alphabet); err != nil {
				warn(c, "kernel %s is left out on %s sequences: %v", s.kernelText(), alphabet, err)
				kernel, refused = nil, err
				continue
			}
			s.spec = spec
			if err := t.records.wantKernelsRecords(s.spec); err != nil {
				return err
			}
			doubts.add(c, t.records, &s)
		}
		s.spec = spec
		if kernel == nil {
			continue // with other options
		}
		candidate := s.trainer
		candidate.Kernel, candidate.Probability = kernel, false // classes and scores do not depend on calibration
		t.search.Candidates = append(t.search.Candidates, candidate)
		t.settings = append(t.settings, s)
	}
	if len(t.settings) == 0 {
		return fmt.Errorf("no kernel of the grid is for %s sequences: %w", alphabet, refused)
	}
	doubts.warn(c)
	return nil
}

// tuneDoubts are what looks wrong with records to several kernels: most letters outside an alphabet, and most records without features.
type tuneDoubts struct{ outside, featureless suspects }

// add takes a look at the records for a kernel, and warns of a kernel that is indefinite.
func (d *tuneDoubts) add(c *cli.Context, r *records, of *setting) {
	doubts := suspects{spec: of.spec, kernel: " " + of.kernelText()}
	doubts.add(r)
	if doubts.outside > d.outside.outside {
		d.outside = doubts
	}
	if doubts.featureless > d.featureless.featureless {
		d.featureless = doubts
	}
	warnIndefinite(c, of.spec)
}

func (d *tuneDoubts) warn(c *cli.Context) {
	d.outside.warnOutside(c)
	d.featureless.warnFeatureless(c)
}

// run cross-validates the candidates, and the search itself if asked to.
func (t *tuning) run(c *cli.Context, out *outputs) (*tuneReport, error) {
	seed := c.Uint64("seed")
	fold, err := t.data.Folds(c.Int("folds"), seed)
	if err != nil {
		return nil, inFile(t.records.source(), err)
	}
	if err := t.checkFolds(c, out, fold); err != nil {
		return nil, err
	}
	var outer []int // found before the search, which may take long
	if k := c.Int("nested"); k > 0 {
		if outer, err = t.data.Folds(k, seed); err != nil {
			return nil, inFile(t.records.source(), err)
		}
		if err := t.checkOuterDuplicates(c, outer, fold); err != nil {
			return nil, err
		}
	}
	var clear func()
	t.search.Progress, clear = searchProgress(c)
	defer clear()
	if t.table, err = t.search.Run(c.Context, t.data, fold); err != nil {
		return nil, t.failed(err)
	}
	var nested *search.Nested
	if outer != nil {
		if nested, err = t.search.Nested(c.Context, t.data, outer, c.Int("folds"), seed); err != nil {
			return nil, t.failed(err)
		}
	}
	return newTuneReport(t, nested), nil
}

// failed names the kernel that an error is about, and the record or all files.
func (t *tuning) failed(err error) error {
	var candidate *search.CandidateError
	if errors.As(err, &candidate) {
		err = fmt.Errorf("kernel %s: %w", t.settings[candidate.Candidate].kernelText(), err)
	}
	return t.placedOrSource(err)
}

// picked is the setting of the winner.
func (t *tuning) picked() setting { return t.settings[t.table.Picked(t.search.Pick)] }

// save trains the winner on everything, as train does with its options.
func (t *tuning) save(c *cli.Context, out *outputs) error {
	winner := t.picked()
	t.spec, t.trainer = winner.spec, winner.trainer
	t.trainer.Kernel = t.search.Candidates[t.table.Picked(t.search.Pick)].Kernel
	report, clear := progress(c)
	t.trainer.Progress = report
	trained, err := t.trainer.Train(c.Context, t.data)
	clear()
	if err != nil {
		return t.records.placed(err)
	}
	t.remark(c, trained)
	return t.records.placed(t.experiment.save(winner.context, trained, out))
}

// searchProgress returns a reporter for a search, nil with --quiet or if standard error is no terminal. clear wipes its line.
func searchProgress(c *cli.Context) (report func(search.Progress), clear func()) {
	file, ok := c.App.ErrWriter.(*os.File)
	if !ok || c.Bool("quiet") || !isTerminal(file) {
		return nil, func() {}
	}
	report = func(p search.Progress) {
		outer := ""
		if p.Outers > 0 {
			outer = fmt.Sprintf("outer fold %d of %d, ", p.Outer, p.Outers)
		}
		fmt.Fprintf(file, "\r\x1b[K%scandidate %d of %d", outer, p.Done, p.Candidates)
	}
	return report, func() { fmt.Fprint(file, "\r\x1b[K") }
}
