package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
)

// taskOptions say what is to be learned.
type taskOptions struct {
	task    string // of --task, with =Q of a quantile
	known   []string
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
const gaussianTask = classify.GaussianScheme

// quantileTask is the value of --task for regression on a quantile, which follows it.
const quantileTask = "quantile="

func (o *learningOptions) taskFlags(f *cli.Flags) {
	f.String(&o.task, "task", string(classify.Classes), "what to learn: classify, regress (labels are numbers), "+
		"quantile=Q (the number that the share Q of all lie below), gaussian-process (numbers, with the standard "+
		"deviation of each), novelty (what is unlike the records of training), "+
		"rank (an order, by numbers, within groups), ordinal (classes that are in order) or logistic (classes with "+
		"probabilities, by logistic regression)")
	f.Float64(&o.Epsilon, "epsilon", 0.1, "regress: error of a number that costs nothing")
	f.Float64(&o.Lambda, "lambda", 0, "regress: penalty of ridge regression, (K + λI)α = y − b; gaussian-process: "+
		"variance of the noise over that of the process").Default("none, --epsilon and --C instead; the one of most evidence")
	f.Int(&o.Rank, "directions", 100, "gaussian-process: `N` directions of features in which the deviation is known; "+
		"with fewer it is too great, never too small").Between(1, 1<<16)
	f.Float64(&o.Nu, "nu", 0, "novelty: greatest share of outliers among known records; regress and two classes: greatest "+
		"share of errors, in place of --epsilon and --C").Default("0.5 for novelty, otherwise none")
	f.Float64(&o.Prior, "prior", 0, "two classes, of which the one that is not --positive is unlabelled: `SHARE` of it "+
		"that is positive").Default("it is labelled")
	f.Strings(&o.known, "known", "novelty: `LABEL` of known records; repeat for several. Others serve as tests in cv and "+
		"tune").Default("all")
	f.String(&o.query, "query", "", queryHelp).Default("one query")
	f.String(&o.weights, "weights", "", "`COLUMN` (or field, or X in X=NUMBER of the header) of weights: a record of "+
		"weight 2 counts like two")
}

// logisticTask is the value of --task for classes with the logistic loss.
const logisticTask = "logistic"

// taskNamed returns the task of --task, of which a quantile is one of regression, and logistic one of classes.
func (o *taskOptions) taskNamed() classify.Task {
	if o.task == logisticTask {
		return classify.Classes
	}
	if strings.HasPrefix(o.task, quantileTask) || o.task == gaussianTask {
		return classify.Regression
	}
	return classify.Task(o.task)
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

// setTask completes the trainer's options of the task.
func (o *learningOptions) setTask(c *cli.Call, t *classify.Trainer) error {
	task := o.taskNamed()
	var err error
	if t.Quantile, err = o.quantile(); err != nil {
		return err
	}
	if o.task != gaussianTask {
		t.Rank = 0
	}
	switch names := append(classify.Tasks(), quantileTask+"Q", logisticTask, gaussianTask); {
	case o.task == logisticTask:
		t.Loss = classify.LossLogistic
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

// meaningless lists, by task, the options of learning that have no meaning for it.
var meaningless = map[classify.Task][]string{
	classify.Classes:    {"epsilon", "known", "lambda", "directions"},
	classify.Regression: {"known", "prior"},
	classify.Novelty:    {"epsilon", "prior", "C", "lambda", "directions"},
	classify.Ranking:    {"epsilon", "known", "nu", "prior", "lambda", "directions", "weights"},
	classify.Ordinal:    {"epsilon", "known", "nu", "prior", "lambda", "directions"},
}

// checkTask refuses options that mean nothing for the task.
func (o *learningOptions) checkTask(c *cli.Call, task classify.Task) error {
	refused := meaningless[task]
	if task != classify.Ranking {
		refused = append(slices.Clip(refused), "query")
	}
	if o.task == logisticTask {
		refused = append(slices.Clip(refused), "nu", "prior", "loss", "probability")
	}
	err := cmp.Or(c.Refuse("--task "+o.task, refused...), checkNu(c, task))
	if err != nil || task == classify.Classes {
		return err
	}
	if err := o.checkRegression(c); err != nil {
		return err
	}
	return c.Refuse("--task "+o.task, "loss", "class-weight", "multiclass", "multilabel", "thresholds", "hierarchy",
		"positive", "probability", "pos", "neg")
}

// checkNu refuses what a bound of the errors takes the place of, and weights of records, which it has not.
func checkNu(c *cli.Call, task classify.Task) error {
	switch {
	case !c.Given("nu") || task == classify.Novelty:
		return nil
	case task == classify.Classes:
		return c.Refuse("--nu", "C", "weights")
	}
	return c.Refuse("--nu", "epsilon", "weights")
}

// checkRegression refuses options that mean nothing for the kind of regression.
func (o *learningOptions) checkRegression(c *cli.Call) error {
	switch {
	case c.Given("lambda") && o.Lambda == 0:
		return cli.Usagef("--lambda 0, want above 0")
	case o.task == gaussianTask:
		return c.Refuse("--task "+o.task, "epsilon", "nu", "C", "solver", "no-normalize")
	case strings.HasPrefix(o.task, quantileTask):
		return c.Refuse("--task "+o.task, "epsilon", "nu", "lambda", "directions")
	case c.Given("lambda"):
		return c.Refuse("--lambda", "epsilon", "nu", "C", "solver", "directions")
	}
	return c.Refuse("--task "+o.task, "directions")
}

// hasCosts reports whether C means something.
func (o *learningOptions) hasCosts(c *cli.Call) bool {
	task := o.taskNamed()
	return task != classify.Novelty && o.task != gaussianTask && !c.Given("lambda") &&
		(task != classify.Classes || !c.Given("nu"))
}

// labelsOf returns what the labels of a task are.
func labelsOf(task classify.Task) input.LabelKind {
	switch task {
	case classify.Regression, classify.Ranking:
		return input.NumberLabels
	case classify.Novelty:
		return input.OptionalLabels
	}
	return input.ClassLabels
}

// taskMetrics lists the metrics of a task.
func taskMetrics(task classify.Task) []string { return (&classify.Dataset{Task: task}).MetricNames() }

// taskDataset makes the data set of a task other than that of classes.
func (e *experiment) taskDataset(c *cli.Call, groups []string) (d *classify.Dataset, err error) {
	o := &e.options.learning
	if d, err = classify.NewDatasetOf(o.taskNamed(), e.records.Corpus, e.records.Labels, o.known, groups); err != nil {
		return nil, optionError(err)
	}
	d.Quantile, _ = o.quantile()
	if d.Task == classify.Ordinal {
		c.Say("seqsvm: classes in order: %s", strings.Join(d.Classes, " < "))
	}
	return d, nil
}

// metricHelp lists the values of --metric.
var metricHelp = strings.Join(metrics.ClassMetrics(), ", ") +
	"; with --hierarchy accuracy_level_1, … too; with --multilabel " + strings.Join(metrics.LabelMetrics(), ", ") +
	"; with --task logistic " + strings.Join(metrics.ProbabilityMetrics(), ", ") + " too; regress " +
	strings.Join(metrics.NumberMetrics(), ", ") + "; rank " +
	strings.Join(metrics.RankMetrics(), ", ") + "; ordinal " + strings.Join(metrics.OrdinalMetrics(), ", ")

// taskOf returns the task of a model.
func taskOf(d *classify.Rule) classify.Task {
	return cmp.Or(map[classify.Labelling]classify.Task{
		classify.Numbers: classify.Regression, classify.Grades: classify.Ranking,
		classify.KnownOrNovel: classify.Novelty, classify.OrderedClasses: classify.Ordinal,
	}[d.Labelling()], classify.Classes)
}

// hasValues reports whether predictions are numbers rather than classes.
func hasValues(d *classify.Rule) bool {
	l := d.Labelling()
	return l == classify.Numbers || l == classify.Grades
}
