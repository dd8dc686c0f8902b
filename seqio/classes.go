package seqio

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// What labels are from, for LabelSource.
const (
	byFolder = "folder"
	byFile   = "file name"
)

// LabelSource names what the labels of a set are from: folder, file name, label=X, first word of the header, the only
// word or another part of it, column, field, topics or labels; "" if it has none, or those of its [Input].
func (s *Set) LabelSource() string {
	switch {
	case s.Labels == nil || s.common:
		return ""
	case s.classBy != "":
		return s.classBy
	case s.byIDs:
		return "the only word of the header"
	case s.guessed != nil && slices.Contains(s.guessed, true):
		if s.Format == BED {
			return "first word of the names"
		}
		return "first word of the header"
	case s.guessed != nil:
		if _, found := lines.FieldOf(s.Header(0), s.trained); found && s.trained != "" {
			return s.trained + "=X"
		}
		return "label=X"
	}
	switch s.Format {
	case TSV, CSV, Parquet:
		return "column"
	case JSONL:
		return "field"
	case Documents:
		return byFolder
	case Reuters:
		return "topics"
	case FastText:
		return "__label__"
	}
	return "labels"
}

// ErrNoSequences is the cause if all records of a collection are empty, as in FASTA of headers alone.
var ErrNoSequences = errors.New("headers without sequences: all records are empty")

// CheckTraining returns an error unless the records can be learned from: an [*Error] with the cause [ErrNoSequences],
// or a [*ProseError].
func (c *Collection) CheckTraining() error {
	if err := c.CheckSequences(); err != nil {
		return err
	}
	return c.checkProse()
}

// CheckColumns returns a [*ProseError] if only the order of two columns says which of them is the text, and the other
// order is more likely. It is for records that need no labels.
func (c *Collection) CheckColumns() error {
	var prose *ProseError
	if err := c.checkProse(); errors.As(err, &prose) && prose.Swapped() {
		return err
	}
	return nil
}

// CheckSequences returns an [*Error] with the cause [ErrNoSequences] if there are none. It is enough where labels are
// numbers, which are not prose.
func (c *Collection) CheckSequences() error {
	if c.Corpus.Letters() == 0 && !c.Sets[0].Format.Text() {
		return &Error{File: c.Sets[0].Source, Err: ErrNoSequences}
	}
	return nil
}

// ProseError says that what was taken for labels, the first words of descriptions or the first of two columns without
// names, are words of sentences, texts or ids.
type ProseError struct {
	File    string // of the first record
	Example string // the label of that
	Classes int
	Singles int // classes of one record
	Records int
	Columns bool // the labels are a column
	Texts   int  // of columns: the different texts
}

// Error names the ways to give labels.
func (e *ProseError) Error() string {
	labels := "first words of the descriptions, such as " + lines.Quote(e.Example) + ", are no labels"
	ways := "write label=X in the headers, or give a table of ids and labels, or a file for each class"
	if e.Columns {
		labels = "first of two columns, such as " + lines.Quote(e.Example) + ", is no label"
		ways = fmt.Sprintf("the second column has %s; say which column is the text and which the label",
			plural.Of(e.Texts, "different value"))
	}
	return fmt.Sprintf("%s: the %s: %d classes for %d records, %d of them with one record; %s", e.File, labels,
		e.Classes, e.Records, e.Singles, ways)
}

// Swapped reports whether the label is rather the other column: at most half as many texts as records are different.
func (e *ProseError) Swapped() bool { return e.Texts > 1 && 2*e.Texts <= e.Records }

// checkProse returns a ProseError if more than half of the classes that guessed labels make, two or more, have one
// record, or if there are more than 100 and more than a tenth as many as records. Few records in columns may be so. It
// also does if the labels repeat and the texts are rather labels: short, and at most half as many as the labels, so
// that each would have two labels on average.
func (c *Collection) checkProse() error {
	size, e := map[string]int{}, &ProseError{}
	for _, s := range c.Sets {
		for i := range s.Labels {
			if label := s.Label(i); s.isGuessed(i) && label != "" {
				if e.Records == 0 {
					e.File, e.Example, e.Columns = s.Source, label, s.byOrder
				}
				size[label]++
				e.Records++
			}
		}
	}
	for _, n := range size {
		if n == 1 {
			e.Singles++
		}
	}
	const many, few = 100, 4 // records in columns that may have a label each, as examples do
	e.Classes = len(size)
	prose := e.Classes > many && 10*e.Classes > e.Records || e.Classes > 1 && 2*e.Singles > e.Classes
	if e.Columns && (prose || c.hasShortTexts()) {
		e.Texts = c.texts()
	}
	if prose && (!e.Columns || e.Records > few || e.Swapped()) || !prose && e.Swapped() && 2*e.Texts <= e.Classes {
		return e
	}
	return nil
}

// hasShortTexts reports whether all records have the length of a label.
func (c *Collection) hasShortTexts() bool {
	const short = 40
	for i := range c.Corpus.Len() {
		if len(c.Corpus.Seq(i)) > short {
			return false
		}
	}
	return true
}

// isGuessed reports whether nothing but its place says that the label of record i is one.
func (s *Set) isGuessed(i int) bool { return s.byOrder || s.guessed != nil && s.guessed[i] }

// texts counts the different records whose labels are a column without a name.
func (c *Collection) texts() int {
	different := map[[sha256.Size]byte]struct{}{}
	for _, s := range c.Sets {
		for i := range s.Len() {
			if s.byOrder {
				different[sha256.Sum256(s.Corpus.Seq(i))] = struct{}{}
			}
		}
	}
	return len(different)
}
