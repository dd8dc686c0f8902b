package main

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/internal/usage"
	"github.com/seqsvm/seqsvm/seqio/reading"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// defaultCosts are the values of C without --C.
const defaultCosts = "0.1,0.3,1,3,10"

// mostCandidates bounds what a search may try.
const mostCandidates = 10_000

// setting is a candidate: the options that train would have.
type setting struct {
	options   experimentOptions
	spec      catalog.Spec
	trainer   classify.Trainer
	values    map[string]string // of the options that a list was given for, and C
	described string            // as options of train
	first     bool              // the first with this kernel
}

// listedOptions are the options of learning that take lists in tune.
var listedOptions = []string{"C", "loss", "penalty", "class-weight", "solver", "multiclass", "epsilon", "lambda", "nu",
	"landmarks", "relevance", "prior", "mkl"}

// tuneSettings lists the candidates: every kernel with every combination of options, or a random sample of them.
// None without --kernel.
func tuneSettings(c *cli.Call, o *tuneOptions) ([]setting, error) {
	if len(o.kernel.specs) == 0 {
		return nil, nil // those of the portfolio follow the records
	}
	kernels, err := tuneKernels(o.kernel.specs)
	if err != nil {
		return nil, err
	}
	learning, err := learningGrid(c, o.learning.hasCosts(c), c.Values("C"))
	if err != nil {
		return nil, err
	}
	total := len(kernels) * len(learning)
	chosen := drawCandidates(c.Seed, total, o.random)
	if len(chosen) > mostCandidates {
		return nil, cli.Usagef("%d candidates, want at most %d; --random N draws N of them", total, mostCandidates)
	}
	settings := make([]setting, len(chosen))
	for i, n := range chosen {
		terms, values := kernels[n/len(learning)], learning[n%len(learning)]
		var same *setting // with the same kernel
		if i > 0 && chosen[i-1]/len(learning) == n/len(learning) {
			same = &settings[i-1]
		}
		if settings[i], err = newSetting(c, &o.experimentOptions, terms, values, same); err != nil {
			return nil, err
		}
	}
	return settings, nil
}

// drawCandidates returns the numbers of the candidates to try, ascending: all, or n of them at random if n is not 0.
func drawCandidates(seed uint64, total, n int) []int {
	most := min(total, mostCandidates+1) // one more than allowed is enough for the error
	if n == 0 || n >= most {
		return subset.Whole(most)
	}
	return sample(rand.New(rand.NewPCG(seed, 0x707e)), total, n)
}

// sample draws n of the numbers 0 … total − 1, all sets of n being equally likely, and returns them in ascending
// order: Floyd's method, which needs no list of all (Bentley & Floyd 1987, doi:10.1145/30401.315746).
func sample(random *rand.Rand, total, n int) []int {
	taken := make(map[int]bool, n)
	for last := total - n; last < total; last++ {
		if number := random.IntN(last + 1); !taken[number] {
			taken[number] = true
		} else {
			taken[last] = true
		}
	}
	return slices.Sorted(maps.Keys(taken))
}

// tuneKernels lists the kernels of all grids, each once, as the texts of their terms: those of fewer terms first.
func tuneKernels(specs []string) ([][]string, error) {
	var kernels [][]string
	seen := map[string]bool{}
	for _, text := range specs {
		grid, err := catalog.Default().ParseGrid(text)
		if err != nil {
			return nil, &cli.UsageError{Err: err}
		}
		for _, terms := range grid {
			if name := strings.Join(terms, "+"); !seen[name] {
				seen[name] = true
				kernels = append(kernels, terms)
			}
		}
	}
	slices.SortStableFunc(kernels, func(a, b []string) int { return len(a) - len(b) })
	return kernels, nil
}

// learningGrid lists the combinations of options of learning: those given as lists, and C if that means something.
func learningGrid(c *cli.Call, hasCosts bool, costs []string) ([]map[string]string, error) {
	combinations := []map[string]string{{}}
	for _, name := range listedOptions {
		if !c.Given(name) && (name != "C" || !hasCosts) {
			continue
		}
		var next []map[string]string
		values := c.Values(name)
		if name == "C" {
			values = costs
		}
		if name == "class-weight" {
			values = joinWeights(values)
		}
		if len(combinations)*len(values) > mostCandidates {
			return nil, cli.Usagef("more than %d combinations of options, want fewer", mostCandidates)
		}
		for _, combination := range combinations {
			for _, value := range values {
				longer := maps.Clone(combination)
				longer[name] = value
				next = append(next, longer)
			}
		}
		combinations = next
	}
	return combinations, nil
}

// joinWeights joins the weights of classes, LABEL=NUMBER, that commas between the values of a list have cut: those of a
// candidate end where a label comes again.
func joinWeights(values []string) (joined []string) {
	seen := map[string]bool{}
	for _, value := range values {
		label, _, weight := strings.Cut(value, "=")
		if !weight || seen[label] || len(seen) == 0 {
			joined = append(joined, value)
			clear(seen)
		} else {
			joined[len(joined)-1] += "," + value
		}
		if weight {
			seen[label] = true
		}
	}
	return joined
}

// newSetting checks one candidate as train would. Its kernel, which may hold a long dictionary, is that of another
// setting if there is one with the same.
func newSetting(c *cli.Call, o *experimentOptions, terms []string, values map[string]string,
	same *setting) (s setting, err error) {
	for _, name := range listedOptions {
		if value, given := values[name]; given {
			if err := c.Assign(name, value); err != nil {
				return s, err
			}
		}
	}
	s.options = *o
	s.options.kernel.specs = terms
	if s.trainer, err = s.options.learning.trainer(c); err != nil {
		return s, err
	}
	if s.first = same == nil; s.first {
		s.spec, err = parseKernels(&s.options.kernel, o.reading.Alphabet)
	} else {
		s.spec = same.spec
	}
	if err != nil {
		return s, err
	}
	s.values = values
	s.described = s.options.kernel.describe(c)
	return s, nil
}

// kernelText returns the kernel as --kernel of tune takes it.
func (s *setting) kernelText() string {
	return strings.Join(s.options.kernel.specs, "+")
}

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
		return nil
	}
	if _, err := o.allowance(0); err != nil {
		return err
	}
	return c.Refuse("tune without --kernel", "random", "by", "table", "resume")
}

// allowance returns the nanoseconds of --budget, of so many letters.
func (o *tuneOptions) allowance(letters int) (float64, error) {
	if o.budget == "" {
		return search.Allowance(letters), nil
	}
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
	if p.kind == catalog.NucleotideSites && !o.reading.Given("soft-mask") {
		c.Say("seqsvm: records have a site in upper case: --input soft-mask=break is taken, soft-mask=upper ignores case")
		o.reading.SoftMask = reading.MaskBreak
		if err := c.Assign("input", o.reading.String()); err != nil {
			return err
		}
	}
	p.Metric, p.Pick, p.Seed = o.metric, o.pick, c.Seed
	if p.Budget, err = o.allowance(t.data.Corpus.Letters()); err != nil {
		return err
	}
	if _, p.Threshold, err = threshold.Parse(t.criterion(c, o)); err != nil {
		return err
	}
	costs := p.kind.Costs()
	if c.Given("C") {
		costs = c.Values("C")
	}
	if p.learning, err = learningGrid(c, o.learning.hasCosts(c), costs); err != nil {
		return err
	}
	recipes := catalog.Portfolio(p.kind, catalog.SiteOf(t.data.Corpus, alphabet))
	usual := catalog.Usual(t.data.Corpus, alphabet).Kernel
	first := slices.IndexFunc(recipes, func(r catalog.Recipe) bool { return r.Kernel == usual })
	recipes[0], recipes[first] = recipes[first], recipes[0]
	var refused error
	for _, recipe := range recipes {
		terms, err := catalog.Default().ParseGrid(recipe.Kernel)
		if err == nil {
			err = t.suits(terms[0], alphabet)
		}
		if err != nil {
			refused = fmt.Errorf("kernel %s: %w", recipe.Kernel, err)
			continue
		}
		added, err := t.addContender(c, o, terms[0], false)
		var kernel *search.CandidateError
		if errors.As(err, &kernel) {
			refused = fmt.Errorf("kernel %s: %w", recipe.Kernel, optionError(kernel.Err))
		} else if err != nil {
			return err
		} else {
			p.Contenders[added].Known = recipe.Known()
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
		len(p.Contenders), seconds(p.Budget))
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
		Candidates: t.search.Candidates[first:], Mean: mean,
		Cost: search.Cost(catalog.WorkOf(terms, t.records.Corpus.Letters()/t.records.Corpus.Len())),
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
	p.Folds = t.options.folds.folds // which may have been lowered
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
	if one := p.course.Ungrouped; one != nil {
		grouped, _ := t.table.Value(t.table.Picked(p.Pick))
		report.Search.Ungrouped = &one.Mean
		c.Say("seqsvm: %s of the winner: %.4f on folds that keep near-duplicates together, %.4f on folds that divide them",
			t.table.Metric, grouped, one.Mean.Value(t.table.Metric))
	}
	return report, nil
}

// groupLinked keeps near-duplicates together in folds if that is not refused, nothing else is, and many records have
// some.
func (t *tuning) groupLinked(c *cli.Call) error {
	o := &t.options.folds
	if o.similarity == 0 || t.data.Groups != nil || !t.portfolio.kind.OfGenomes() {
		return nil
	}
	similarities := duplicates.Similarities
	if c.Given("similarity") {
		similarities = []float64{o.similarity}
	}
	c.Stage("finding near-duplicates")
	found, similarity, err := duplicates.Link(c.Context, t.data.Corpus, t.records.DetectAlphabet(), similarities)
	if err != nil || found == nil {
		return err
	}
	t.data.Groups = found.Names()
	if _, err := t.data.Folds(o.folds, c.Seed); err != nil {
		t.data.Groups = nil
		return nil
	}
	t.duplicates, o.similarity, t.portfolio.Ungrouped = found, similarity, true
	c.Say("seqsvm: more than 10 %% of the records share %g of their k-mers with others: folds keep these together; "+
		"--similarity 0 divides them", similarity)
	return nil
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
