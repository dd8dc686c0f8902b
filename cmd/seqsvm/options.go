package main

import (
	"errors"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
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
	o.reading.AlphabetFlags(f)
}

// kernelOptions choose a kernel.
type kernelOptions struct {
	specs       []string
	noNormalize bool
}

// specHelp is the help of --kernel.
const specHelp = "kernel `SPEC`, NAME:KEY=VALUE,FLAG (see seqsvm kernels), or a formula, as 'A + 0.3*B*C'; repeat to " +
	"average several kernels"

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
	o.AlphabetFlags(f)
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
	f.Float64(&o.C, "C", 1, "cost of a margin error")
	cli.Choice(f, &o.Loss, "loss", "loss of a margin error: hinge or squared-hinge", svm.Hinge, svm.SquaredHinge)
	f.Choice(&o.Penalty, "penalty", "penalty of weights: l2, ½‖w‖², or l1, Σ|w|, with which most features have none, for "+
		"words and spectrum, with --loss squared-hinge or --task logistic", classify.PenaltySquares, classify.PenaltySum)
	f.Bool(&o.NoBias, "no-bias", "classes, regress: machines without a bias, f(x) = ⟨w, φ(x)⟩, as of LIBLINEAR -B -1")
	f.Float64(&o.MKL, "mkl", 0, "learn the weights of the kernels of a sum, within a `NORM` from 1, which leaves few of "+
		"them, to inf, which weighs all alike").AtLeast(1).Default("the weights are those of the formula")
	f.Float64(&o.Tol, "tol", 1e-3, "relative duality gap to stop at")
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
		"labels, separated by `SEPARATOR` (or a list in jsonl, or all topics of reuters)")
	f.Choice(&o.Thresholds, "thresholds",
		"thresholds of several labels: fbr (per label by inner cross-validation scut, "+
			"zero, the greatest decision value or never), scut (that of the label's greatest F1) or zero",
		threshold.FBR, threshold.SCut, threshold.Zero)
	f.String(&o.hierarchy, "hierarchy", "", "train machines for each node of a hierarchy: labels are paths with "+
		"`SEPARATOR` between names (sport/hockey); accuracy is reported per level")
}

func (o *learningOptions) calibrationFlags(f *cli.Flags) {
	f.Section(input.OfLearning)
	f.Bool(&o.Probability, "probability", "calibrate class probabilities (Platt) by internal cross-validation")
	f.String(&o.Threshold, "threshold", "", "two classes: `CRITERION` of the decision above which a record is of the "+
		"positive one, chosen on records left out in training: youden (the greatest balanced accuracy), f1, fdr=RATE (at "+
		"most that share of those above it are false) or the decision itself").Default("the machine's own, which is 0")
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
	f.Int(&o.folds, "folds", folds, "number of folds").AtLeast(2)
	o.groupFlags(f, "never split a group between folds")
	f.File(&o.nearDuplicates, "near-duplicates", "`FILE` for the pairs of near-duplicates, whatever their folds")
}

// groupFlags binds the options of groups; purpose begins the help.
func (o *foldOptions) groupFlags(f *cli.Flags, purpose string) {
	f.String(&o.group, "group", "", purpose+": `GROUPS` is chrom, regex:PATTERN, "+
		"column:NAME, near-duplicates or a file of lines id<TAB>group").
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
		"right one with this `PROBABILITY`, of a model of train --conformal").Above(0).Default("")
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
