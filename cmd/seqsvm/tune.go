package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// tuneOptions are the options of tune.
type tuneOptions struct {
	experimentOptions
	summaryOptions
	curveOptions
	metric string
	nested int
	random int
	by     search.By
	pick   search.Pick
	log    logOptions
	budget string
	tags   tag.Options
}

func (o *tuneOptions) Flags(f *cli.Flags) {
	o.experimentOptions.flags(f, "`GRID` of kernels; repeat to try several")
	o.learning.calibrationFlags(f)
	o.learning.conformalFlag(f)
	for _, name := range listedOptions {
		fallback := ""
		if name == "C" {
			fallback = defaultCosts
		}
		f.List(name, fallback)
	}
	o.folds.flags(f, 5)
	f.Section(input.OfLearning)
	f.String(&o.metric, "metric", "", "`METRIC` to choose by: "+metricHelp).
		Default("auroc for two classes, f1_micro with --multilabel, otherwise accuracy")
	f.Int(&o.nested, "nested", 0,
		"repeat the search on all but one of `K` outer folds, and measure the winner there").AtLeast(2)
	f.Int(&o.random, "random", 0, "try `N` candidates, drawn at random, instead of all").AtLeast(1)
	cli.Choice(f, &o.by, "by", "what candidates are measured by: folds, evidence (its logarithm) or loo (each record, "+
		"predicted by the machine of all others); the latter two, without folds, for --task gaussian-process and --lambda",
		search.Folds, search.Evidence, search.LeaveOneOut)
	cli.Choice(f, &o.pick, "pick", "the winner: best or 1se", search.Best, search.OneSE)
	f.String(&o.budget, "budget", "", "without --kernel: `WORK` that the search may take, with a training on all "+
		"data; --nested K takes K times as much besides").Excludes("kernel").
		Default("15ms times the root of the number of letters, from 3s to 60s; --task tag: 60s")
	o.tags.Flags(f)
	o.log.flags(f)
	f.Output(&o.model, "output,o", "model `FILE` to write, the winner trained on all data").Holds(cli.ModelFile).Default("")
	o.summaryOptions.flags(f)
	o.curveOptions.flags(f, "`FILE` for a picture: the metric against C, a line per kernel")
}

// mostShown is how many candidates a terminal shows.
const mostShown = 10

func (o *tuneOptions) Run(c *cli.Call) error {
	if o.learning.task == tag.Task {
		budget, err := o.allowance(math.MaxInt) // the greatest
		if err != nil {
			return err
		}
		return o.tags.Tune(c, o.learning.ofTags(), o.folds.folds, budget, o.format, &o.model)
	}
	err := cmp.Or(c.Require("--task "+tag.Task, tag.Names...), o.checkBy(c), o.learning.checkMetric(c, o.metric),
		o.folds.check(), o.log.check(c))
	if err != nil {
		return err
	}
	if o.pictures.Wanted() && !o.learning.hasCosts(c) {
		return cli.Usagef("--plot and --curves without -C, against which they are drawn")
	}
	if err := o.checkPortfolio(c); err != nil {
		return err
	}
	settings, err := tuneSettings(c, o)
	if err != nil {
		return err
	}
	t, err := newTuning(c, o, settings)
	if err != nil {
		return err
	}
	report, err := t.run(c, o)
	if err != nil {
		return err
	}
	if o.pictures.Wanted() {
		if err = o.curveOptions.write(report.path()); err != nil {
			return err
		}
	}
	if o.model.Given() {
		if err := t.save(c, o); err != nil {
			return err
		}
	}
	if n := len(report.Candidates); c.ToReaders() && n > mostShown {
		report.shown = mostShown
		c.Say("seqsvm: the best %d of %d candidates; a pipe, as | cat, gets all", mostShown, n)
	}
	c.Report(o.format, report, report.write)
	c.Say("seqsvm: picked: %s", t.picked().described)
	t.warnUndefined(c)
	return nil
}

// checkBy refuses options that mean nothing without folds.
func (o *tuneOptions) checkBy(c *cli.Call) error {
	if o.by == search.Folds {
		return nil
	}
	if !c.Given("lambda") && o.learning.task != gaussianTask {
		return cli.Usagef("--by %s, want --lambda or --task %s with it", o.by, gaussianTask)
	}
	name, without := "--by "+string(o.by), []string{"folds", "pick", "near-duplicates"}
	if o.by == search.Evidence {
		without = append(without, "metric", "no-bias")
	}
	if o.nested == 0 {
		without = append(without, "group", "similarity")
	}
	return c.Refuse(name, without...)
}

// tuning is a search: the data, and what to try on them.
type tuning struct {
	*experiment // with the kernel and trainer of the winner in the end
	settings    []setting
	search      search.Search
	table       *search.Table
	portfolio   *portfolio // nil with --kernel
}

// newTuning reads the data and makes the candidates.
func newTuning(c *cli.Call, o *tuneOptions, settings []setting) (*tuning, error) {
	t := &tuning{experiment: &experiment{options: &o.experimentOptions}}
	alphabet := o.reading.Alphabet // with kernels that follow the records
	if len(settings) > 0 {
		alphabet = alphabetOf(settings)
	}
	r, err := input.NewReader(c, &o.reading, alphabet)
	if err != nil {
		return nil, err
	}
	if r.Options.Numbers, err = columnsOf(settings); err != nil {
		return nil, err
	}
	if len(o.kernel.specs) == 0 && r.Options.Case == seqio.CaseAuto {
		r.Options.Case = seqio.CaseSites
	}
	r.Options.OptionalText = len(settings) > 0 &&
		!slices.ContainsFunc(settings, func(s setting) bool { return !s.spec.OfNumbers() })
	if err := t.read(c, r); err != nil {
		return nil, err
	}
	if err := t.checkLevel(c, o.metric); err != nil {
		return nil, err
	}
	t.search = search.Search{Metric: o.metric, By: o.by, Pick: o.pick}
	if len(o.kernel.specs) == 0 {
		return t, t.addPortfolio(c, o)
	}
	var doubts tuneDoubts
	if err := t.addCandidates(c, o, settings, &doubts); err != nil {
		return nil, err
	}
	doubts.warn(c)
	return t, t.failed(t.search.Check(t.data))
}

// alphabetOf returns the alphabet in which records are read for all kernels: that of the first that is not of bytes.
func alphabetOf(settings []setting) stringkernel.Alphabet {
	for _, s := range settings {
		if a := s.spec.Alphabet(); a != stringkernel.Bytes {
			return a
		}
	}
	return stringkernel.Bytes
}

// columnsOf returns the columns of numbers that all kernels compare. Records are read once, with these.
func columnsOf(settings []setting) (columns []string, err error) {
	for i, s := range settings {
		of := s.spec.Columns()
		if i > 0 && !slices.Equal(of, columns) {
			return nil, cli.Usagef("kernels %s and %s compare different columns of numbers: want the same in all of them, "+
				"or cv for each", settings[0].kernelText(), s.kernelText())
		}
		columns = of
	}
	return columns, nil
}

// addCandidates compiles the kernels, now that the alphabet is known. One that is not for this alphabet is left out,
// one of which there could be no model an error. doubts may be nil: no warnings.
func (t *tuning) addCandidates(c *cli.Call, o *tuneOptions, settings []setting, doubts *tuneDoubts) error {
	alphabet := t.records.DetectAlphabet()
	var spec catalog.Spec
	var kernel stringkernel.Kernel
	var refused, err error
	for _, s := range settings {
		if s.first {
			spec = s.spec.WithAlphabet(alphabet).WithColumns(t.records.Columns)
			if kernel, err = spec.Compile(alphabet); err != nil {
				c.Warn("kernel %s is left out on %s sequences: %s", s.kernelText(), alphabet,
					strings.TrimPrefix(err.Error(), spec.Terms[0].Name+": "))
				kernel, refused = nil, err
				continue
			}
			s.spec = spec
			if err := s.spec.CheckCorpus(t.records.Corpus, 0); err != nil {
				return t.records.Placed(err)
			}
			if doubts != nil {
				doubts.add(t.records, &s)
				input.WarnKernels(c, spec)
				remarkRows(c, spec, kernel, t.records.Corpus)
			}
		}
		s.spec = spec
		if kernel == nil {
			continue // it was left out
		}
		candidate := s.trainer
		candidate.Kernel = kernel
		candidate.Probability, candidate.Conformal = false, false // classes and scores do not depend on these
		if o.model.Given() && !o.keepSequences {
			if err := candidate.CheckMerge(t.data); err != nil {
				return t.records.Placed(fmt.Errorf("kernel %s: %w", s.kernelText(), err))
			}
		}
		t.search.Candidates = append(t.search.Candidates, candidate)
		t.settings = append(t.settings, s)
	}
	if len(t.settings) == 0 {
		return fmt.Errorf("no kernel of the grid is for %s sequences: %w", alphabet, refused)
	}
	return nil
}

// tuneDoubts are the worst cases over several kernels: most letters outside an alphabet, most records without features.
type tuneDoubts struct{ outside, featureless input.Suspects }

func (d *tuneDoubts) warn(c *cli.Call) {
	d.outside.WarnOutside(c)
	d.featureless.WarnFeatureless(c)
}

// add checks the records for a kernel.
func (d *tuneDoubts) add(r *input.Records, of *setting) {
	doubts := input.Suspects{Spec: of.spec, Kernel: " " + of.kernelText()}
	doubts.Add(r)
	if doubts.Outside > d.outside.Outside {
		d.outside = doubts
	}
	if doubts.Featureless > d.featureless.Featureless {
		d.featureless = doubts
	}
}

// run cross-validates the candidates, and the search itself if asked to.
func (t *tuning) run(c *cli.Call, o *tuneOptions) (*tuneReport, error) {
	var fold []int
	var err error
	if o.by == search.Folds {
		if t.portfolio != nil {
			if err := t.groupLinked(c); err != nil {
				return nil, err
			}
		}
		if fold, err = t.folds(c); err != nil {
			return nil, err
		}
	}
	var outer []int // checked before the search, which may take long
	if o.nested > 0 {
		if outer, err = divide(t.data, "nested", o.nested, c.Seed); err != nil {
			return nil, t.records.Located(err)
		}
		if o.folds.similarity > 0 && !o.folds.ofSides() && !slices.Equal(outer, fold) {
			found, err := t.nearDuplicates(c)
			if err != nil {
				return nil, err
			}
			t.warnDivided(c, found, outer, "outer folds")
		}
	}
	if t.portfolio != nil {
		return t.runPortfolio(c, fold, outer)
	}
	if t.search.Log, err = o.log.open(c, t, fold, outer); err != nil {
		return nil, err
	}
	if t.search.Log != nil {
		defer t.search.Log.Close() // every row has been written
	}
	c.Stage("searching")
	t.search.Progress = showSearch(c)
	if t.table, err = t.search.Run(c.Context, t.data, fold); err != nil {
		return nil, t.failed(err)
	}
	var nested *search.Nested
	var picked []setting
	if outer != nil {
		c.Stage("nested search")
		if nested, err = t.search.Nested(c.Context, t.data, outer, o.folds.folds, c.Seed); err != nil {
			return nil, t.failed(err)
		}
		for _, candidate := range nested.Picked {
			picked = append(picked, t.settings[candidate])
		}
	}
	return newTuneReport(t, nested, picked), nil
}

// failed names the kernel that an error is about, and the record or all files.
func (t *tuning) failed(err error) error {
	var usage *cli.UsageError
	if err = optionError(err); errors.As(err, &usage) {
		return err
	}
	var candidate *search.CandidateError
	if errors.As(err, &candidate) {
		err = fmt.Errorf("kernel %s: %w", t.settings[candidate.Candidate].kernelText(), err)
	}
	return t.records.Located(err)
}

// warnUndefined warns of folds that are not in the mean of the winner, and counts candidates with such folds.
func (t *tuning) warnUndefined(c *cli.Call) {
	candidates := 0
	for i := range t.table.Results {
		if t.table.Undefined(i) > 0 {
			candidates++
		}
	}
	winner := t.table.Picked(t.search.Pick)
	if n := t.table.Undefined(winner); n > 0 {
		c.Warn("%s is undefined in %d of %d folds of the candidate picked and in some of %d of %d candidates; "+
			"means are "+
			"over the other folds: choose another metric or fewer folds", t.table.Metric, n,
			len(t.table.Results[winner].Folds), candidates, len(t.table.Results))
	}
}

// picked is the setting of the winner.
func (t *tuning) picked() setting { return t.settings[t.table.Picked(t.search.Pick)] }

// leastSided is the number of records of each class that it takes to choose a threshold.
const leastSided = 10

// criterion returns what the threshold of the winner is chosen by: of two classes, unless it is given, what suits the
// metric.
func (t *tuning) criterion(c *cli.Call, o *tuneOptions) string {
	if c.Given("threshold") || c.Given("prior") || t.data.Labelling() != dataset.TwoClasses ||
		slices.Min(t.data.Counts()) < leastSided {
		return ""
	}
	return threshold.For(cmp.Or(o.metric, t.data.DefaultMetric()))
}

// save trains the winner on all data, as train does with its options.
func (t *tuning) save(c *cli.Call, o *tuneOptions) error {
	winner, number := t.picked(), t.table.Picked(t.search.Pick)
	t.spec, t.trainer = winner.spec, winner.trainer
	t.trainer.Kernel = t.search.Candidates[number].Kernel
	criterion := t.criterion(c, o)
	if criterion != "" {
		if t.trainer.Threshold = criterion; t.portfolio != nil { // the search has left records out
			t.trainer.Threshold = strconv.FormatFloat(t.table.Results[number].Threshold, 'g', 6, 64)
		}
		winner.described += " --threshold " + t.trainer.Threshold
		t.settings[number] = winner
	}
	trained, err := t.train(c, &o.summaryOptions)
	if err != nil {
		return err
	}
	if err := t.remark(c, trained); err != nil {
		return err
	}
	if criterion != "" {
		c.Say("seqsvm: a record is %.80s where its decision is above %.4g, chosen by %s on records left out (--threshold 0 "+
			"is the machine's own%s)", trained.Classes[trained.Positive], trained.Machines[0].Threshold, criterion,
			t.silent(number))
	}
	options := winner.options.kernel.portable(winner.described, &winner.options.reading)
	return t.experiment.save(c, trained, &o.summaryOptions, options)
}

// silent says that a candidate without a threshold takes all records for one class, if it does.
func (t *tuning) silent(candidate int) string {
	if slices.ContainsFunc(t.table.Results[candidate].Folds, func(r metrics.Report) bool {
		return r.Value("balanced_accuracy") != 0.5
	}) {
		return ""
	}
	return ", by which all of them are of one class"
}

// showSearch returns a reporter for a search, which takes as long as one of its outer folds, or a little longer.
func showSearch(c *cli.Call) func(search.Progress) {
	return func(p search.Progress) {
		share := float64(p.Done) / float64(p.Candidates)
		if p.Outers == 0 {
			c.Show(share, "candidate %d of %d", p.Done, p.Candidates)
			return
		}
		share = (float64(p.Outer-1) + share) / float64(p.Outers)
		c.Show(share, "outer fold %d of %d, candidate %d of %d", p.Outer, p.Outers, p.Done, p.Candidates)
	}
}

// logOptions are the table that tune writes as it goes, and whether it goes on from it.
type logOptions struct {
	path   string
	resume bool
}

func (o *logOptions) flags(f *cli.Flags) {
	f.String(&o.path, "table", "", "`FILE` for the metrics of every candidate and fold as soon as they are known")
	f.Bool(&o.resume, "resume", "go on from the rows of --table, of the same data and options, after an interruption").
		Needs("table, want the file that the search wrote")
}

func (o *logOptions) check(c *cli.Call) error {
	if strings.HasSuffix(o.path, ".gz") || strings.HasSuffix(o.path, ".zst") {
		return cli.Usagef("--table %s, want a name without .gz or .zst: rows are added one by one", o.path)
	}
	if o.path == "-" {
		return cli.Usagef("--table -, want a file: the table is read again by --resume")
	}
	return c.CheckOutput("table", o.path)
}

// open opens the table of --table; without that option, log is nil.
func (o *logOptions) open(c *cli.Call, t *tuning, folds ...[]int) (log *search.Log, err error) {
	if o.path == "" {
		return nil, nil
	}
	identity := search.Identity{
		{Name: "seqsvm", Value: seqsvm.Version}, {Name: "data", Value: model.Checksum(t.data.Corpus, t.records.Labels)},
		{Name: "folds", Value: checksum(folds)}, {Name: "settings", Value: t.settingsSum()},
	}
	names := make([]string, len(t.settings))
	for i, s := range t.settings {
		names[i] = strings.Join(strings.Fields(s.described), " ")
	}
	if o.resume {
		if log, err = search.ResumeLog(o.path, identity, names); err == nil {
			c.Say("seqsvm: %s has the results of %d candidates", o.path, log.Len())
		}
	} else {
		log, err = search.CreateLog(o.path, identity, names)
	}
	if errors.Is(err, search.ErrLogExists) {
		err = fmt.Errorf("%w already: --resume goes on from it, another name or its removal begins anew", err)
	}
	return log, cli.InFile(o.path, err)
}

// settingsSum is the checksum of all candidates.
func (t *tuning) settingsSum() string {
	h := crc32.NewIEEE()
	if t.search.By != search.Folds {
		io.WriteString(h, string(t.search.By)+"\n")
	}
	for _, s := range t.settings {
		io.WriteString(h, s.described+"\n")
		if s.first {
			json.NewEncoder(h).Encode(s.spec) // with the words of lists in files; a hash takes everything
		}
	}
	return fmt.Sprintf("%08x", h.Sum32())
}

func checksum(value any) string {
	h := crc32.NewIEEE()
	fmt.Fprint(h, value)
	return fmt.Sprintf("%08x", h.Sum32())
}
