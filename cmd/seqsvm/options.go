package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// Options that several commands share, by group.

// reportOptions are the output of a command that prints a table.
type reportOptions struct {
	format string
	output cli.Output
}

func (o *reportOptions) flags(f *cli.Flags) {
	f.Format(&o.format, "format: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "`FILE` to write")
}

// experimentOptions are those of commands that learn from labelled data.
type experimentOptions struct {
	kernel   kernelOptions
	learning learningOptions
	labels   input.Labels
	reading  input.Reading
	folds    foldOptions // if the command makes folds
}

// flags binds all but the folds; kernelUsage is the help of --kernel.
func (o *experimentOptions) flags(f *cli.Flags, kernelUsage string) {
	o.kernel.flags(f, kernelUsage)
	o.learning.flags(f)
	o.labels.Flags(f)
	o.reading.RecordFlags(f)
}

// kernelOptions choose a kernel.
type kernelOptions struct {
	specs       []string
	noNormalize bool
}

// specHelp is the help of --kernel.
const specHelp = "kernel `SPEC`, NAME:KEY=VALUE,FLAG (seqsvm about kernels), or a formula, 'A + 0.3*B*C'; " +
	"repeat to average several kernels"

// usualHelp is the help of --kernel where there is a usual one.
const usualHelp = specHelp + "; without it the usual one for the records, which is said"

func (o *kernelOptions) flags(f *cli.Flags, usage string) {
	f.Section(input.OfKernel)
	f.Strings(&o.specs, "kernel,k", usage).ReadsAll(func() []string { return input.ListFiles(o.specs) }).
		Completes(kernelWords)
	f.Bool(&o.noNormalize, "no-normalize", "use k(x, y) as it is, not divided by √(k(x, x)·k(y, y))")
}

// pairOptions are those of commands that take a file and, perhaps, another to compare it with.
type pairOptions struct {
	kernelOptions
	input.Reading
}

func (o *pairOptions) flags(f *cli.Flags) {
	o.kernelOptions.flags(f, specHelp)
	o.RecordFlags(f)
}

// open returns the kernel and the reader of one or two operands; want says what these are.
func (o *pairOptions) open(c *cli.Call, want string) (catalog.Spec, input.Reader, error) {
	if len(c.Args) < 1 || len(c.Args) > 2 {
		return catalog.Spec{}, input.Reader{}, cli.Usagef("%d input files given, want %s", len(c.Args), want)
	}
	return kernelAndReader(c, &o.kernelOptions, &o.Reading)
}

// learningOptions are those of a trainer.
type learningOptions struct {
	classify.Trainer // C, Tol, Loss, ClassWeight, Probability, TaskOptions
	taskOptions
	solver     string
	sparse     bool
	multiclass string
	positive   string
	multilabel string
	hierarchy  string
}

func (o *learningOptions) flags(f *cli.Flags) {
	f.Section(input.OfLearning)
	o.taskFlags(f)
	f.Float64(&o.C, "C", 1, "cost of a margin error, 1e-100 to 1e+100")
	cli.Choice(f, &o.Loss, "loss", "loss of a margin error: hinge or squared-hinge", svm.Hinge, svm.SquaredHinge)
	f.Choice(&o.Penalty, "penalty", "penalty of weights: l2, ½‖w‖², or l1, Σ|w|, with which most features have none, for "+
		"words, spectrum and table, with --loss squared-hinge or --task logistic", classify.PenaltySquares, classify.PenaltySum)
	f.Bool(&o.NoBias, "no-bias", "classes, regress: machines without a bias, f(x) = ⟨w, φ(x)⟩, as of LIBLINEAR -B -1")
	f.Float64(&o.MKL, "mkl", 0, "learn the weights of the kernels of a sum, within a `NORM` from 1, which leaves few of "+
		"them, to inf, which weighs all alike").AtLeast(1).Default("the weights are those of the formula")
	f.Float64(&o.Tol, "tol", 1e-3, "relative duality gap to stop at").Share()
	f.String(&o.ClassWeight, "class-weight", classify.WeightNone, "`WEIGHTS` of classes: none, or balanced (C "+
		"inversely proportional to class size), or LABEL=NUMBER,… (C times the number, as in +1=10,-1=1)")
	f.Choice(&o.solver, "solver", "solver: auto, smo, cutting-plane or dual-coordinate", solverNames...)
	f.Bool(&o.sparse, "sparse", "let cutting-plane continue to the solution with the fewest support vectors where "+
		"that takes long, as with ordinal classes or a great C: up to twice the time")
	f.Choice(&o.multiclass, "multiclass", "scheme for more than two classes: ovr (one-vs-rest), ovo (one-vs-one), "+
		"crammer-singer (one problem for all classes, "+
		"for kernels with feature rows), multinomial (the same, logistic) or auto: crammer-singer for the "+
		"words kernel when applicable, otherwise ovr",
		multiclassNames()...)
	f.String(&o.positive, "positive", "", "with two classes: `CLASS` that scores above 0 speak for").Default("the one " +
		"that its name affirms (docs/input.md), else the second in sorted order, or --pos")
	f.String(&o.multilabel, "multilabel", "", "train one machine and threshold per label: records have several "+
		"labels, separated by `SEPARATOR` (or a list in jsonl, or all topics of reuters)").Excludes("hierarchy")
	f.Choice(&o.Thresholds, "thresholds",
		"thresholds of several labels: fbr (per label by inner cross-validation scut, "+
			"zero, the greatest decision value or never), scut (that of the label's greatest F1) or zero",
		threshold.FBR, threshold.SCut, threshold.Zero).Needs("multilabel, of records with several labels")
	f.String(&o.hierarchy, "hierarchy", "", "train machines for each node of a hierarchy: labels are paths with "+
		"`SEPARATOR` between names (sport/hockey); accuracy is reported per level")
}

func (o *learningOptions) calibrationFlags(f *cli.Flags) {
	f.Section(input.OfLearning)
	f.Bool(&o.Probability, "probability", "calibrate class probabilities (Platt) by internal cross-validation")
	f.String(&o.Threshold, "threshold", "", "two classes: `CRITERION` of the decision above which a record is of the "+
		"positive one, chosen on records left out in training: youden (the greatest balanced accuracy), f1, mcc, accuracy, "+
		"fdr=RATE (at most that share of those above it are false) or the decision itself").
		Default("the machine's own, which is 0; tune: what suits the metric, mcc for areas")
}

// foldOptions say how records are divided into folds.
type foldOptions struct {
	folds          int
	group          string
	similarity     float64
	nearDuplicates cli.Output
}

func (o *foldOptions) flags(f *cli.Flags, folds int) {
	f.Section(input.OfLearning)
	f.Int(&o.folds, "folds", folds, "number of folds, by default fewer of fewer groups or records").AtLeast(2)
	o.groupFlags(f, "never split a group between folds")
	f.File(&o.nearDuplicates, "near-duplicates", "`FILE` for the pairs of near-duplicates, whatever their folds")
}

// groupFlags binds the options of groups; purpose begins the help.
func (o *foldOptions) groupFlags(f *cli.Flags, purpose string) {
	f.String(&o.group, "group", "", purpose+": `GROUPS` is chrom, regex:PATTERN, "+
		"column:NAME, near-duplicates, left, right or left,right (the sides of pairs) or a file of lines id<TAB>group").
		ReadsAll(func() []string { return []string{o.groupFile()} })
	f.Float64(&o.similarity, "similarity", duplicates.DefaultSimilarity,
		"`SHARE` of its k-mers that a near-duplicate has in another record, 0 to skip the search").Between(0, 1)
}

func (o *learningOptions) conformalFlag(f *cli.Flags) {
	f.Section(input.OfLearning)
	f.Bool(&o.Conformal, "conformal", "store scores of records left out in training, in 5 folds, for --confidence of "+
		"predict and evaluate: as much time as 5 trainings")
}

// confidenceOptions ask for regions of predictions.
type confidenceOptions struct {
	confidence float64
	usual      bool // at usualConfidence, if it is not given and the model can
}

const usualConfidence = 0.95

func (o *confidenceOptions) flags(f *cli.Flags) {
	f.Section(cli.OfOutput)
	f.Float64(&o.confidence, "confidence", 0, "also the set of classes, or the interval of a number, that holds the "+
		"right one with this `PROBABILITY`, of a model of train --conformal").Share().Default("").Excludes("raw")
}

// open opens a model that predicts, with the regions that are asked for.
func (o *confidenceOptions) open(c *cli.Call, file *input.Model, reading *input.Reading) (*input.Application, error) {
	a, err := input.NewApplication(c, file, reading)
	if err == nil {
		err = cli.InFile(cli.InputName(file.Path), a.CheckPredicts())
	}
	if err != nil {
		return nil, err
	}
	confidence := o.confidence
	if !c.Given("confidence") {
		confidence = usualConfidence
	}
	with, err := a.Classifier.WithConfidence(confidence)
	var option *svm.OptionError
	switch {
	case !c.Given("confidence") && (err != nil || !o.usual):
		return a, nil
	case errors.As(err, &option):
		return nil, optionError(err)
	case err != nil:
		return nil, cli.InFile(cli.InputName(file.Path), err)
	}
	a.Classifier = with
	return a, nil
}

// taskOptions say what is to be learned.
type taskOptions struct {
	task    string // of --task, with =Q of a quantile
	known   []string
	order   string
	weights string
	query   string
}

// fields lists the columns of the options, for the options of the reader: those of groups, queries and weights.
func (o *experimentOptions) fields() []string {
	return slices.DeleteFunc([]string{o.folds.column(), o.learning.query, o.learning.weights},
		func(name string) bool { return name == "" })
}

// field returns the values of a column of the options.
func (e *experiment) field(name string) []string {
	return e.records.Field(slices.Index(e.options.fields(), name))
}

// queryHelp is the help of --query.
const queryHelp = "rank: `COLUMN` (or field, or X in X=… of the header) of queries; records are ordered within a query"

// gaussianTask is the value of --task for regression that says how far off it may be.
const gaussianTask = decide.GaussianScheme

// quantileTask is the value of --task for regression on a quantile, which follows it.
const quantileTask = "quantile="

func (o *learningOptions) taskFlags(f *cli.Flags) {
	f.String(&o.task, "task", string(dataset.Classes), "what to learn: classify, regress (labels are numbers), "+
		"quantile=Q (the value that a share Q of the numbers lie below), gaussian-process (numbers, each with its "+
		"standard deviation), novelty (what is unlike the records of training), rank (an order; labels are numbers, "+
		"compared within a query), ordinal (classes that have an order), logistic (classes with probabilities, by "+
		"calibrated logistic regression) or tag (a tag for each token of a sequence)")
	f.Float64(&o.Epsilon, "epsilon", 0.1, "regress: the greatest error that costs nothing")
	f.Float64(&o.Lambda, "lambda", 0, "regress: penalty of ridge regression, (K + λI)α = y − b, in place of --epsilon "+
		"and --C; gaussian-process: variance of the noise over that of the process").
		Above(0).Default("no ridge regression; the λ of greatest evidence")
	f.Int(&o.Landmarks, "landmarks", 0, "logistic: greatest number of records of training that each machine keeps, "+
		"chosen one by one (import vector machine)").Between(1, 1<<20).Default("all")
	f.Int(&o.Relevance, "relevance", 0, "regress, logistic: relevance vector machine, which keeps the few records of "+
		"greatest evidence among `COLUMNS` that differ most, and needs no C").Between(1, 1<<20).Default("none")
	f.Float64(&o.Nu, "nu", 0, "novelty: greatest share of the known records outside; regress: greatest share of "+
		"errors, in place of --epsilon; two classes: greatest share of margin errors, in place of --C").
		AboveTo(0, 1).Default("0.5 for novelty, otherwise none")
	f.Bool(&o.Ball, "ball", "novelty: the smallest ball around the known records in the kernel's feature space (support "+
		"vector data description), which differs where k(x, x) varies: --no-normalize, raw, table, sums")
	f.Float64(&o.Prior, "prior", 0, "two classes: the one that is not --positive is unlabelled, and this `SHARE` of it "+
		"is positive").Share().Default("both are labelled")
	f.Strings(&o.known, "known", "novelty: `LABEL` of known records; repeat for several. Records with other labels are "+
		"the novel ones of cv and tune").Default("all")
	f.String(&o.order, "order", "", "ordinal: all `CLASSES` from the lowest to the highest, separated by commas").
		Default("that of numbers")
	f.String(&o.query, "query", "", queryHelp).Default("one query")
	f.String(&o.weights, "weights", "", "`COLUMN` (or field, or X in X=NUMBER of the header) of weights: a record of "+
		"weight 2 counts as two")
}

// ofTags returns what --task tag uses.
func (o *learningOptions) ofTags() tag.Learning { return tag.Learning{C: o.C, Tol: o.Tol} }

// logisticTask is the value of --task for classes with the logistic loss.
const logisticTask = "logistic"

// taskNamed returns the task of --task, of which a quantile is one of regression, and logistic one of classes.
func (o *taskOptions) taskNamed() dataset.Task {
	if o.task == logisticTask {
		return dataset.Classes
	}
	if strings.HasPrefix(o.task, quantileTask) || o.task == gaussianTask {
		return dataset.Regression
	}
	return dataset.Task(o.task)
}

// quantile returns that of --task, 0 for another task.
func (o *taskOptions) quantile() (float64, error) {
	text, is := strings.CutPrefix(o.task, quantileTask)
	if !is {
		return 0, nil
	}
	q, err := strconv.ParseFloat(text, 64)
	if err != nil || !(q > 0 && q < 1) {
		return 0, cli.Usagef("--task %s, want a quantile between 0 and 1, as in quantile=0.9", o.task)
	}
	return q, nil
}

// directions is in how many directions of the feature space the deviation of a Gaussian process is known.
const directions = 100

// setTask completes the trainer's options of the task.
func (o *learningOptions) setTask(c *cli.Call, t *classify.Trainer) error {
	task := o.taskNamed()
	var err error
	if t.Quantile, err = o.quantile(); err != nil {
		return err
	}
	if o.task == gaussianTask {
		t.Rank = directions
	}
	switch names := append(dataset.Tasks(), quantileTask+"Q", logisticTask, gaussianTask, tag.Task); {
	case o.task == logisticTask:
		t.Loss = classify.LossLogistic
	case o.task == tag.Task: // train, cv and tune have dealt with it
		return cli.Usagef("--task %s is for train, cv and tune", tag.Task)
	case t.Quantile == 0 && t.Rank == 0:
		if err := cli.OneOf(c.Flags, "task", task, names); err != nil {
			return err
		}
	}
	if t.Epsilon == 0 {
		t.Epsilon = math.SmallestNonzeroFloat64
	}
	return o.checkTask(c, task)
}

// checkTask refuses options that mean nothing for the task, or beside another option.
func (o *learningOptions) checkTask(c *cli.Call, task dataset.Task) error {
	name, numbers, classes := "--task "+o.task, task == dataset.Regression, task == dataset.Classes
	for _, rule := range []struct {
		holds           bool
		beside, options string
	}{
		{!numbers, name, "epsilon lambda"},
		{o.task != logisticTask, name, "landmarks"},
		{o.task != logisticTask && o.task != string(dataset.Regression), name, "relevance"},
		{c.Given("relevance"), "--relevance", "C solver lambda epsilon nu landmarks no-bias"},
		{c.Given("landmarks"), "--landmarks", "solver no-bias"},
		{o.NoBias, "--no-bias", "nu prior"},
		{c.Given("mkl"), "--mkl", "nu prior lambda relevance landmarks penalty"},
		{task == dataset.Novelty || o.task == gaussianTask, name, "mkl"},
		{!classes && !numbers || o.task == gaussianTask, name, "no-bias"},
		{!classes, name, "prior loss penalty class-weight multiclass multilabel thresholds hierarchy positive " +
			"probability threshold pos neg"},
		{task != dataset.Novelty, name, "known ball"},
		{task != dataset.Ranking, name, "query"},
		{task != dataset.Ordinal, name, "order"},
		{task == dataset.Novelty, name, "C"},
		{task == dataset.Ranking, name, "nu weights"},
		{task == dataset.Ordinal, name, "nu"},
		{o.task == logisticTask, name, "nu prior loss probability"},
		{o.task == gaussianTask, name, "epsilon nu C solver no-normalize"},
		{strings.HasPrefix(o.task, quantileTask), name, "epsilon nu lambda"},
		{c.Given("lambda"), "--lambda", "epsilon nu C solver"},
		{c.Given("nu") && classes, "--nu", "C weights"},
		{c.Given("nu") && numbers, "--nu", "epsilon weights"},
	} {
		if rule.holds {
			if err := c.Refuse(rule.beside, strings.Fields(rule.options)...); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasCosts reports whether C means something.
func (o *learningOptions) hasCosts(c *cli.Call) bool {
	task := o.taskNamed()
	return task != dataset.Novelty && o.task != gaussianTask && !c.Given("lambda") && !c.Given("relevance") &&
		(task != dataset.Classes || !c.Given("nu"))
}

// labelsOf returns what the labels of a task are.
func labelsOf(task dataset.Task) input.LabelKind {
	switch task {
	case dataset.Regression, dataset.Ranking:
		return input.NumberLabels
	case dataset.Novelty:
		return input.OptionalLabels
	}
	return input.ClassLabels
}

// taskMetrics lists the metrics of a task.
func taskMetrics(task dataset.Task) []string { return (&dataset.Dataset{Task: task}).MetricNames() }

// taskDataset makes the data set of a task other than that of classes.
func (e *experiment) taskDataset(c *cli.Call, groups []string) (d *dataset.Dataset, err error) {
	o := &e.options.learning
	names := dataset.LabelNames{Known: o.known}
	if names.Order, err = classesOf("order", o.order); err != nil {
		return nil, err
	}
	d, err = dataset.NewFor(o.taskNamed(), e.records.Corpus, e.records.Labels, names, groups)
	if errors.Is(err, dataset.ErrNoOrder) {
		return nil, cli.Usagef("--task %s: %w; name them with --order, the lowest first, separated by commas", o.task, err)
	}
	if err != nil {
		return nil, optionError(err)
	}
	d.Quantile, _ = o.quantile()
	if d.Task == dataset.Ordinal {
		c.Say("seqsvm: classes in order: %s", strings.Join(d.Classes, " < "))
	}
	return d, nil
}

// classesOf returns the names of an option, nil if it is not given.
func classesOf(option, list string) (names []string, err error) {
	if list == "" {
		return nil, nil
	}
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name == "" || slices.Contains(names, name) {
			return nil, cli.Usagef("--%s %.80q, want different names, none of them empty", option, list)
		}
		names = append(names, name)
	}
	return names, nil
}

// metricHelp lists the values of --metric.
var metricHelp = strings.Join(metrics.ClassMetrics(), ", ") +
	"; with --hierarchy accuracy_level_1, … too; with --multilabel " + strings.Join(metrics.LabelMetrics(), ", ") +
	"; with --task logistic " + strings.Join(metrics.ProbabilityMetrics(), ", ") + " too; regress " +
	strings.Join(metrics.NumberMetrics(), ", ") + "; rank " +
	strings.Join(metrics.RankMetrics(), ", ") + "; ordinal " + strings.Join(metrics.OrdinalMetrics(), ", ")

// taskOf returns the task of a model.
func taskOf(d *decide.Rule) dataset.Task {
	return cmp.Or(map[dataset.Labelling]dataset.Task{
		dataset.Numbers: dataset.Regression, dataset.Grades: dataset.Ranking,
		dataset.KnownOrNovel: dataset.Novelty, dataset.OrderedClasses: dataset.Ordinal,
	}[d.Labelling()], dataset.Classes)
}

// taskText returns the task of a model as --task has it, of embed the name of its scheme.
func taskText(d *decide.Rule) string {
	switch first := &d.Machines[0]; {
	case d.Process != nil:
		return gaussianTask
	case d.Quantile != 0:
		return fmt.Sprintf("%s%g", quantileTask, d.Quantile)
	case first.Sigmoid != nil && (first.Solver == "newton" || *first.Sigmoid == (threshold.Sigmoid{A: -1})):
		return logisticTask
	case d.Labelling() == dataset.NoLabels:
		return d.Scheme
	}
	return string(taskOf(d))
}

// shortNames are the names of --multiclass for schemes of the library.
var shortNames = map[string]string{"auto": "", "ovr": decide.OneVsRest, "ovo": decide.OneVsOne}

// multiclassNames lists the values of --multiclass.
func multiclassNames() []string {
	names := []string{"auto", "ovr", "ovo"}
	for _, name := range decide.SchemesFor(dataset.ManyClasses) {
		if name != decide.OneVsRest && name != decide.OneVsOne {
			names = append(names, name)
		}
	}
	return names
}

// checkLabels names the options that exclude several labels per record, or a hierarchy of labels.
func (o *learningOptions) checkLabels(c *cli.Call, t classify.Trainer) error {
	name, separator, around, schemes := "multilabel", o.multilabel, " around it", "ovr"
	labels, blank := dataset.LabelSets, strings.TrimSpace(separator) != separator
	if o.hierarchy != "" {
		name, separator, around, schemes = "hierarchy", o.hierarchy, "", "ovr or crammer-singer"
		labels, blank = dataset.LabelPaths, strings.ContainsFunc(separator, unicode.IsSpace)
	}
	if separator == "" {
		return nil
	}
	if blank || strings.ContainsFunc(separator, input.Unprintable) {
		return cli.Usagef("--%s %q, want a separator without white space%s or control characters", name, separator,
			around)
	}
	if err := c.Refuse("--"+name, "probability", "threshold", "positive", "pos", "neg"); err != nil {
		return err
	}
	if t.CheckLabels(labels) != nil {
		return cli.Usagef("--%s needs --multiclass %s", name, schemes)
	}
	return nil
}

// solverNames are the values of --solver.
var solverNames = []string{"auto", "smo", "cutting-plane", "dual-coordinate"}

// solverNamed returns the solver with a name.
func solverNamed(name string, seed uint64, sparse bool) svm.Solver {
	switch name {
	case "smo":
		return smo.Solver{}
	case "cutting-plane":
		return bundle.Solver{Sparse: sparse}
	case "dual-coordinate":
		return descent.Solver{Seed: seed}
	default:
		return auto.Solver{Seed: seed, Sparse: sparse}
	}
}

// optionFlags are the flags of the library's options.
var optionFlags = map[string]string{
	"C": "C", "Tol": "tol", "Loss": "loss", "NoBias": "no-bias", "Penalty": "penalty", "Solver": "solver", "MKL": "mkl",
	"ClassWeight": "class-weight", "Multiclass": "multiclass", "Epsilon": "epsilon", "Nu": "nu", "Prior": "prior",
	"Known": "known", "Order": "order", "Probability": "probability", "Threshold": "threshold", "Conformal": "conformal",
	"Confidence": "confidence", "Weights": "weights", "Lambda": "lambda",
	"Landmarks": "landmarks", "Relevance": "relevance", "Ball": "ball",
	"Bias": "bias", "Task": "task",
}

// optionError turns an error of the library about an option into one about its flag.
func optionError(err error) error {
	if errors.Is(err, classify.ErrNoSum) {
		return cli.Usagef("--mkl learns the weights of a sum of kernels: want several --kernel, or a formula as 'A + B', " +
			"without weights of its own")
	}
	if errors.Is(err, svm.ErrIndefinite) {
		return fmt.Errorf("%w: want a kernel without negative eigenvalues, as the flag clip makes gapped and mismatch", err)
	}
	var option *svm.OptionError
	if !errors.As(err, &option) || optionFlags[option.Option] == "" {
		return err
	}
	return cli.Usagef("--%s %v, want %s", optionFlags[option.Option], option.Value, option.Want)
}

func checkC(c float64) error { return optionError(classify.CheckC(c)) }

// showSolver returns a reporter for the solver of a number of training runs. The share of a machine that is done is
// what it expects, else estimated from its gap, which falls exponentially, more or less, to the tolerance.
func showSolver(c *cli.Call, tol float64, runs int) func(svm.Progress) {
	done := 0
	return func(p svm.Progress) {
		share := 0.0
		switch {
		case p.Done:
			done++
		case p.Expected > 0:
			share = math.Min(1, float64(p.Iterations)/float64(p.Expected))
		case p.Gap > 0 && p.Gap < 1:
			share = math.Min(1, math.Log(p.Gap)/math.Log(tol))
		}
		share = (float64(done) + share) / float64(p.Machines*runs)
		c.Show(share, "machine %d of %d, %s, iteration %d, %s", p.Machine+1, p.Machines, p.Solver, p.Iterations, gapOf(p))
	}
}

// gapOf says what gap is known, and since when.
func gapOf(p svm.Progress) string {
	if math.IsInf(p.Gap, 1) {
		return "no gap yet"
	}
	gap := fmt.Sprintf("relative gap %.2g", p.Gap)
	if p.Certified > 0 && p.Certified < p.Iterations {
		gap += fmt.Sprintf(" after %d", p.Certified)
	}
	return gap
}

// runs is the number of training runs of a cross-validation: a kernel that depends on the corpus has one per fold,
// any other one for all.
func (e *experiment) runs(fold []int) int {
	runs := 1
	if stringkernel.DependsOnCorpus(e.trainer.Kernel) {
		for _, f := range fold {
			runs = max(runs, f+1)
		}
	}
	return runs
}
