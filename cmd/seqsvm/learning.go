package main

import (
	"cmp"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
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
	training   model.Training     // of the data, see described
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
	var r input.Reader
	if e.spec, r, err = kernelAndReader(c, &o.kernel, &o.reading); err != nil {
		return nil, err
	}
	if err := e.read(c, r); err != nil {
		return nil, err
	}
	cli.CollectOften(e.data.Corpus.Letters())
	if e.trainer.Kernel, err = buildKernel(c, &e.spec, e.records); err != nil {
		return nil, err
	}
	remarkRows(c, e.spec, e.trainer.Kernel, e.data.Corpus)
	return e, e.records.Placed(optionError(e.trainer.Check(e.data)))
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
	for _, set := range e.records.Sets {
		set.Descriptions = nil // labels and groups have been found
	}
	return nil
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

// describe lists, for the model file, the options that the result depends on: the same for any --threads or --output.
func (o *kernelOptions) describe(c *cli.Call) string {
	var words []string
	for _, k := range o.specs {
		words = append(words, "--kernel "+quoted(k))
	}
	return strings.Join(append(words, c.Text("task", "algorithm", "bias", "C", "tol", "loss", "no-bias", "penalty", "mkl",
		"class-weight", "solver", "multiclass", "multilabel", "thresholds", "hierarchy", "epsilon", "lambda", "landmarks",
		"relevance", "components", "nu", "classes", "prior", "known", "order", "query", "weights", "seed", "positive", "alphabet",
		"soft-mask", "input", "text", "label", "id", "header", "encoding", "tree", "tree-labels", "no-normalize",
		"probability", "threshold", "conformal", "sparse", "html", "keep-sequences", "no-sketch", "stream")...), " ")
}

// quoted returns a word as a shell takes it, in quotation marks if it has letters that mean something there.
func quoted(word string) string {
	if !strings.ContainsAny(word, " *()^'\"$&|;<>`\\!#") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
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
