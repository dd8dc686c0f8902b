package input

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/trees"
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

// TreeFlags binds the options that say how documents are read as trees; a model stores them.
func (o *Reading) TreeFlags(f *cli.Flags) {
	f.Section(OfInput)
	cli.String(f, &o.Tree.Syntax, "tree", "",
		"read the text of each record as one tree or several in a `SYNTAX`: penn, "+
			"newick, xml, html, json or dot-bracket; graph: dot-bracket for kernels of graphs; none: read plain text; "+
			"stored in the model")
	f.String(&o.Tree.Labels, "tree-labels", "",
		"`LABELS` that count, comma-separated: names, text, words, attributes, "+
			"values, lengths (of newick), or none").Default("names,words for xml and html, otherwise names,text")
}

// treeOptions returns the options for trees. Options that are not given are those of the model, o; the labels only if
// the syntax is the same.
func (r *Reading) treeOptions(c *cli.Call, o trees.Options) (trees.Options, error) {
	wanted := r.Tree.Syntax
	if wanted == "" && r.Format == seqio.DotBracket && o.Syntax != trees.Graph {
		wanted = trees.DotBracket
	}
	switch wanted {
	case "", o.Syntax:
	case "none":
		o.Syntax, o.Labels = "", ""
	default:
		o.Syntax, o.Labels = wanted, ""
	}
	cli.IfGiven(c.Flags, "tree-labels", &o.Labels, r.Tree.Labels)
	if o.Syntax == "" {
		return trees.Options{}, c.Require("--tree, want the syntax of the trees", "tree-labels")
	}
	switch err := o.Check(); {
	case err != nil && (c.Given("tree-labels") || c.Given("tree")):
		return o, cli.Usagef("--tree %s: %w", o.Syntax, err)
	case err != nil:
		return o, err // of the model
	case r.Format == seqio.DotBracket && o.Syntax != trees.DotBracket && o.Syntax != trees.Graph:
		return o, cli.Usagef("--tree %s cannot be used with --input %s", o.Syntax, r.Format)
	case r.HTML:
		return o, cli.Usagef("--html cannot be used with --tree %s", o.Syntax)
	}
	return o, nil
}

// takeList appends the files of --files to the operands.
func (o *Reading) takeList(c *cli.Call) error {
	if o.files == "" {
		return nil
	}
	read := func(r io.Reader, name string) ([]string, error) { return readList(c, r, name) }
	paths, err := cli.Read(c, o.files, read)
	if err != nil {
		return err
	}
	c.Args, o.files = append(c.Args, paths...), ""
	return nil
}

// readList reads a name in each line of r or, if that is nil, of a file. Blanks after a name are no part of it, blank
// lines are skipped. The files must exist.
func readList(c *cli.Call, r io.Reader, name string) (paths []string, err error) {
	text, err := seqio.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	in, line := bufio.NewScanner(text), 1
	for ; in.Scan(); line++ {
		path := strings.TrimRight(in.Text(), " \t\r")
		if path == "" {
			continue
		}
		if err := findListed(c, path); err != nil {
			return nil, &seqio.Error{File: name, Line: line, Err: err}
		}
		paths = append(paths, path)
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &seqio.Error{File: name, Line: line, Err: errors.New("more than 64 KiB, want the name of an input")}
	case err != nil:
		return nil, cli.InFile(name, err)
	case len(paths) == 0:
		return nil, fmt.Errorf("%s: no names, want that of an input in each line", name)
	}
	return paths, nil
}

// findListed returns an error unless an input of a list can be opened.
func findListed(c *cli.Call, path string) error {
	if _, held := c.Files.Content(path); held || path == "-" {
		return nil
	}
	if strings.ContainsRune(path, 0) {
		return errors.New("NUL byte in a name, as in UTF-16: convert the list to UTF-8")
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%.200q: %w", path, errors.Unwrap(err))
	}
	return nil
}

// intervals cuts the letters of intervals from the file of --genome, which is opened when the first are read.
type intervals struct {
	path    string
	letters seqio.Case
	cutter  genome.Cutter
}

// EachRecord implements seqio.IntervalReader.
func (v *intervals) EachRecord(
	r io.Reader, name string, add func(id, description, letters []byte, line int) error,
) error {
	if v.cutter.Genome == nil {
		g, err := genome.Open(v.path, v.letters)
		if err != nil {
			return err
		}
		v.cutter.Genome = g
	}
	return v.cutter.EachRecord(r, name, add)
}

// end closes the genome and says what was left out or cut off.
func (v *intervals) end(c *cli.Call) {
	if v == nil || v.cutter.Genome == nil {
		return
	}
	misfits := &v.cutter.Misfits
	if misfits.LeftOut() > 0 {
		c.Warn("%s", misfits.Text("intervals", v.path))
	}
	records := misfits.Lines - misfits.LeftOut()
	if n := v.cutter.NotCalled; n > 0 {
		c.Warn("%d of %d intervals have no summit (a negative number, . or NA in column 10): the middle of each is taken", n, records)
	}
	if n := v.cutter.Outside; n > 0 {
		c.Warn("the summits of %d of %d intervals are beyond their ends: the middle of each is taken; the first: %v", n,
			records, v.cutter.FirstOutside)
	}
	if n := v.cutter.Clipped; n > 0 {
		c.Warn("%s of %d letters would reach beyond the ends of sequences and are shorter", plural.Of(n, "window"),
			v.cutter.Width)
	}
	v.cutter.Genome.Close() // it was only read
	v.cutter = genome.Cutter{Width: v.cutter.Width, At: v.cutter.At}
}

// checkIntervals returns an error about options for intervals that do not go together, or the reader of intervals, nil
// without --genome.
func (o *Reading) checkIntervals(c *cli.Call) (*intervals, error) {
	if o.genome == "" {
		return nil, c.Require("--genome", "width", "at")
	}
	if o.width == 0 {
		if err := c.Require("--width", "at"); err != nil {
			return nil, err
		}
	}
	cutter := genome.Cutter{Width: o.width, At: o.at}
	return &intervals{path: o.genome, letters: o.Letters(), cutter: cutter}, nil
}
