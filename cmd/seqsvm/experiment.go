package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/internal/suggest"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// experiment is a labelled data set and how to learn from it.
type experiment struct {
	options *experimentOptions
	records *input.Records
	data    *dataset.Dataset
	spec    catalog.Spec
	trainer classify.Trainer
	input   model.Input

	duplicates *duplicates.Groups // nil until they are looked for
	others     []string           // of --group left,right the groups of the right sides
	drift      *drift.Profile     // of the data, nil of trees
	sketch     *model.Sketch      // of the data, nil if it is not wanted
}

// newExperiment checks the options, reads the data, builds the kernel and checks that they go together.
func newExperiment(c *cli.Call, o *experimentOptions) (*experiment, error) {
	e := &experiment{options: o}
	var err error
	if e.trainer, err = o.learning.trainer(c); err != nil {
		return nil, err
	}
	if err := e.readForKernel(c); err != nil {
		return nil, err
	}
	cli.CollectOften(e.data.Corpus.Letters())
	if e.trainer.Kernel, err = buildKernel(c, &e.spec, e.records); err != nil {
		return nil, err
	}
	remarkRows(c, e.spec, e.trainer.Kernel, e.data.Corpus)
	return e, e.records.Placed(optionError(e.trainer.Check(e.data)))
}

// readForKernel reads the data for the kernel of the options or, without one, chooses the usual one for the records.
func (e *experiment) readForKernel(c *cli.Call) error {
	o := e.options
	chosen := len(o.kernel.specs) > 0
	var r input.Reader
	var err error
	if chosen {
		e.spec, r, err = kernelAndReader(c, &o.kernel, &o.reading)
	} else {
		r, err = input.NewReader(c, &o.reading, o.reading.Alphabet)
	}
	if err == nil {
		err = e.read(c, r)
	}
	if err != nil || chosen {
		return err
	}
	usual := catalog.Usual(e.data.Corpus, e.records.DetectAlphabet())
	c.Say("seqsvm: kernel %s: %s; --kernel chooses another, seqsvm tune compares several", usual.Kernel, usual.Reason)
	o.kernel.specs = usual.Terms()
	e.spec, err = parseKernels(&o.kernel, o.reading.Alphabet)
	return err
}

// read reads the labelled data, with all labels of each record where --multilabel is given.
func (e *experiment) read(c *cli.Call, r input.Reader) (err error) {
	separator := e.options.learning.multilabel
	r.Options.LabelLists = separator != ""
	r.Options.RepeatedIDs = e.options.folds.groupFile() == ""
	r.Options.Fields = e.options.fields()
	r.Labels = labelsOf(e.options.learning.taskNamed())
	if e.records, err = r.Labelled(&e.options.labels); err != nil {
		return err
	}
	if err := e.records.CheckTraining(); err != nil {
		return err
	}
	e.input = model.InputOf(e.records.Settled(r.Options))
	e.input.Separator, e.input.Query = separator, e.options.learning.query
	if err := e.makeDataset(c); err != nil {
		return err
	}
	e.warnOtherLetters(c)
	e.warnOtherLengths(c)
	e.warnContradictions(c)
	e.data.Others = e.others
	for _, set := range e.records.Sets {
		set.Descriptions = nil // labels and groups have been found
	}
	return nil
}

// warnOtherLetters warns if one file is of nucleotides and another of other letters.
func (e *experiment) warnOtherLetters(c *cli.Call) {
	first := e.records.Sets[0]
	for _, set := range e.records.Sets[1:] {
		a, b := seqio.DetectAlphabet(first.Corpus), seqio.DetectAlphabet(set.Corpus)
		if a.Complementary() != b.Complementary() {
			c.Warn("the letters of %s are %s, those of %s %s: the classes may differ by that alone", first.Source, a,
				set.Source, b)
			return
		}
	}
}

// warnOtherLengths warns if all records of --pos are longer than those of --neg, or shorter.
func (e *experiment) warnOtherLengths(c *cli.Call) {
	if !c.Given("neg") {
		return
	}
	first := e.records.Sets[0]
	for _, set := range e.records.Sets[1:] {
		least, most := lengthsOf(first.Corpus)
		other, greatest := lengthsOf(set.Corpus)
		if most < other || greatest < least {
			c.Warn("the records of %s have %d to %d letters, those of %s %d to %d: the classes may differ by that alone",
				first.Source, least, most, set.Source, other, greatest)
			return
		}
	}
}

// warnContradictions warns of records that are in several classes.
func (e *experiment) warnContradictions(c *cli.Call) {
	if !e.data.Labelling().OneClass() || e.options.learning.Prior > 0 { // unlabelled records may be positive
		return
	}
	n, pair := duplicates.Contradictions(e.data.Corpus, e.data.Y)
	if n == 0 {
		return
	}
	which := "both"
	if len(e.data.Classes) > 2 {
		which = "several"
	}
	of := func(i int) string { return e.data.Classes[e.data.Y[i]] }
	c.Warn("%s found in %s classes, so that no model is right on all; the first: %v", plural.Of(n, "record"), which,
		e.records.Errorf(pair.I, "class %.80q, but %.80q as %s", of(pair.I), of(pair.J), e.records.Describe(pair.J)))
}

// lengthsOf returns the least and the greatest length of the records of a corpus.
func lengthsOf(c *stringkernel.Corpus) (least, most int) {
	for i := range c.Len() {
		n := len(c.Seq(i))
		if i == 0 {
			least = n
		}
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

func (e *experiment) makeDataset(c *cli.Call) error {
	group, err := e.groups(c)
	if err != nil {
		return err
	}
	o := &e.options.learning
	if o.taskNamed() != dataset.Classes {
		if e.data, err = e.taskDataset(c, group); err != nil {
			return e.records.Located(err)
		}
		return e.weigh()
	}
	if o.multilabel != "" {
		sets, err := e.records.LabelSets(o.multilabel)
		if err != nil {
			return err
		}
		if e.data, err = dataset.NewMultilabel(e.records.Corpus, sets, group); err != nil {
			return e.records.Located(err)
		}
		return e.weigh()
	}
	e.data, err = dataset.New(e.records.Corpus, e.records.Labels, group)
	if err == nil && o.hierarchy != "" {
		err = e.data.SetHierarchy(o.hierarchy)
	}
	if err != nil {
		return e.records.Located(err)
	}
	return cmp.Or(o.setPositive(c, e.data), e.weigh())
}

// setPositive takes the class of --positive for the positive one of two, and says which it is.
func (o *learningOptions) setPositive(c *cli.Call, d *dataset.Dataset) error {
	if o.positive != "" {
		if len(d.Classes) != 2 {
			return cli.Usagef("--positive needs two classes, found %d", len(d.Classes))
		}
		if err := d.SetPositive(o.positive); err != nil {
			return cli.Usagef("--positive: %w", err)
		}
	}
	if name := d.PositiveName(); name != "" {
		c.Note("the positive class is %.80s (--positive chooses it)", name)
	}
	return nil
}

// weigh gives the records the weights of --weights.
func (e *experiment) weigh() error {
	weights := e.options.learning.weights
	if weights == "" {
		return nil
	}
	return e.records.Located(e.data.SetWeights(e.field(weights)))
}

// trainer returns the trainer of the options, after checking those and that they do not exclude each other.
func (o *learningOptions) trainer(c *cli.Call) (classify.Trainer, error) {
	t := o.Trainer
	t.Seed = c.Seed
	t.Solver = solverNamed(o.solver, c.Seed, o.sparse)
	var short bool
	if t.Multiclass, short = shortNames[o.multiclass]; !short {
		t.Multiclass = o.multiclass
	}
	if err := o.setTask(c, &t); err != nil {
		return t, err
	}
	if err := cmp.Or(checkC(t.C), optionError(t.CheckOptions())); err != nil {
		return t, err
	}
	if t.Tol == 0 {
		return t, cli.Usagef("--tol 0, want a relative gap between 0 and 1")
	}
	return t, o.checkLabels(c, t)
}

// describe lists the options that the result depends on: the same for any --threads or --output.
func (o *kernelOptions) describe(c *cli.Call) string {
	var words []string
	for _, k := range o.specs {
		words = append(words, "--kernel "+cli.Quoted(k))
	}
	return strings.Join(append(words, c.Text("task", "algorithm", "bias", "C", "tol", "loss", "no-bias", "penalty", "mkl",
		"class-weight", "solver", "multiclass", "multilabel", "thresholds", "hierarchy", "epsilon", "lambda", "landmarks",
		"relevance", "components", "nu", "ball", "classes", "prior", "known", "order", "query", "weights", "seed",
		"positive", "input", "no-normalize", "probability", "threshold", "conformal", "sparse", "keep-sequences",
		"no-sketch", "stream")...), " ")
}

// foldersOfLists are those of files in specifications of kernels, as in words:dict=@FILE.
var foldersOfLists = regexp.MustCompile(`=@[^,]*[/\\]`)

// portable returns a description for the model file: without the folders of files, which are those of one machine.
func (o *kernelOptions) portable(described string, in *input.Reading) string {
	text, _ := in.MarshalText() // which never fails
	described = strings.Replace(described, cli.Quoted(in.String()), cli.Quoted(string(text)), 1)
	for _, k := range o.specs {
		described = strings.Replace(described, cli.Quoted(k), cli.Quoted(foldersOfLists.ReplaceAllString(k, "=@")), 1)
	}
	return described
}

// checkMetric checks --metric before any file is read.
func (o *learningOptions) checkMetric(c *cli.Call, metric string) error {
	level := strings.HasPrefix(metric, strings.TrimRight(metrics.LevelName(0), "1")) // of some hierarchy
	if metric == "" || c.Given("hierarchy") && level {
		return nil
	}
	names := taskMetrics(o.taskNamed())
	if c.Given("multilabel") {
		names = metrics.LabelMetrics()
	}
	return cli.OneOf(c.Flags, "metric", metric, o.withProbabilities(names))
}

// withProbabilities adds the metrics of probabilities to others, if the machines have some without calibration.
func (o *learningOptions) withProbabilities(names []string) []string {
	if o.task == logisticTask {
		return append(names, metrics.ProbabilityMetrics()...)
	}
	return names
}

// checkLevel returns an error for a --metric of a level that the hierarchy does not have.
func (e *experiment) checkLevel(c *cli.Call, metric string) error {
	if metric == "" {
		return nil
	}
	return cli.OneOf(c.Flags, "metric", metric, e.options.learning.withProbabilities(e.data.MetricNames()))
}

// Values of --group other than the name of a file.
const (
	groupChrom      = "chrom"
	groupDuplicates = "near-duplicates"
	groupRegex      = "regex:"
	groupColumn     = "column:"
	groupLeft       = "left"
	groupRight      = "right"
	groupBoth       = "left,right"
)

// check finds errors in the options before any file is read.
func (o *foldOptions) check() error {
	switch {
	case o.similarity == 0 && o.nearDuplicates.Given():
		return cli.Usagef("--near-duplicates cannot be used with --similarity 0, which skips the search")
	case o.similarity == 0 && o.group == groupDuplicates:
		return cli.Usagef("--group near-duplicates cannot be used with --similarity 0, which skips the search")
	}
	if o.group == groupColumn {
		return cli.Usagef("--group %s without a name", groupColumn)
	}
	_, err := o.pattern()
	return err
}

// column returns the column of --group, "" if it does not name one.
func (o *foldOptions) column() string {
	name, is := strings.CutPrefix(o.group, groupColumn)
	if !is {
		return ""
	}
	return name
}

// ofSides reports whether groups are the sides of pairs.
func (o *foldOptions) ofSides() bool {
	return o.group == groupLeft || o.group == groupRight || o.group == groupBoth
}

// groupFile returns the file of --group, "" if it does not name one.
func (o *foldOptions) groupFile() string {
	if o.group == groupChrom || o.group == groupDuplicates || o.ofSides() || strings.HasPrefix(o.group, groupRegex) ||
		o.column() != "" {
		return ""
	}
	return o.group
}

// pattern returns the pattern of --group, nil if it is not a pattern.
func (o *foldOptions) pattern() (*seqio.HeaderPattern, error) {
	if o.group == groupRegex {
		return nil, cli.Usagef("--group %s without a pattern", groupRegex)
	}
	pattern, err := seqio.ParseHeaderPattern(o.group)
	if err != nil {
		return nil, cli.Usagef("--group: %w", err)
	}
	return pattern, nil
}

// groups returns the group of each record, nil without --group.
func (e *experiment) groups(c *cli.Call) ([]string, error) {
	pattern, err := e.options.folds.pattern()
	switch path := e.options.folds.groupFile(); {
	case err != nil:
		return nil, err
	case pattern != nil:
		return e.records.GroupsByHeader(pattern.Find)
	case e.options.learning.query != "" && e.options.folds.group != "":
		return nil, cli.Usagef("--group cannot be used with --query, whose records stay together")
	case e.options.learning.taskNamed() == dataset.Ranking && e.options.folds.group == groupDuplicates:
		return nil, cli.Usagef("--group %s cannot be used with --task rank, which takes groups for queries: name these by "+
			"--query", groupDuplicates)
	case e.options.learning.query != "":
		return e.field(e.options.learning.query), nil
	case e.options.folds.column() != "":
		return e.field(e.options.folds.column()), nil
	case e.options.folds.group == groupChrom:
		return e.records.GroupsByHeader(chromosomeOf)
	case e.options.folds.group == groupDuplicates:
		found, err := e.nearDuplicates(c)
		if err != nil {
			return nil, err
		}
		return found.Names(), nil
	case e.options.folds.ofSides():
		left, right, err := e.sides(c)
		switch e.options.folds.group {
		case groupRight:
			left = right
		case groupBoth:
			e.others = right
		}
		return left, err
	case path != "":
		table, err := cli.Read(c, path, seqio.ReadGroups)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w%s", err, suggest.Hint(path, []string{groupChrom, groupDuplicates, groupLeft, groupRight}))
		}
		if err != nil {
			return nil, err
		}
		return e.records.LookUp(c, table)
	}
	return nil, nil
}

// sides returns the groups of the two sides of each record: near-duplicates are one, by the first of them.
func (e *experiment) sides(c *cli.Call) (left, right []string, err error) {
	for i := range e.records.Corpus.Len() {
		if err := stringkernel.CheckPair(e.records.Corpus.Seq(i)); err != nil {
			return nil, nil, e.records.Errorf(i, "--group %s: %w", e.options.folds.group, err)
		}
	}
	s := stringkernel.Divide(e.records.Corpus, 1)
	groups := &duplicates.Groups{Of: subset.Whole(s.Corpora[0].Len())}
	if e.options.folds.similarity > 0 {
		if groups, err = e.duplicatesOf(c, s.Corpora[0]); err != nil {
			return nil, nil, err
		}
	}
	names := groups.Names()
	return subset.At(names, s.Left), subset.At(names, s.Right), nil
}

func chromosomeOf(header string) (string, error) {
	id, _, _ := strings.Cut(header, " ")
	name := genome.Chromosome(id)
	if name == "" {
		return "", errors.New("the id has no chromosome, want SEQ:START-END; or use --group regex:PATTERN")
	}
	return name, nil
}

// nearDuplicates finds the near-duplicates of all records on the first call.
func (e *experiment) nearDuplicates(c *cli.Call) (*duplicates.Groups, error) {
	if e.duplicates != nil {
		return e.duplicates, nil
	}
	letters := stringkernel.WithoutNumbers(e.records.Corpus, len(e.records.Numbers))
	if letters.Letters() == 0 { // which would all be the same
		e.duplicates = &duplicates.Groups{Of: subset.Whole(letters.Len())}
		return e.duplicates, nil
	}
	var err error
	e.duplicates, err = e.duplicatesOf(c, letters)
	return e.duplicates, err
}

// duplicatesOf finds the near-duplicates of a corpus.
func (e *experiment) duplicatesOf(c *cli.Call, corpus *stringkernel.Corpus) (*duplicates.Groups, error) {
	c.Stage("finding near-duplicates")
	alphabet := cmp.Or(e.options.reading.Alphabet, e.records.DetectAlphabet())
	return duplicates.Finder{Alphabet: alphabet, Similarity: e.options.folds.similarity}.Find(c.Context, corpus)
}

// unevenFrom is the size of a group, in even folds, from which on there is a warning.
const unevenFrom = 1.5

// warnLargeGroup warns of a group that makes folds uneven. Single-linkage groups of near-duplicates grow together
// where --similarity is low.
func (e *experiment) warnLargeGroup(c *cli.Call, fold []int) {
	size, largest, folds := map[string]int{}, 0, 0
	for i, g := range e.data.Groups {
		size[g]++
		largest = max(largest, size[g])
		folds = max(folds, fold[i]+1)
	}
	if largest == 0 || float64(largest*folds) < unevenFrom*float64(len(fold)) {
		return
	}
	remedy := ""
	if e.options.folds.group == groupDuplicates {
		remedy = "; a greater --similarity makes smaller groups"
	}
	c.Warn("one group holds %d of %d records, where an even fold has %d: folds are uneven, and their mean counts "+
		"each alike%s", largest, len(fold), len(fold)/folds, remedy)
}

// noteUnseen says how many records are not trained on, since they share a side with a tested one.
func (e *experiment) noteUnseen(c *cli.Call, fold []int) {
	folds, n, left := slices.Max(fold)+1, len(fold), 0
	for f := range folds {
		train, test := e.data.Split(fold, f)
		left += n - len(test) - len(train)
	}
	c.Note("%s with both sides unseen: of %s, %s on average are in no training part, since they share a side with a "+
		"tested one", plural.Of(folds, "fold"), plural.Of(n, "pair"), plural.Of(left/folds, "pair"))
}

// divisible returns how many folds there can be, and of what each needs one.
func divisible(d *dataset.Dataset) (most int, what string) {
	if d.Groups == nil {
		return d.Len(), "records"
	}
	groups := slices.Clone(d.Groups)
	slices.Sort(groups)
	return len(slices.Compact(groups)), "groups"
}

// lower lowers a number of folds that is the default if there are too few groups, or records: then to those of the
// smallest class.
func (o *foldOptions) lower(c *cli.Call, d *dataset.Dataset) {
	most, what := divisible(d)
	if c.Given("folds") || most < 2 || most >= o.folds {
		return
	}
	if d.Groups == nil {
		most, what = max(2, slices.Min(append(d.Counts(), most))), "records of a class"
	}
	c.Note("only %d %s: %d folds in place of %d", most, what, most, o.folds)
	o.folds = most
}

// divide divides records into as many folds as an option says, and says what to do if there are too few of them.
func divide(d *dataset.Dataset, option string, folds int, seed uint64) ([]int, error) {
	fold, err := d.Folds(folds, seed)
	if err == nil {
		return fold, nil
	}
	most, what := divisible(d)
	switch {
	case most < 2:
		return nil, fmt.Errorf("%w; folds need at least 2 %s", err, what)
	case folds > most:
		return nil, fmt.Errorf("%w; --%s takes at most %d with these, or give more %s", err, option, most, what)
	}
	return nil, err
}

// folds divides the records. It warns of a group that is too large for folds and of near-duplicates that folds divide,
// and writes all of these to the file of --near-duplicates.
func (e *experiment) folds(c *cli.Call) ([]int, error) {
	o := &e.options.folds
	if e.data.Task == dataset.Novelty && e.data.Counts()[1] == 0 {
		return nil, cli.Usagef("--task novelty without --known: all labels are known, and nothing is novel to measure by")
	}
	o.lower(c, e.data)
	fold, err := divide(e.data, "folds", o.folds, c.Seed)
	if err != nil {
		return nil, e.records.Located(err)
	}
	if e.data.Others == nil {
		e.warnLargeGroup(c, fold)
	} else {
		e.noteUnseen(c, fold)
	}
	if o.similarity == 0 || o.ofSides() && !o.nearDuplicates.Given() { // of which many share the other side
		return fold, nil
	}
	found, err := e.nearDuplicates(c)
	if err != nil {
		return nil, err
	}
	e.warnDivided(c, found, fold, "folds")
	return fold, o.nearDuplicates.WriteTable(cli.TSV, func(t *cli.Table) { e.writeDuplicates(t, found, fold) })
}

// warnDivided says how many records are in groups of near-duplicates that folds divide; called names the folds.
func (e *experiment) warnDivided(c *cli.Call, found *duplicates.Groups, fold []int, called string) {
	d := found.DividedBy(fold)
	if d.Groups == 0 {
		return
	}
	p, remedy := d.First, "--group near-duplicates keeps them together"
	if e.spec.OfPairs() {
		remedy = "--group left,right trains on none that shares a side with a tested one"
	}
	c.Warn("%d of %d records are in %s of near-duplicates that %s divide, so the figures may be too good, or too bad "+
		"where labels differ; the first pair is in %[4]s %d and %d: %v; "+
		"--near-duplicates FILE lists them, %[8]s", d.Records, len(found.Of),
		plural.Of(d.Groups, "group"), called, fold[p.I]+1, fold[p.J]+1,
		e.records.Errorf(p.I, "similarity %.2f with %s", p.Similarity, e.records.Describe(p.J)), remedy)
}

// writeDuplicates writes the pairs that connect each group.
func (e *experiment) writeDuplicates(t *cli.Table, found *duplicates.Groups, fold []int) {
	t.Header("id", "other", "similarity", "fold", "other_fold", "group")
	corpus := e.records.Corpus
	for _, p := range found.Pairs {
		t.Row(corpus.Name(p.I), corpus.Name(p.J), cli.Metrics(p.Similarity), fold[p.I]+1, fold[p.J]+1,
			corpus.Name(found.Of[p.I]))
	}
}
