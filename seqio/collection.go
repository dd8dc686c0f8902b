package seqio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Input is one of several inputs that are read together.
type Input struct {
	Path   string    // a file or a folder, or the name of Reader in errors
	Reader io.Reader // read in place of the file, if it is not nil
	Label  string    // of all its records, in place of those in the input, unless it is empty

	class, classBy string // of records without a label, and what it is from, for a file of a folder
	operand        int    // number of the folder that it is a file of, or its own, among those to read
}

// Collection is the records of several inputs in one corpus.
type Collection struct {
	Corpus *stringkernel.Corpus // all records, in the order of the inputs; the sets share its letters
	Sets   []*Set               // one per input, or part of an input of [AllBatches]

	// Case is what became of lower-case letters: CaseUpper or CaseKept, or CaseAuto where there are both sequences, in
	// upper case, and text, as written
	Case Case
	// Columns is what patterns of [Options].Numbers stood for, in the order of the columns: one * is any letters, as in
	// gene_*, A..B is the columns from A to B, each by name. A column of words, at most 50 different ones, is
	// NAME=WORD for each of them. Nil without patterns. Columns of text, label, id and Fields are none of these
	Columns map[string][]string
	Numbers []string // the columns of numbers beside the letters of each record, without patterns
	Foreign int      // letters of the other nucleic acid: U read as T, or T as U

	alphabet stringkernel.Alphabet // that the letters look like; "" until it is detected
}

// DetectAlphabet returns what the letters look like, see the package comment. It looks at them once. It is not safe for
// concurrent use.
func (c *Collection) DetectAlphabet() stringkernel.Alphabet {
	if c.alphabet == "" {
		c.alphabet = stringkernel.Bytes
		if !slices.ContainsFunc(c.Sets, func(s *Set) bool { return s.Format.Text() }) {
			c.alphabet = DetectAlphabet(c.Corpus)
		}
	}
	return c.alphabet
}

// Settled returns the options that the collection was read with, with what reading has settled: the case of letters,
// which representation of KeLP is the text, and where labels are in headers. A model remembers them.
func (c *Collection) Settled(o Options) Options {
	o.Case = c.Case
	of := func(formats ...Format) bool {
		return slices.ContainsFunc(c.Sets, func(s *Set) bool { return slices.Contains(formats, s.Format) })
	}
	if of(KeLP) {
		o.KeLPText = cmp.Or(o.Columns.Text, o.KeLPText)
	}
	if !of(TSV, CSV, JSONL, Parquet) {
		label := o.Columns.Label
		if label == "id" || slices.ContainsFunc(c.Sets, func(s *Set) bool { return s.byIDs }) {
			label = lines.WordAsLabel
		}
		o.Columns = Columns{}
		if of(FASTA, FASTQ, DotBracket, BED) {
			o.Columns.Label = label
		}
	}
	return o
}

// Labels returns the label of every record, "" where it has none; not to be modified.
func (c *Collection) Labels() []string {
	if len(c.Sets) == 1 && c.Sets[0].Labels != nil {
		return slices.Clip(c.Sets[0].Labels)
	}
	labels := make([]string, 0, c.Corpus.Len())
	for _, s := range c.Sets {
		for i := range s.Len() {
			labels = append(labels, s.Label(i))
		}
	}
	return labels
}

// Field returns the value of every record in one of the [Options].Fields, given by its number there.
func (c *Collection) Field(k int) []string {
	values := make([]string, 0, c.Corpus.Len())
	for _, s := range c.Sets {
		values = append(values, s.Fields[k]...)
	}
	return values
}

// Part returns the records of one of the inputs that were read (0-based), such as a folder, as one set.
func (c *Collection) Part(input int) *Set {
	part, before, records := &Collection{alphabet: c.alphabet}, 0, 0
	for _, s := range c.Sets {
		switch {
		case s.operand < input:
			before += s.Len()
		case s.operand == input:
			part.Sets = append(part.Sets, s)
			records += s.Len()
		}
	}
	part.Corpus = c.Corpus.Slice(before, before+records)
	return part.whole(part.Sets[0].Source)
}

// Locate returns the set of record i and its number there, both 0-based.
func (c *Collection) Locate(i int) (*Set, int) {
	for _, s := range c.Sets {
		if i < s.Len() {
			return s, i
		}
		i -= s.Len()
	}
	panic(fmt.Sprintf("record %d of %d", i, c.Corpus.Len())) // indices come from the corpus
}

// Errorf returns an error about record i that names its input and line.
func (c *Collection) Errorf(i int, format string, args ...any) error {
	set, j := c.Locate(i)
	return set.Errorf(j, format, args...)
}

// Placed returns a [stringkernel.RecordError] about a record of the corpus with input and line, any other error as it
// is.
func (c *Collection) Placed(err error) error {
	var about *stringkernel.RecordError
	if errors.As(err, &about) && about.Record < c.Corpus.Len() && c.Corpus.Name(about.Record) == about.Name {
		return c.Errorf(about.Record, "%w", about.Err)
	}
	return err
}

// Set is the records of one input: a corpus, whose names are the ids, and what else is known of each record. All slices
// that are not nil have Corpus.Len() entries.
type Set struct {
	Source string               // the input's name, as it appears in errors
	Format Format               // the format that was read, never Auto; "" if the set comes from elsewhere
	Corpus *stringkernel.Corpus // ids and sequences
	// header text after the id, without surrounding white space; nil for text formats and with Options.IDsOnly
	Descriptions []string
	Labels       []string // "" where a record has none; nil if no record has one
	// Reuters, KeLP, JSONL and FastText with Options.LabelLists: all labels of a document, the first of which is in
	// Labels (JSONL: nil where the label is not a list); nil for other formats
	LabelSets [][]string
	// values of Options.Fields, [field][record]: not empty, without blanks around them
	Fields      [][]string
	ColumnNames []string // TSV, CSV: all names in the header, nil without one
	Lines       []int    // 1-based line at which each record begins; nil if the set comes from elsewhere

	layout   string                // what is to be said of the format, if its name is not enough
	operand  int                   // number of its input among those that were read
	classBy  string                // where the labels are from, if they are not from the records
	trained  string                // NAME of NAME=X that labels of the training data were from
	guessed  []bool                // the label is the first word of a description; nil for text formats
	byOrder  bool                  // the label is the first of two columns, which have no names
	byIDs    bool                  // labels are what are or were ids
	unnamed  bool                  // some records have no id
	before   int                   // records of the input before it
	common   bool                  // all records have the label of the Input
	folder   bool                  // Source is a folder, and ids are the paths of files in it
	alphabet stringkernel.Alphabet // that the letters look like; "" if they were not looked at
	start    int                   // letters before it, as the line marks count them
}

// Operand returns which of the inputs that were read together the set is from (0-based): of a folder there may be
// several sets.
func (s *Set) Operand() int { return s.operand }

// FormatName names the format that was read, and what is unusual about it.
func (s *Set) FormatName() string { return cmp.Or(s.layout, s.Format.Name()) }

// Len returns the number of records n.
func (s *Set) Len() int { return s.Corpus.Len() }

// Label returns the label of record i (0-based), "" if it has none.
func (s *Set) Label(i int) string {
	if s.Labels == nil {
		return ""
	}
	return s.Labels[i]
}

// Errorf returns an error about record i (0-based) that names the input, the record's line and its id. The format may
// use %w.
func (s *Set) Errorf(i int, format string, args ...any) error {
	e := &Error{File: s.Source, Err: fmt.Errorf(format, args...)}
	if s.Lines != nil {
		e.Line = s.Lines[i]
	}
	switch {
	case s.folder:
		e.File, e.Line = filepath.Join(s.Source, filepath.FromSlash(s.Corpus.Name(i))), 0
	case s.Format == Documents:
		e.Line = 0
	case !s.Format.Text() || s.Corpus.Name(i) != strconv.Itoa(e.Line):
		e.Record = s.Corpus.Name(i)
	}
	return e
}

// DetectAlphabet returns what the letters look like, see the package comment: those of all inputs that were read
// together.
func (s *Set) DetectAlphabet() stringkernel.Alphabet {
	switch {
	case s.alphabet != "":
		return s.alphabet
	case s.Format.Text():
		return stringkernel.Bytes
	}
	return DetectAlphabet(s.Corpus)
}

// Error is an error in an input. Its text is one line: file, line and record as far as they are known, then the
// cause.
type Error = lines.Error

// jsonList names the layout of JSONL that is one list of objects.
const jsonList = "a JSON list"
