package seqio

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

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
	Fields [][]string
	Lines  []int // 1-based line at which each record begins; nil if the set comes from elsewhere

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
