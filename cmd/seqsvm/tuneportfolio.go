package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/usage"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// portfolio is the search of tune without --kernel: contenders, what they are made of, and how the search went.
type portfolio struct {
	search.Halving
	kind     catalog.Kind
	learning []map[string]string // the combinations of options of each contender
	kernels  [][]string          // the terms of each contender, as often as they count
	first    []int               // the number of the first candidate of each contender
	settings []setting           // of all candidates
	course   *search.Course
}

// settingOf returns the options of an entrant.
func (p *portfolio) settingOf(e search.Entrant) setting {
	return p.settings[p.first[e.Contender]+e.Candidate]
}

// checkPortfolio refuses options that mean nothing without --kernel, or with it.
func (o *tuneOptions) checkPortfolio(c *cli.Call) error {
	if len(o.kernel.specs) > 0 {
		return c.Refuse("--kernel", "budget")
	}
	if o.reading.Tree.Syntax != "" && o.reading.Tree.Syntax != "none" {
		return cli.Usagef("--tree %s without --kernel, want one for trees, such as sst", o.reading.Tree.Syntax)
	}
	if _, err := o.allowance(); err != nil {
		return err
	}
	return c.Refuse("tune without --kernel", "random", "by", "table", "resume")
}

// allowance returns the nanoseconds of --budget.
func (o *tuneOptions) allowance() (float64, error) {
	d, err := time.ParseDuration(o.budget)
	if err != nil || d <= 0 {
		return 0, cli.Usagef("--budget %.80q, want an amount of work such as 60s or 10m", o.budget)
	}
	return float64(d.Nanoseconds()), nil
}

// addPortfolio makes contenders of the recipes for the records.
func (t *tuning) addPortfolio(c *cli.Call, o *tuneOptions) (err error) {
	p := new(portfolio)
	t.portfolio = p
	alphabet := t.records.DetectAlphabet()
	p.kind = catalog.KindOf(t.records.Corpus, alphabet)
	p.Metric, p.Pick, p.Folds, p.Seed = o.metric, o.pick, o.folds.folds, c.Seed
	if p.Budget, err = o.allowance(); err != nil {
		return err
	}
	if p.learning, err = learningGrid(c, o.learning.hasCosts(c)); err != nil {
		return err
	}
	var refused error
	for _, recipe := range catalog.Portfolio(p.kind) {
		terms, err := catalog.Default().ParseGrid(recipe.Kernel)
		if err == nil {
			err = t.suits(terms[0], alphabet)
		}
		if err != nil {
			refused = fmt.Errorf("kernel %s: %w", recipe.Kernel, err)
			continue
		}
		_, err = t.addContender(c, o, terms[0], false)
		var kernel *search.CandidateError
		if errors.As(err, &kernel) {
			refused = fmt.Errorf("kernel %s: %w", recipe.Kernel, optionError(kernel.Err))
		} else if err != nil {
			return err
		}
	}
	if len(p.Contenders) == 0 {
		return t.records.Located(fmt.Errorf("no kernel is known for %s as these with these options, --kernel chooses one: %w",
			p.kind, refused))
	}
	if o.learning.Penalty != classify.PenaltySum { // which is of one kernel
		p.Mean = func(of []int) (int, error) { return t.addMean(c, o, of) }
	}
	c.Say("seqsvm: %s: %d kernels are tried, within %s of work; --kernel tries others", t.described(alphabet),
		len(p.Contenders), o.budget)
	return nil
}

// suits returns why a kernel is not for the records: it is not for their alphabet, or most of them are too short.
func (t *tuning) suits(terms []string, alphabet stringkernel.Alphabet) error {
	spec, err := catalog.Parse(terms...)
	if err != nil {
		return err
	}
	spec = spec.WithAlphabet(alphabet)
	if _, err := spec.Compile(alphabet); err != nil {
		return err
	}
	doubts := input.Suspects{Spec: spec}
	doubts.Add(t.records)
	if 2*doubts.Featureless > t.records.Corpus.Len() {
		return fmt.Errorf("%d of %d records are too short, or hold too few of its letters", doubts.Featureless,
			t.records.Corpus.Len())
	}
	return nil
}

// described tells what the records were taken for.
func (t *tuning) described(a stringkernel.Alphabet) string {
	corpus := t.records.Corpus
	lengths := make([]int, corpus.Len())
	for i := range lengths {
		lengths[i] = len(corpus.Seq(i))
	}
	slices.Sort(lengths)
	of := strconv.Itoa(lengths[0])
	if last := lengths[len(lengths)-1]; last != lengths[0] {
		of = fmt.Sprintf("%s to %d (median %d)", of, last, lengths[len(lengths)/2])
	}
	return fmt.Sprintf("%d records of %s letters (%s), taken for %s", len(lengths), of, a, t.portfolio.kind)
}

// addContender adds a kernel with every combination of options, and returns its number.
func (t *tuning) addContender(c *cli.Call, o *tuneOptions, terms []string, mean bool) (int, error) {
	p := t.portfolio
	specs := terms
	if mean {
		specs = weighted(terms)
	}
	var settings []setting
	var same *setting
	for _, values := range p.learning {
		s, err := newSetting(c, &o.experimentOptions, specs, values, same)
		if err != nil {
			return 0, err
		}
		settings = append(settings, s)
		same = &settings[0]
	}
	first := len(t.settings)
	if err := t.addCandidates(c, o, settings, nil); err != nil {
		return 0, err
	}
	if err := t.search.Candidates[first].Check(t.data); err != nil {
		t.search.Candidates, t.settings = t.search.Candidates[:first], t.settings[:first]
		return 0, &search.CandidateError{Candidate: first, Err: err}
	}
	p.first = append(p.first, first)
	p.kernels = append(p.kernels, slices.Sorted(slices.Values(terms)))
	p.Contenders = append(p.Contenders, search.Contender{
		Candidates: t.search.Candidates[first:], Cost: search.Cost(catalog.WorkOf(terms)), Mean: mean,
	})
	return len(p.Contenders) - 1, nil
}

// addMean returns the number of the contender that is the mean of others, whose terms count as often as they come.
func (t *tuning) addMean(c *cli.Call, o *tuneOptions, of []int) (int, error) {
	p := t.portfolio
	// each contender counts as one, whatever the number of its terms
	share := 1
	for _, n := range of {
		share = leastCommonMultiple(share, len(p.kernels[n]))
	}
	var terms []string
	for _, n := range of {
		for range share / len(p.kernels[n]) {
			terms = append(terms, p.kernels[n]...)
		}
	}
	slices.Sort(terms)
	for i, other := range p.kernels {
		if slices.Equal(weighted(other), weighted(terms)) {
			return i, nil
		}
	}
	return t.addContender(c, o, terms, true)
}

// weighted returns sorted terms, each once, with the number of times that it comes as its weight: "2*A", "B".
func weighted(terms []string) []string {
	var once []string
	var counts []int
	common := 0
	for i, term := range terms {
		if i == 0 || term != terms[i-1] {
			once, counts = append(once, term), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	for _, n := range counts {
		common = greatestCommonDivisor(common, n)
	}
	for i, n := range counts {
		if n != common {
			once[i] = strconv.Itoa(n/common) + "*" + once[i]
		}
	}
	return once
}

func greatestCommonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func leastCommonMultiple(a, b int) int { return a / greatestCommonDivisor(a, b) * b }

// runPortfolio searches, and leaves the candidates and results of the last records taken as those of the search.
func (t *tuning) runPortfolio(c *cli.Call, fold, outer []int) (*tuneReport, error) {
	p := t.portfolio
	c.Stage("searching")
	p.Progress = func(share float64, rung int) { c.Show(share, "rung %d", rung) }
	var err error
	if p.course, err = p.Run(c.Context, t.data, fold); err != nil {
		return nil, t.portfolioFailed(err)
	}
	var nested *search.Nested
	var entrants []search.Entrant
	if outer != nil {
		c.Stage("nested search")
		if nested, entrants, err = p.Nested(c.Context, t.data, outer); err != nil {
			return nil, t.portfolioFailed(err)
		}
	}
	candidates := t.search.Candidates
	p.settings = t.settings
	t.search.Candidates, t.settings, t.table = nil, nil, p.course.Table
	for _, e := range p.course.Entrants {
		t.search.Candidates = append(t.search.Candidates, candidates[p.first[e.Contender]+e.Candidate])
		t.settings = append(t.settings, p.settingOf(e))
	}
	var picked []setting
	for _, e := range entrants {
		picked = append(picked, p.settingOf(e))
	}
	winner, doubts := t.picked(), tuneDoubts{}
	doubts.add(t.records, &winner)
	doubts.warn(c)
	input.WarnKernels(c, winner.spec)
	report := newTuneReport(t, nested, picked)
	report.sayCourse(c, t.data.Len())
	return report, nil
}

// portfolioFailed names the kernel that an error is about, and says a budget as the option has it.
func (t *tuning) portfolioFailed(err error) error {
	var budget *search.BudgetError
	if errors.As(err, &budget) {
		return fmt.Errorf("--budget %s is too little work for %d records of %d letters in all: want %s or more, or --kernel",
			seconds(budget.Budget), t.data.Len(), t.data.Corpus.Letters(), seconds(budget.Least))
	}
	var candidate *search.CandidateError
	if errors.As(err, &candidate) {
		candidate.Candidate = t.portfolio.first[candidate.Candidate]
	}
	return t.failed(err)
}

// seconds writes work that is in nanoseconds.
func seconds(work float64) string { return strconv.FormatFloat(work/1e9, 'f', 1, 64) + "s" }

// sayCourse tells what was tried on which rung, and how that went.
func (r *tuneReport) sayCourse(c *cli.Call, records int) {
	for _, kernel := range r.Search.Costly {
		c.Say("seqsvm: %s is not tried: it takes too much of the budget", kernel)
	}
	for i, rung := range r.Search.Rungs {
		what := "kernels"
		if rung.Mean {
			what = "means with one more kernel"
		}
		c.Say("seqsvm: rung %d: %d %s, %d folds of %d of %d records, %.1fs of work", i+1, len(rung.Kernels), what,
			rung.Folds, rung.Records, records, rung.Work)
		for _, k := range rung.Kernels {
			kept := ""
			if k.Kept {
				kept = ", kept"
			}
			c.Say("seqsvm:   %s %.4f: %s%s", r.Metric, k.Mean, k.Options, kept)
		}
	}
	c.Say("seqsvm: work %.1fs of %.1fs with the training of the winner, %.1fs of CPU so far", r.Search.Work,
		r.Search.Budget, usage.CPU().Seconds())
}
