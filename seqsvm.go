// Package seqsvm trains support vector machines on sequences (DNA, RNA, proteins, text, trees) with string kernels, in
// time linear in the letters of the data, and saves, loads and applies the models.
//
// A string kernel compares two sequences by the features they share: k-mers, gapped k-mers, substrings, words, parts of
// trees. An index of the feature space replaces the n × n matrix of kernel values: a training step scatters a
// coefficient per sequence over the features and gathers a score per sequence from them, and so does prediction.
// Results are exact: every model has the primal and dual objective of each of its machines and the relative gap between
// them.
//
// Three calls do it:
//
//	m, err := seqsvm.Fit(ctx, "gapped:l=11,k=7,rc", seqsvm.Files("train.fa"), seqsvm.Options{})
//	…
//	err = m.Save("enhancers.seqsvm")
//	…
//	m, err := seqsvm.Open("enhancers.seqsvm")
//	…
//	predictions, err := m.Predict(ctx, seqsvm.Files("new.fa")...)
//
// A kernel is specified as in the options of the tool, NAME:KEY=VALUE,FLAG; "A + B" is the mean of two. Package catalog
// has the list, as has "seqsvm about kernels". A model is the same as that of "seqsvm train", and either reads the
// other's.
//
// # Where to go next
//
//   - catalog: the kernels and their parameters; your own kernels
//   - seqio: the formats of inputs, and where labels come from
//   - classify: data sets in memory, several labels per record, hierarchies, solvers, cross-validation; classify/search
//     chooses kernel and C
//   - stringkernel: what a kernel is, and its Gram matrix for other programs
//   - model: what a file holds, byte by byte
//   - scan: every window of a genome
//
// # Limits
//
// The data and their index are in memory. Predict holds all its inputs in memory; larger ones are read in parts by
// seqio.AllBatches and scored by the classifier of the model.
package seqsvm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Version is the version of this module, which every model file records.
const Version = "0.1.0"

// Options say how to learn. The zero value is a good start.
type Options struct {
	C           float64 // penalty of a margin error; zero: 1
	ClassWeight string  // see classify.Trainer: none (also if empty), balanced or LABEL=NUMBER,…
	Multiclass  string  // of three classes and more: see classify.Trainer
	Probability bool    // calibrate, so that predictions have probabilities: six trainings instead of one
	Seed        uint64  // of the folds of calibration; zero: 1

	Task  dataset.Task // one of classify.Tasks; empty: classes. Of FitDataset it is that of the data set
	Known []string     // of classify.Novelty: labels of known records; nil: all
	Order []string     // of classify.Ordinal: all labels from the lowest to the highest; nil: they are numbers
	classify.TaskOptions
	Loss svm.Loss // of classes: svm.Hinge (also if empty), svm.SquaredHinge or classify.LossLogistic

	Positive string // of two classes the one that scores above 0 indicate; empty: see classify.PositiveOf

	NoNormalize   bool                  // use the kernel as it is, not k(x, y)/√(k(x, x)·k(y, y))
	Alphabet      stringkernel.Alphabet // of kernels that do not name one; empty: inferred from the data
	KeepSequences bool                  // keep the support vectors in the model even if the kernel folds into a table

	// NoSketch leaves hashes of training records and k-mers out of the model: see model.Sketch.
	NoSketch bool

	Read      seqio.Options     // how inputs are read
	Catalogue catalog.Catalogue // where kernels are looked up; nil: catalog.Default()
}

// Files are inputs by their paths: files or folders, the records of which say their labels. Set Label of a
// [seqio.Input] where all records of a file have one.
func Files(paths ...string) []seqio.Input {
	inputs := make([]seqio.Input, len(paths))
	for i, path := range paths {
		inputs[i].Path = path
	}
	return inputs
}

// Fit reads labelled records and learns to predict the labels. Without a kernel it takes the usual one for the records
// ([catalog.Usual]). Errors about a record name its file and line.
func Fit(ctx context.Context, kernel string, inputs []seqio.Input, o Options) (*Model, error) {
	spec, err := o.parse(kernel)
	if err != nil {
		return nil, err
	}
	records, data, err := o.read(ctx, &spec, inputs)
	if err != nil {
		return nil, err
	}
	o.Read = records.Settled(o.Read)
	m, err := o.fit(ctx, spec, records.DetectAlphabet(), data)
	return m, records.Placed(err)
}

// CrossValidate estimates how well [Fit] predicts records that it has not seen: it learns from all folds but one and
// predicts that one, for each of them in turn. Folds are stratified by class and drawn by o.Seed, so that figures are
// those of “seqsvm cv”: Mean.Value("auroc"), for example, is the area under the ROC curve, the mean of the folds.
func CrossValidate(
	ctx context.Context, kernel string, inputs []seqio.Input, folds int, o Options,
) (search.Measured, error) {
	var none search.Measured
	spec, err := o.parse(kernel)
	if err != nil {
		return none, err
	}
	records, data, err := o.read(ctx, &spec, inputs)
	if err != nil {
		return none, err
	}
	alphabet := records.DetectAlphabet()
	if spec, err = o.chosen(spec, alphabet, data); err != nil {
		return none, err
	}
	trainer, err := o.trainer(spec, alphabet, data)
	if err != nil {
		return none, err
	}
	fold, err := data.Folds(folds, trainer.Seed)
	if err != nil {
		return none, err
	}
	outcome, err := classify.CrossValidate(ctx, trainer, data, fold)
	if err != nil {
		return none, records.Placed(err)
	}
	return search.MeasureFolds(data, outcome)
}

// read reads labelled records that can be learned from.
func (o *Options) read(
	ctx context.Context, spec *catalog.Spec, inputs []seqio.Input,
) (*seqio.Collection, *dataset.Dataset, error) {
	o.Read.Alphabet, o.Read.RepeatedIDs = cmp.Or(o.Read.Alphabet, spec.Alphabet()), true
	o.Read.Numbers, o.Read.OptionalText = spec.Columns(), len(spec.Terms) > 0 && spec.OfNumbers()
	records, err := read(ctx, inputs, o.Read)
	if err != nil {
		return nil, nil, err
	}
	*spec = spec.WithColumns(records.Columns)
	check := records.CheckTraining
	if o.Task != "" && o.Task != dataset.Classes {
		check = records.CheckSequences // numbers are not prose, nor is what novelty does not read
	}
	if err := cmp.Or(check(), spec.CheckCorpus(records.Corpus, 0)); err != nil {
		return nil, nil, records.Placed(err)
	}
	data, err := dataset.NewFor(o.Task, records.Corpus, records.Labels(),
		dataset.LabelNames{Known: o.Known, Order: o.Order}, nil)
	if err != nil {
		return nil, nil, records.Placed(err)
	}
	data.Quantile = o.Quantile
	return records, data, nil
}

// FitDataset is [Fit] of a data set in memory. Its letters are as package seqio reads them: upper case. If any are
// lower case, they break matches in sequences, and the model keeps the case of what it is applied to.
func FitDataset(ctx context.Context, kernel string, d *dataset.Dataset, o Options) (*Model, error) {
	spec, err := o.parse(kernel)
	if err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	a := seqio.DetectAlphabet(d.Corpus)
	if o.Read.Case == seqio.CaseAuto {
		o.Read.Case = caseOf(d.Corpus, a)
	}
	return o.fit(ctx, spec, a, d)
}

// caseOf is the case in which a corpus in memory was read: upper case if it is of sequences and has no other letters.
func caseOf(c *stringkernel.Corpus, a stringkernel.Alphabet) seqio.Case {
	used := stringkernel.BytesUsed([]*stringkernel.Corpus{c})
	if a == stringkernel.Bytes || slices.Contains(used['a':'z'+1], true) {
		return seqio.CaseKept
	}
	return seqio.CaseUpper
}

// parse checks the task, reads a kernel's specification and checks its parameters, with an open alphabet as if it were
// DNA.
func (o Options) parse(kernel string) (catalog.Spec, error) {
	if err := o.Task.Check(); err != nil {
		return catalog.Spec{}, err
	}
	if kernel == "" {
		return catalog.Spec{}, nil // the usual one, which follows the records
	}
	spec, err := o.Catalogue.Parse(strings.Split(kernel, " + ")...)
	if err != nil {
		return spec, err
	}
	spec = spec.WithAlphabet(o.Alphabet)
	spec.Normalize = !o.NoNormalize
	if err := spec.Check(stringkernel.DNA); err != nil {
		return spec, fmt.Errorf("kernel %.80q: %w", kernel, err)
	}
	return spec, nil
}

// chosen returns a specification, or that of the usual kernel for records in place of none.
func (o Options) chosen(spec catalog.Spec, a stringkernel.Alphabet, d *dataset.Dataset) (catalog.Spec, error) {
	if len(spec.Terms) > 0 {
		return spec, nil
	}
	return o.parse(strings.Join(catalog.Usual(d.Corpus, a).Terms(), " + "))
}

// trainer makes the kernel of an alphabet, sets the positive class of the records, and returns what learns from them.
func (o Options) trainer(spec catalog.Spec, a stringkernel.Alphabet, d *dataset.Dataset) (classify.Trainer, error) {
	kernel, err := spec.Compile(a)
	if err != nil {
		return classify.Trainer{}, fmt.Errorf("on %s sequences: %w", a, err)
	}
	if o.Positive != "" {
		err = d.SetPositive(o.Positive)
	}
	t := classify.Trainer{
		Kernel: kernel, C: o.C, ClassWeight: o.ClassWeight, Multiclass: o.Multiclass, Probability: o.Probability,
		Seed: max(1, o.Seed), TaskOptions: o.TaskOptions, Loss: o.Loss,
	}
	if !o.KeepSequences {
		t.Pack = a
	}
	return t, err
}

// fit learns from records whose alphabet is a.
func (o Options) fit(
	ctx context.Context, spec catalog.Spec, a stringkernel.Alphabet, d *dataset.Dataset,
) (*Model, error) {
	spec, err := o.chosen(spec, a, d)
	if err != nil {
		return nil, err
	}
	trainer, err := o.trainer(spec, a, d)
	if err != nil {
		return nil, err
	}
	if err := trainer.CheckMerge(d); err != nil {
		return nil, err
	}
	trained, err := trainer.Train(ctx, d)
	if err != nil {
		return nil, err
	}
	file, err := model.New(ctx, trained, model.Options{KeepSequences: o.KeepSequences, Catalogue: o.Catalogue})
	if err != nil {
		return nil, err
	}
	labels := make([]string, d.Len())
	for i, class := range d.Y {
		if labels[i] = d.Classes[class]; d.Targets != nil {
			labels[i] = strconv.FormatFloat(d.Targets[i], 'g', -1, 64)
		}
	}
	file.Input = model.InputOf(o.Read)
	file.Training = model.TrainingOn(d.Corpus, labels).WithoutNumbers(len(file.Kernel.Columns()))
	file.Training.Anchor = model.AnchorOf(d.Corpus, file.Kernel.Alphabet())
	file.Generator.Version = Version
	if !o.NoSketch {
		if file.Sketch, err = model.NewSketch(ctx, d.Corpus, a); err != nil {
			return nil, err
		}
	}
	if file.Input.Reading.Tree == "" && !slices.ContainsFunc(spec.Terms, catalog.Term.OfStructures) {
		file.Drift = drift.New(d.Corpus, a)
	}
	return Load(ctx, file)
}

// read reads inputs, at least one.
func read(ctx context.Context, inputs []seqio.Input, o seqio.Options) (*seqio.Collection, error) {
	if len(inputs) == 0 {
		return nil, errors.New("seqsvm: no inputs")
	}
	return seqio.ReadAll(ctx, inputs, o)
}
