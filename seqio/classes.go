package seqio

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// What labels are from, for LabelSource.
const (
	byFolder = "folder"
	byFile   = "file name"
)

// LabelSource names what the labels of a set are from: folder, file name, label=X, first word of the header, column,
// field, topics or labels; "" if it has none, or those of its [Input].
func (s *Set) LabelSource() string {
	switch {
	case s.Labels == nil || s.common:
		return ""
	case s.classBy != "":
		return s.classBy
	case s.guessed != nil && slices.Contains(s.guessed, true):
		if s.Format == BED {
			return "first word of the names"
		}
		return "first word of the header"
	case s.guessed != nil:
		return "label=X"
	}
	switch s.Format {
	case TSV, CSV:
		return "column"
	case JSONL:
		return "field"
	case Documents:
		return byFolder
	case Reuters:
		return "topics"
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

// CheckSequences returns an [*Error] with the cause [ErrNoSequences] if there are none. It is enough where labels are
// numbers, which are not prose.
func (c *Collection) CheckSequences() error {
	if c.Corpus.Letters() == 0 && !c.Sets[0].Format.Text() {
		return &Error{File: c.Sets[0].Source, Err: ErrNoSequences}
	}
	return nil
}

// ProseError says that what was taken for labels, the first words of descriptions, are words of sentences.
type ProseError struct {
	File    string // of the first record
	Example string // the label of that
	Classes int
	Singles int // classes of one record
	Records int
}

// Error names the three ways to give labels.
func (e *ProseError) Error() string {
	return fmt.Sprintf("%s: the first words of the descriptions, such as %s, are no labels: %d classes for %d "+
		"records, %d of them with one record; write label=X in the headers, or give a table of ids and labels, or a "+
		"file for each class", e.File, lines.Quote(e.Example), e.Classes, e.Records, e.Singles)
}

// checkProse returns a ProseError if more than half of the classes that first words of descriptions make, two or more,
// have one record, or if there are more than 100 and more than a tenth as many as records.
func (c *Collection) checkProse() error {
	size, e := map[string]int{}, &ProseError{}
	for _, s := range c.Sets {
		for i, guessed := range s.guessed {
			label := s.Label(i)
			if !guessed || label == "" {
				continue
			}
			if e.Records == 0 {
				e.File, e.Example = s.Source, label
			}
			size[label]++
			e.Records++
		}
	}
	for _, n := range size {
		if n == 1 {
			e.Singles++
		}
	}
	const many = 100
	if e.Classes = len(size); e.Classes > 1 && 2*e.Singles > e.Classes ||
		e.Classes > many && 10*e.Classes > e.Records {
		return e
	}
	return nil
}
