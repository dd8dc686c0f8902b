package seqio

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// Document adds a record of a text format.
func (c *collector) Document(d documents.Document) error {
	c.open = false // an error before the id is known names the line alone
	if err := c.room(d.Line); err != nil {
		return err
	}
	label := bytes.Trim(d.Label, " ")
	if err := c.checkName("id", d.ID, d.Line); err != nil {
		return err
	}
	if err := c.checkName("label", label, d.Line); err != nil {
		return err
	}
	for _, topic := range d.Labels {
		if err := c.checkName("label", []byte(topic), d.Line); err != nil {
			return err
		}
	}
	if err := c.nameDocument(d); err != nil {
		return err
	}
	if err := c.documentFields(d); err != nil {
		return err
	}
	c.label, c.guessed, c.topics = c.Intern(label), d.Guessed, d.Labels
	c.beside += topicBytes * len(d.Labels)
	text := d.Text
	if c.opt.HTML {
		if err := c.Fits(6*len(text), d.Line); err != nil { // the tokenizer's buffer grows to two texts and more
			return err
		}
		c.stripped = documents.StripHTML(c.stripped[:0], text)
		text = c.stripped
	}
	if c.trees != nil {
		if len(text) > lines.BufferSize {
			if err := c.Fits(c.trees.Needs(text), d.Line); err != nil {
				return err
			}
		}
		record, err := c.trees.Append(c.tree[:0], text)
		if err != nil {
			return c.badTree(d, err)
		}
		c.tree, text = record, record
	}
	if err := c.Fits(4*len(text), d.Line); err != nil { // the line, its pieces, and two copies of the text
		return err
	}
	if _, err := c.raw(text, d.Line); err != nil {
		return err
	}
	c.end()
	return nil
}

// documentFields takes the values of Options.Fields and Options.Numbers.
func (c *collector) documentFields(d documents.Document) error {
	if all := len(c.opt.Fields) + len(c.opt.own); len(d.Fields) < all {
		return c.Errorf(d.Line, "no %s: the format, %s, has neither columns nor headers",
			slices.Concat(c.opt.Fields, c.opt.own)[len(d.Fields)], c.set.Format.Name())
	}
	c.fields = c.fields[:0]
	for k, name := range c.opt.Fields {
		if err := c.field(name, string(bytes.Trim(d.Fields[k], " ")), d.Line); err != nil {
			return err
		}
	}
	return c.takeNumbers(d.Line, func(k int, _ string) (string, error) {
		return string(bytes.Trim(d.Fields[len(c.opt.Fields)+k], " ")), nil
	})
}

// nameDocument opens a record under its id or, if that is nil, its number. Numbers are looked up among the ids only
// where there are ids.
func (c *collector) nameDocument(d documents.Document) error {
	id, line := d.ID, d.Line
	if c.numbered = id == nil; c.numbered {
		c.number = strconv.AppendInt(c.number[:0], int64(cmp.Or(d.Number, line)), 10)
		id = c.number
	} else if len(id) == 0 {
		return c.Errorf(line, "the id is empty")
	}
	if c.batch != nil && c.numbered {
		c.id = string(id) // not in the arena, which outlives the batch
	} else {
		c.id = string(id)
		c.names += len(id)
	}
	c.open, c.line, c.length = true, line, 0
	if c.numbered && !c.mayHaveIDs() {
		return nil
	}
	return c.unique(line)
}

// mayHaveIDs reports whether documents may have ids if others have not.
func (c *collector) mayHaveIDs() bool { return c.set.Format == JSONL }

// checkName returns an error if an id or a label holds what would break a line of output.
func (c *collector) checkName(what string, name []byte, line int) error {
	if at := lines.IndexControl(name, false); at >= 0 {
		return c.Errorf(line, "%s in the %s %s", lines.ByteName(name[at]), what, lines.Quote(string(name)))
	}
	return nil
}

// Bytes of a label among all different ones, and of one in the list of a record.
const labelBytes, topicBytes = 96, 16

// Intern returns a label as a string, one string for all equal ones.
func (c *collector) Intern(label []byte) string {
	if len(label) == 0 {
		return ""
	}
	if known, found := c.labels[string(label)]; found {
		return known
	}
	if c.labels == nil {
		c.labels = map[string]string{}
	}
	s := string(label)
	c.labels[s] = s
	c.names += labelBytes + len(s)
	return s
}

// badTree locates the error of a document that is not a tree. In documents of several lines, lines are counted.
func (c *collector) badTree(d documents.Document, err error) error {
	var e *trees.Error
	if !errors.As(err, &e) {
		return c.Errorf(d.Line, "%w", err)
	}
	before := d.Text[:e.Offset]
	if f := c.set.Format; f != Documents && f != DotBracket && (f != Lines || bytes.IndexByte(before, '\n') < 0) {
		return c.Errorf(d.Line, "byte %d of the tree: %w", e.Offset+1, e.Err)
	}
	return c.Errorf(d.Line+bytes.Count(before, []byte{'\n'}), "column %d: %w",
		e.Offset-bytes.LastIndexByte(before, '\n'), e.Err)
}
