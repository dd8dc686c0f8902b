package seqio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Ambiguity says what a letter outside the alphabet does. The zero value means [AmbiguousBreak].
type Ambiguity string

// The treatments of letters outside the alphabet.
const (
	AmbiguousBreak Ambiguity = "break" // it stays, and no match contains it
	AmbiguousError Ambiguity = "error" // it is an error
)

// Check returns an error if the treatment is not one of the constants above (or empty, which means AmbiguousBreak).
func (a Ambiguity) Check() error {
	if a != "" && a != AmbiguousBreak && a != AmbiguousError {
		return fmt.Errorf("seqio: ambiguous = %q, want break or error", string(a))
	}
	return nil
}

// MaxLetters is the largest number of letters of a set: as many as an int counts. Memory is what limits it.
const MaxLetters = math.MaxInt - 1

// MaxRecords is the largest number of records of a set: 2³¹ − 2. Batches and streams have no such limit.
const MaxRecords = 1<<31 - 2

// MaxRecord is the largest number of letters of a record that is held: 2³⁰ − 2, so that both of its strands can be
// indexed as one text. [Stream] has no such limit.
const MaxRecord = 1<<30 - 2

// IntervalReader makes records of intervals: see genome.Cutter.
type IntervalReader interface {
	// EachRecord calls add with the id, the description, the letters and the line of each interval of an input, which
	// is not compressed. The letters may be changed when add has returned. An error of add ends it.
	EachRecord(r io.Reader, name string, add func(id, description, letters []byte, line int) error) error
}

// ErrNoGenome is the cause if an input has intervals and [Options].Intervals is nil.
var ErrNoGenome = errors.New("intervals (BED), which need the sequences that they are of")

// Options say how to read. The zero value infers the format from the input, converts sequences to upper case and
// accepts every letter.
type Options struct {
	Format Format // Auto by default
	// what says nothing of its format is TSV if its first line has a tab, CSV if that is a header, else a text per line
	Texts     bool
	Case      Case      // of lower-case letters; CaseAuto by default
	Ambiguous Ambiguity // AmbiguousBreak by default
	// an id may occur twice in an input, since nothing refers to records by id, as a table of labels does
	RepeatedIDs bool
	// of the headers of sequences only ids are kept: sets have neither descriptions nor labels of them
	IDsOnly bool
	// records need no labels: ids stay ids, also where they are the labels, and a record may have several labels, of which
	// Set.Labels has the first
	OptionalLabels bool
	// what the letters are read as, see the package comment; "" follows the letters
	Alphabet stringkernel.Alphabet
	// AllBatches: the records of the first collection decide what the letters and their case are, for all
	FirstDecides bool
	// most letters, and most records, accepted; 0 and anything above the constants mean MaxLetters and MaxRecords. An
	// input that would exceed half of the memory is an error, too
	MaxLetters int
	// TSV, CSV, JSONL: where text, label and id are; KeLP: Text is the name of a representation
	Columns Columns
	// names of further values, which every record has: of columns of TSV and CSV, or their numbers, of fields of JSONL
	// as in Columns, and NAME of NAME=X in a header; see Set.Fields
	Fields []string
	// names of columns of numbers, as in Fields: they are appended to the letters of each record, which kernels of
	// table compare (stringkernel.AppendNumber). NAME=LEVEL is 1 where the column NAME has that value, else 0. [ReadAll]
	// also takes patterns: see [Collection].Columns
	Numbers []string
	Beside  *Beside  // numbers of records that are in a file of their own; may be nil
	own     []string // of Numbers, that are not of Beside
	// TSV, CSV: there need be no column of text, and the first line is a header unless Columns.Header says no
	OptionalText bool
	// names that a model was trained on: each is used where Columns has none and the input has it
	Trained Columns
	// format of text that a model was trained on: of inputs whose names imply none, or only text
	TrainedFormat Format
	// KeLP: the name of the representation where Columns.Text is empty; "" is the first tree
	KeLPText string
	// counts the bytes that have been read of the inputs as they are stored, compressed or not; may be nil
	Read *atomic.Int64
	// JSONL: the label may be a list of strings or numbers, all of which are in Set.LabelSets; FastText: there may be
	// several labels
	LabelLists bool
	// BED: cuts the letters of intervals; nil: an input of intervals is an error whose cause is ErrNoGenome
	Intervals IntervalReader
	HTML      bool // text formats: documents are HTML, and their text is kept
	// text formats: documents are trees, if the syntax is not ""; DotBracket always is
	Tree trees.Options
	// of the input: by default what a document of XML or HTML declares, otherwise utf-8; bytes: text is not checked;
	// utf-16; else a name of the WHATWG Encoding Standard, such as latin1
	Encoding string
}

// check returns an error that names the first option out of range.
func (o Options) check() error {
	if err := o.Alphabet.Check(); err != nil {
		return fmt.Errorf("seqio: %w", err)
	}
	if o.MaxLetters < 0 {
		return fmt.Errorf("seqio: MaxLetters = %d, want ≥ 0", o.MaxLetters)
	}
	if _, err := o.labelIn(); err != nil {
		return fmt.Errorf("seqio: label: %w", err)
	}
	return cmp.Or(o.Format.Check(), o.Case.Check(), o.Ambiguous.Check(), o.Columns.Header.Check(),
		o.Columns.Delimiter.Check(), CheckEncoding(o.Encoding), o.checkTree())
}

// labelIn says where labels are in headers.
func (o Options) labelIn() (lines.HeaderLabel, error) {
	return lines.ParseHeaderLabel(o.Columns.Label, o.Trained.Label)
}

// CheckEncoding returns an error unless [Options].Encoding may have that value.
func CheckEncoding(name string) error { return documents.CheckEncoding(name) }

// documents returns the options of the parser of a text format.
func (o Options) documents(format Format) documents.Options {
	d := documents.Options{
		Columns: documents.Columns{Text: o.Columns.Text, Label: o.Columns.Label, ID: o.Columns.ID,
			Header: string(o.Columns.Header), Delimiter: string(o.Columns.Delimiter)},
		Trained: documents.Columns{Text: o.Trained.Text, Label: o.Trained.Label, ID: o.Trained.ID},
		Fields:  slices.Concat(o.Fields, o.own), LabelLists: o.LabelLists, OptionalText: o.OptionalText,
		Nested: o.Tree.Syntax == trees.JSON, Encoding: o.Encoding, Limit: o.limit(),
	}
	if o.OptionalLabels || o.IDsOnly {
		d.LabelLists = true // nobody reads them all
	}
	d.LabelIn, _ = o.labelIn() // checked by Options.check
	if format == KeLP && d.Text == "" {
		d.Text = o.KeLPText
	}
	return d
}

// limit returns the number of letters that are accepted; records are limited to that and MaxRecords.
func (o Options) limit() int {
	if o.MaxLetters == 0 || o.MaxLetters > MaxLetters {
		return MaxLetters
	}
	return o.MaxLetters
}

// Columns say where the parts of a document are in [TSV], [CSV] and [JSONL]. An empty name means the default, “text”,
// “label” or “id”; of these only the text is required. A column named here is required. Where no column has
// that name, a number is a column of TSV and CSV, counted from 1. In JSONL a.b is the member b of the object a, unless
// there is a member a.b.
//
// Of formats with headers, such as FASTA, Label is where the label is in the header: id for the id, regex:PATTERN for a
// part of it (see [ParseHeaderPattern]), any other NAME for X of NAME=X. Records whose ids are labels are named by
// their numbers (1-based), unless ids have to be distinct or labels are optional.
type Columns struct {
	Text   string `json:"text,omitempty"`
	Label  string `json:"label,omitempty"`
	ID     string `json:"id,omitempty"`
	Header Header `json:"-"` // HeaderAuto by default
	// of the columns of CSV, and of TSV that has commas, semicolons or bars; DelimiterAuto by default
	Delimiter Delimiter `json:"-"`
}

// Delimiter separates the columns of [TSV] and [CSV].
type Delimiter string

// DelimiterAuto is what the line sep=X of spreadsheets says, else the one of comma, semicolon, tab and bar between
// which the first line has the name of the text or of the label, or that alone cuts the first lines into as many
// columns each, else the usual one; "auto" means the same.
const DelimiterAuto Delimiter = ""

// Check returns an error unless it is empty, auto, comma, semicolon, tab or bar.
func (d Delimiter) Check() error {
	if names := documents.Delimiters(); d != DelimiterAuto && d != "auto" && !slices.Contains(names, string(d)) {
		return fmt.Errorf("seqio: delimiter = %q, want auto, %s", string(d), strings.Join(names, ", "))
	}
	return nil
}

// ErrDelimiter is the cause if the columns of a table may be separated in two ways, or if there is one column and
// another is asked for: set [Columns].Delimiter.
var ErrDelimiter = documents.ErrDelimiter

// Header says whether the first line of [TSV] and [CSV] names the columns.
type Header string

// The zero value is HeaderAuto.
const (
	// CSV: yes. TSV: if one of its cells is the name of the text or of the label; "auto" means the same
	HeaderAuto Header = ""
	HeaderYes  Header = "yes" // it does
	HeaderNo   Header = "no"  // it is a record
)

// Check returns an error if it is not one of the constants above.
func (h Header) Check() error {
	if h != HeaderAuto && h != "auto" && h != HeaderYes && h != HeaderNo {
		return fmt.Errorf("seqio: header = %q, want auto, yes or no", string(h))
	}
	return nil
}

// checkTree returns an error if the options for trees are out of range or go against others.
func (o Options) checkTree() error {
	tree := o.treeOptions(o.Format)
	switch {
	case tree.Syntax == "":
		return nil
	case o.Format == DotBracket && !slices.Contains([]trees.Syntax{"", trees.DotBracket, trees.Graph}, o.Tree.Syntax):
		return fmt.Errorf("seqio: trees in %s, but the format has %s", o.Tree.Syntax, trees.DotBracket)
	case o.HTML:
		return errors.New("seqio: documents that are trees cannot be stripped of HTML")
	}
	if err := tree.Check(); err != nil {
		return fmt.Errorf("seqio: %w", err)
	}
	return nil
}

// checkFormat returns an error if what an input turned out to be does not go with the options for trees and for KeLP.
func (o Options) checkFormat(name string, format Format) error {
	if o.Tree.Syntax != "" && !format.Text() {
		return lines.Errorf(name, 1, "%s holds sequences, want trees; choose text, tsv, csv, jsonl, documents, kelp "+
			"or dot-bracket", format)
	}
	if format == KeLP && o.Columns.Text != "" && o.KeLPText != "" && o.Columns.Text != o.KeLPText {
		return lines.Errorf(name, 0, "text %s asked for, but the model was trained with text %s",
			lines.Quote(o.Columns.Text), lines.Quote(o.KeLPText))
	}
	o.Format = format
	if err := o.checkTree(); err != nil {
		return &lines.Error{File: name, Err: err}
	}
	return nil
}

// treeOptions says how the documents of a format are read as trees; its syntax is "" if they are not.
func (o Options) treeOptions(format Format) trees.Options {
	tree := o.Tree
	if format == DotBracket && tree.Syntax != trees.Graph {
		tree.Syntax = trees.DotBracket
	}
	return tree
}

// treeSuffixes imply the formats of inputs that hold trees.
var treeSuffixes = map[string]Format{
	".xml": Documents, ".html": Documents, ".htm": Documents, ".xhtml": Documents, ".svg": Documents,
	".json": Documents, ".mrg": Documents, ".ptb": Documents,
	".nwk": Lines, ".newick": Lines, ".tre": Lines, ".tree": Lines, ".trees": Lines,
}

// namedFormat returns the format that an input has whatever its first bytes are: that of training, or that which the
// name of an input of trees implies, else Options.Format.
func (o Options) namedFormat(name string) Format {
	byName := FormatByName(name)
	if o.Format == Auto && o.TrainedFormat.Text() && (byName == Auto || byName == Lines) {
		return o.TrainedFormat
	}
	if o.Format != Auto && o.Format != "auto" || o.Tree.Syntax == "" || byName != Auto {
		return o.Format
	}
	if format := treeSuffixes[filepath.Ext(lines.WithoutCompression(name))]; format != Auto {
		return format
	}
	if o.Tree.Syntax == trees.DotBracket || o.Tree.Syntax == trees.Graph {
		return DotBracket
	}
	return o.Format
}
