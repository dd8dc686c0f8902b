package main

import (
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// The options that several commands have, by group.

// Sections of the help.
const (
	ofKernel   = "Kernel"
	ofLearning = "Learning"
	ofFolds    = "Folds"
	ofInput    = "Input"
	ofTrees    = "Trees"
	ofOutput   = "Output"
)

// modelOption is a model to apply.
type modelOption struct{ path string }

func (o *modelOption) flags(f *cli.Flags) {
	f.String(&o.path, "model,m", "", "model `FILE` written by train").Reads(&o.path)
}

// reportOptions are the output of a command that prints a table.
type reportOptions struct {
	format string
	output cli.Output
}

func (o *reportOptions) flags(f *cli.Flags) {
	f.Section(ofOutput)
	f.Choice(&o.format, "format", "format: tsv or json", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "`FILE` to write")
}

// experimentOptions are those of commands that learn from labelled data.
type experimentOptions struct {
	kernel   kernelOptions
	learning learningOptions
	labels   labelOptions
	reading  readingOptions
	folds    foldOptions // of commands that make folds
}

// flags binds all but the kernel and the folds.
func (o *experimentOptions) flags(f *cli.Flags) {
	o.learning.flags(f)
	o.labels.flags(f)
	o.reading.flags(f)
	o.reading.alphabetFlags(f)
	o.reading.documentFlags(f)
	o.reading.tree.flags(f)
}

// kernelOptions choose a kernel.
type kernelOptions struct {
	specs       []string
	noNormalize bool
}

// specHelp is the help of --kernel.
const specHelp = "kernel `SPEC`, NAME:KEY=VALUE,FLAG (see seqsvm kernels); repeat to average several kernels"

func (o *kernelOptions) flags(f *cli.Flags, usage string) {
	f.Section(ofKernel)
	f.Strings(&o.specs, "kernel,k", usage).ReadsAll(func() []string { return listFiles(o.specs) })
	f.Bool(&o.noNormalize, "no-normalize", "use k(x, y) as it is, not divided by √(k(x, x)·k(y, y))")
}

// learningOptions are those of a trainer.
type learningOptions struct {
	C           float64
	loss        string
	tol         float64
	classWeight string
	solver      string
	sparse      bool
	cache       int // megabytes
	multiclass  string
	positive    string
	probability bool
	multilabel  string
	hierarchy   string
}

func (o *learningOptions) flags(f *cli.Flags) {
	f.Section(ofLearning)
	f.Float64(&o.C, "C", 1, "cost of a margin error")
	f.Choice(&o.loss, "loss", "loss of a margin error: hinge or squared-hinge", svm.LossHinge, svm.LossSquaredHinge)
	f.Float64(&o.tol, "tol", 1e-3, "relative duality gap to stop at")
	f.Choice(&o.classWeight, "class-weight", "weights of classes: none, or balanced (C inversely proportional to "+
		"class size)",
		classify.WeightNone, classify.WeightBalanced)
	f.Choice(&o.solver, "solver", "solver: auto, smo, cutting-plane or dual-coordinate",
		classify.SolverAuto, classify.SolverSMO, classify.SolverCuttingPlane, classify.SolverDualCoordinate)
	f.Bool(&o.sparse, "sparse", "let cutting-plane continue to a solution with few support vectors: up to twice the "+
		"time, a smaller model")
	f.Int(&o.cache, "cache", 256, "`MEGABYTES` of kernel rows that smo may keep, besides a Gram matrix of at most "+
		"512 shared by all machines")
	f.Choice(&o.multiclass, "multiclass", "scheme for more than two classes: ovr (one-vs-rest), ovo (one-vs-one), "+
		"crammer-singer (one problem for all classes, "+
		"for kernels with feature rows) or auto: crammer-singer for the words kernel when applicable, otherwise ovr",
		"auto", "ovr", "ovo", classify.CrammerSinger)
	f.String(&o.positive, "positive", "", "`CLASS` whose score is reported with two classes").Default("the second " +
		"in sorted order, or --pos")
	f.String(&o.multilabel, "multilabel", "", "train one machine and threshold per label: records have several "+
		"labels, separated by `SEPARATOR` (or a list in jsonl, or all topics of reuters)")
	f.String(&o.hierarchy, "hierarchy", "", "train machines for each node of a hierarchy: labels are paths with "+
		"`SEPARATOR` between names (sport/hockey); accuracy is reported per level")
}

func (o *learningOptions) calibrationFlags(f *cli.Flags) {
	f.Section(ofLearning)
	f.Bool(&o.probability, "probability", "calibrate class probabilities (Platt) by internal cross-validation")
}

// labelOptions say where labels are.
type labelOptions struct {
	pos, neg []string
	labels   string
}

func (o *labelOptions) flags(f *cli.Flags) {
	f.Section(ofInput)
	f.Strings(&o.pos, "pos", "`FILE` of positive sequences, instead of labels in headers").ReadsAll(func() []string { return o.pos })
	f.Strings(&o.neg, "neg", "`FILE` of negative sequences").ReadsAll(func() []string { return o.neg })
	f.String(&o.labels, "labels", "", "`FILE` of lines id<TAB>label, instead of labels in headers").Reads(&o.labels)
}

// foldOptions say how records are divided into folds.
type foldOptions struct {
	folds          int
	group          string
	similarity     float64
	nearDuplicates cli.Output
}

func (o *foldOptions) flags(f *cli.Flags, folds int) {
	f.Section(ofFolds)
	f.Int(&o.folds, "folds", folds, "number of folds").AtLeast(2)
	f.String(&o.group, "group", "", "never split a group between folds: `GROUPS` is chrom, regex:PATTERN, "+
		"near-duplicates or a file of lines id<TAB>group").
		ReadsAll(func() []string { return []string{o.groupFile()} })
	f.Float64(&o.similarity, "similarity", duplicates.DefaultSimilarity,
		"`SHARE` of its k-mers that a near-duplicate has in another record, 0 to skip the search")
	f.File(&o.nearDuplicates, "near-duplicates", "`FILE` for the pairs of near-duplicates, whatever their folds")
}

// readingOptions say how records are read.
type readingOptions struct {
	input, ambiguous     string
	keepNewline          bool
	text, label, id      string
	header, encoding     string
	modApte              string // part of the ModApte split
	html                 bool
	tree                 treeOptions
	alphabet, softMasked string
}

func (o *readingOptions) flags(f *cli.Flags) {
	f.Section(ofInput)
	f.Choice(&o.input, "input", "format: auto, fasta, fastq, text (a record per line), tsv, csv, jsonl, reuters "+
		"(SGML), documents (one per file; subfolders are labels), kelp or dot-bracket",
		"auto", "fasta", "fastq", "text", "tsv", "csv", "jsonl", "reuters", "documents", "kelp", "dot-bracket")
	f.Bool(&o.keepNewline, "keep-newline", "text: keep the line end as a letter of each record, as kernlab does; "+
		"stored in the model")
	f.Choice(&o.ambiguous, "ambiguous", "letters outside the alphabet: break matches, or error", "break", "error")
}

// documentFlags are for commands that read any text.
func (o *readingOptions) documentFlags(f *cli.Flags) {
	f.Section(ofInput)
	f.String(&o.text, "text", "", "text `COLUMN` of tsv or csv, by name or number, or field of jsonl (a.b is "+
		"nested); kelp: the representation; stored in the model").Default("text; kelp: the first tree")
	f.String(&o.label, "label", "", "label `COLUMN` or field").Default("label, if there is one")
	f.String(&o.id, "id", "", "id `COLUMN` or field").Default("id, if there is one, otherwise the line number")
	f.Choice(&o.header, "header", "tsv, csv: whether the first line names columns: yes, no, or auto (csv: yes; tsv: "+
		"if it contains the name of the text or label column)", "auto", "yes", "no")
	f.String(&o.encoding, "encoding", "utf-8", "`ENCODING` of the input: utf-8 (checked in text), latin1, utf-16, "+
		"shift_jis, …, or bytes (not checked)")
	f.Choice(&o.modApte, "modapte", "reuters: `PART` of the ModApte split, train or test, with topics", "", "train",
		"test").
		Alias("split").Default("all documents")
	f.Bool(&o.html, "html", "text formats: strip HTML from documents; stored in the model")
}

// alphabetFlags are for commands that choose the alphabet; a model stores it.
func (o *readingOptions) alphabetFlags(f *cli.Flags) {
	f.Section(ofInput)
	f.Choice(&o.alphabet, "alphabet", "alphabet of the sequences: auto, dna, rna, protein or bytes", "auto", "dna",
		"rna", "protein", "bytes")
	f.Choice(&o.softMasked, "soft-mask", "lower-case letters: upper (convert to upper case) or break (break matches)",
		"upper", "break")
}

// chosenAlphabet is the alphabet of the options, empty to infer it from the data.
func (o *readingOptions) chosenAlphabet() stringkernel.Alphabet {
	if o.alphabet == "auto" {
		return ""
	}
	return stringkernel.Alphabet(o.alphabet)
}

// softMask reports whether lower-case letters are kept and break matches.
func (o *readingOptions) softMask() bool { return o.softMasked == "break" }
