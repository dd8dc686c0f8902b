package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
)

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
		Above(0).Default("0.5 for novelty, otherwise none")
	f.Float64(&o.Prior, "prior", 0, "two classes: the one that is not --positive is unlabelled, and this `SHARE` of it "+
		"is positive").Above(0).Default("both are labelled")
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
	case o.task == tag.Task: // train and cv have dealt with it
		return cli.Usagef("--task %s is for train and cv", tag.Task)
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
		{task != dataset.Novelty, name, "known"},
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
	case first.Sigmoid != nil && (first.Solver == "newton" || *first.Sigmoid == (decide.Sigmoid{A: -1})):
		return logisticTask
	case d.Labelling() == dataset.NoLabels:
		return d.Scheme
	}
	return string(taskOf(d))
}
