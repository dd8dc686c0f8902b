package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// experiment is a labelled data set and how to learn from it: what train and cv start from.
type experiment struct {
	records *records
	data    *classify.Dataset
	spec    catalog.Spec
	trainer classify.Trainer
	input   model.Input

	duplicates *duplicates.Groups // once they were looked for
}

// newExperiment checks the options, reads the data and builds the kernel.
func newExperiment(c *cli.Context, groups bool) (*experiment, error) {
	e := new(experiment)
	var err error
	if e.trainer, err = trainerOptions(c); err != nil {
		return nil, err
	}
	var r reader
	if e.spec, r, err = kernelAndReader(c); err != nil {
		return nil, err
	}
	if err := checkMultilabel(c, e.trainer); err != nil {
		return nil, err
	}
	if err := checkHierarchy(c, e.trainer); err != nil {
		return nil, err
	}
	if err := e.read(c, r, groups); err != nil {
		return nil, err
	}
	if c.String("multiclass") == "auto" {
		e.trainer.Multiclass = defaultScheme(e.trainer, e.spec, e.input.Separator != "")
	}
	e.trainer.Kernel, err = buildKernel(c, &e.spec, e.records)
	return e, err
}

// read reads the labelled data, with all labels of each record where --multilabel is given.
func (e *experiment) read(c *cli.Context, r reader, groups bool) (err error) {
	e.input = r.input()
	e.input.Separator = c.String("multilabel")
	r.options.LabelLists = e.input.Separator != ""
	if e.records, err = r.labelled(); err != nil {
		return err
	}
	if e.records.sets[0].Format == seqio.KeLP {
		e.input.Representation = c.String("text")
	}
	return e.makeDataset(c, groups)
}

func (e *experiment) makeDataset(c *cli.Context, groups bool) error {
	var group []string
	var err error
	if groups {
		if group, err = e.groups(c); err != nil {
			return err
		}
	}
	if separator := c.String("multilabel"); separator != "" {
		sets, err := e.records.labelSets(separator)
		if err != nil {
			return err
		}
		if e.data, err = classify.NewMultilabelDataset(e.records.corpus, sets, group); err != nil {
			return fmt.Errorf("%s: %w", e.records.source(), err)
		}
		return nil
	}
	if e.data, err = classify.NewDataset(e.records.corpus, e.records.labels, group); err != nil {
		return fmt.Errorf("%s: %w", e.records.source(), err)
	}
	if separator := c.String("hierarchy"); separator != "" {
		if err := e.data.SetHierarchy(separator); err != nil {
			return fmt.Errorf("%s: %w", e.records.source(), err)
		}
	}
	if class := c.String("positive"); class != "" {
		if len(e.data.Classes) != 2 {
			return usagef("--positive with %d classes, want two", len(e.data.Classes))
		}
		if err := e.data.SetPositive(class); err != nil {
			return usagef("--positive: %w", err)
		}
	}
	return nil
}

// checkC wants a cost whose products with others stay in the range of a float64.
func checkC(c float64) error {
	if !(c >= 1e-100 && c <= 1e100) {
		return usagef("--C %v, want > 0, from 1e-100 to 1e+100", c)
	}
	return nil
}

// trainerOptions reads learningFlags.
func trainerOptions(c *cli.Context) (classify.Trainer, error) {
	t := classify.Trainer{
		C: c.Float64("C"), Tol: c.Float64("tol"), CacheBytes: int64(c.Int("cache")) << 20,
		Probability: c.Bool("probability"), Sparse: c.Bool("sparse"), Seed: c.Uint64("seed"),
	}
	var err error
	if t.Solver, err = choose(c, "solver", classify.SolverAuto, classify.SolverSMO, classify.SolverCuttingPlane, classify.SolverDualCoordinate); err != nil {
		return t, err
	}
	if t.Loss, err = choose(c, "loss", svm.LossHinge, svm.LossSquaredHinge); err != nil {
		return t, err
	}
	if t.Loss == svm.LossSquaredHinge && t.Solver == classify.SolverCuttingPlane {
		return t, usagef("--solver %s is for --loss %s, want dual-coordinate or smo for --loss %s", t.Solver, svm.LossHinge, t.Loss)
	}
	if t.ClassWeight, err = choose(c, "class-weight", classify.WeightNone, classify.WeightBalanced); err != nil {
		return t, err
	}
	scheme, err := choose(c, "multiclass", "auto", "ovr", "ovo", classify.CrammerSinger)
	if err != nil {
		return t, err
	}
	t.Multiclass = map[string]string{"ovr": classify.OneVsRest, "ovo": classify.OneVsOne, classify.CrammerSinger: classify.CrammerSinger}[scheme]
	if err := checkJoint(t, scheme); err != nil {
		return t, err
	}
	if err := checkC(t.C); err != nil {
		return t, err
	}
	switch {
	case !(t.Tol > 0) || t.Tol >= 1:
		return t, usagef("--tol %v, want a relative gap between 0 and 1", t.Tol)
	case c.Int("cache") < 1 || c.Int("cache") > 1<<20:
		return t, usagef("--cache %d, want 1 to %d megabytes", c.Int("cache"), 1<<20)
	}
	return t, nil
}

// options describes, for the model file, what the result depends on besides the data: the same for any --threads or --output.
func (e *experiment) options(c *cli.Context) string {
	var words []string
	for _, k := range c.StringSlice("kernel") {
		words = append(words, "--kernel "+k)
	}
	for _, name := range []string{"C", "tol", "loss", "class-weight", "solver", "cache", "multiclass", "multilabel", "hierarchy", "seed", "positive", "alphabet", "soft-mask", "input", "text", "label", "id", "header", "split", "encoding",
		"tree", "tree-labels", "tree-depth", "tree-nodes"} {
		if c.IsSet(name) {
			words = append(words, fmt.Sprintf("--%s %v", name, c.Value(name)))
		}
	}
	for _, name := range []string{"no-normalize", "probability", "sparse", "keep-newline", "html", "tree-cut", "keep-sequences"} {
		if c.Bool(name) {
			words = append(words, "--"+name)
		}
	}
	return strings.Join(words, " ")
}

// kernelText writes a kernel as in the model's header, for people.
func kernelText(terms []catalog.Term) string {
	var words []string
	for _, t := range terms {
		words = append(words, t.String())
	}
	return strings.Join(words, " + ")
}
