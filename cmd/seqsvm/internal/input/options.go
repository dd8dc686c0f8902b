package input

import (
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Sections of the help.
const (
	OfKernel   = cli.OfKernel
	OfLearning = cli.OfLearning
	OfInput    = cli.OfInput
)

// Model is a model to apply.
type Model struct {
	Path   string
	strict bool
}

// StrictFlag binds --strict of commands that apply the model to records.
func (o *Model) StrictFlag(f *cli.Flags) {
	f.Section(OfInput)
	f.Bool(&o.strict, "strict", "stop at a record without any feature of the model, instead of a warning")
}

// Flags binds the options.
func (o *Model) Flags(f *cli.Flags) {
	f.Section(OfInput)
	f.String(&o.Path, "model,m", "", "model `FILE` written by train").Reads(&o.Path).OrOperand(model.IsModel)
}

// Labels are the options for where labels are.
type Labels struct {
	pos, neg []string
	labels   string
}

// Flags binds the options.
func (o *Labels) Flags(f *cli.Flags) {
	f.Section(OfInput)
	f.Strings(&o.pos, "pos",
		"`FILE` of positive sequences, instead of labels in headers").ReadsAll(func() []string { return o.pos })
	f.Strings(&o.neg, "neg", "`FILE` of negative sequences").ReadsAll(func() []string { return o.neg })
	f.String(&o.labels, "labels", "", "`FILE` of lines id<TAB>label, instead of labels in headers").Reads(&o.labels)
}

// Paths lists the files of --pos and --neg.
func (o *Labels) Paths() []string { return slices.Concat(o.pos, o.neg) }

// Reading is the options that say how records are read. What a model stores of them is overridden by [NewReader].
type Reading struct {
	seqio.Options
	alphabet, softMasked string
	genome               string // what intervals are cut from
	width                int
	at                   genome.Point
	files                string // a list of operands
}

// Flags binds the options of all commands that read records.
func (o *Reading) Flags(f *cli.Flags) {
	f.Section(OfInput)
	cli.Choice(f, &o.Format, "input", "format: auto, fasta, fastq, text (a record per line), tsv, csv, jsonl, reuters "+
		"(SGML), documents (one per file; subfolders are labels), fasttext, kelp, dot-bracket or bed (with --genome)",
		"auto", "fasta", "fastq", "text", "tsv", "csv", "jsonl", "reuters", "documents", "fasttext", "kelp",
		"dot-bracket", "bed")
	cli.Choice(f, &o.Ambiguous, "ambiguous", "letters outside the alphabet: break matches, or error", "break", "error")
}

// RecordFlags binds the options of commands that read sequences, texts and trees.
func (o *Reading) RecordFlags(f *cli.Flags) {
	o.Flags(f)
	o.DocumentFlags(f)
	o.TreeFlags(f)
	o.IntervalFlags(f)
	f.String(&o.files, "files", "", "`FILE` with the name of an input in each line, which follow the operands").
		Reads(&o.files).Before(o.takeList)
}

// IntervalFlags binds the options of commands that take intervals of a genome for records.
func (o *Reading) IntervalFlags(f *cli.Flags) {
	f.Section(OfInput)
	f.String(&o.genome, "genome", "", "FASTA `FILE` that files of intervals are cut from: BED, narrowPeak, broadPeak").
		Reads(&o.genome)
	f.Int(&o.width, "width", 0, "`LETTERS` around a point of each interval").AtLeast(1).Default("the whole interval")
	cli.Choice(f, &o.at, "at", "point of each interval: centre, or summit (of narrowPeak), for --width", genome.Centre,
		genome.Summit)
}

// DocumentFlags binds the options of commands that read texts.
func (o *Reading) DocumentFlags(f *cli.Flags) {
	f.Section(OfInput)
	f.String(&o.Columns.Text, "text", "", "text `COLUMN` of tsv or csv, by name or number, or field of jsonl (a.b is "+
		"nested); kelp: the representation; stored in the model").Default("text; kelp: the first tree")
	f.String(&o.Columns.Label, "label", "", "label `COLUMN` or field; in headers of sequences: id, regex:PATTERN (as "+
		"of --group) or NAME for X of NAME=X; stored in the model").
		Default("label, if there is one; headers: label=X, else the first word after the id")
	f.String(&o.Columns.ID, "id", "", "id `COLUMN` or field").Default("id, if there is one, otherwise the line number")
	cli.Choice(f, &o.Columns.Header, "header",
		"tsv, csv: whether the first line names columns: yes, no, or auto (csv: yes; tsv: "+
			"if it contains the name of the text or label column)", "auto", "yes", "no")
	cli.Choice(f, &o.Columns.Delimiter, "delimiter", "tsv, csv: what separates the columns: comma, semicolon, tab, "+
		"bar, or auto (found in the first lines)", "auto", "comma", "semicolon", "tab", "bar")
	f.String(&o.Encoding, "encoding", "", "`ENCODING` of the input: utf-8 (checked in text), latin1, utf-16, "+
		"shift_jis, …, or bytes (not checked)").Default("what a document of XML or HTML declares, otherwise utf-8")
	f.Bool(&o.HTML, "html", "text formats: strip HTML from documents; stored in the model")
}

// AlphabetFlags binds the options of commands that choose the alphabet, which a model stores.
func (o *Reading) AlphabetFlags(f *cli.Flags) {
	f.Section(OfInput)
	f.Choice(&o.alphabet, "alphabet",
		"alphabet of the sequences: auto, dna, rna, protein, bytes or groups of amino acids, one letter each (murphy4, "+
			"murphy8, murphy10, murphy15, dayhoff6, sdm12, hsdm17); stored in the model",
		append([]string{"auto"}, stringkernel.Alphabets()...)...)
	f.Choice(&o.softMasked, "soft-mask", "lower-case letters: upper (convert to upper case) or break (break matches); "+
		"stored in the model", "upper", "break")
}

// ChosenAlphabet is the alphabet of the options, empty to infer it from the data.
func (o *Reading) ChosenAlphabet() stringkernel.Alphabet {
	if o.alphabet == "auto" {
		return ""
	}
	return stringkernel.Alphabet(o.alphabet)
}

// Letters says what becomes of lower-case letters: CaseKept if they break matches.
func (o *Reading) Letters() seqio.Case {
	if o.softMasked == "break" {
		return seqio.CaseKept
	}
	return seqio.CaseUpper
}

// misplaced are the options for the parts of a document, by the formats without such a part.
var misplaced = map[seqio.Format][]string{
	seqio.FASTA:      {"text", "id", "header", "delimiter", "html", "tree"},
	seqio.FASTQ:      {"text", "id", "header", "delimiter", "html", "tree"},
	seqio.BED:        {"text", "id", "header", "delimiter", "html", "tree", "encoding"},
	seqio.Lines:      {"text", "label", "id", "header", "delimiter"},
	seqio.Documents:  {"text", "label", "id", "header", "delimiter"},
	seqio.FastText:   {"text", "label", "id", "header", "delimiter"},
	seqio.KeLP:       {"label", "id", "header", "delimiter"},
	seqio.DotBracket: {"text", "id", "header", "delimiter", "html"},
	seqio.Reuters:    {"text", "label", "id", "header", "delimiter"},
	seqio.JSONL:      {"header", "delimiter"},
}
