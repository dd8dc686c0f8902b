package seqio

import (
	"bytes"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// document is a record of a text format as a parser meets it. The collector copies what it keeps.
type document struct {
	id    []byte // nil where the line number is the id
	label []byte // empty where there is none
	text  []byte
	line  int // 1-based, where the record begins

	topics []string // Reuters, KeLP, lists of JSONL: all labels
}

// document adds a record of a text format.
func (c *collector) document(d document) error {
	c.open = false // an error before the id is known names the line alone
	if err := c.room(d.line); err != nil {
		return err
	}
	label := bytes.Trim(d.label, " ")
	if err := c.checkName("id", d.id, d.line); err != nil {
		return err
	}
	if err := c.checkName("label", label, d.line); err != nil {
		return err
	}
	for _, topic := range d.topics {
		if err := c.checkName("label", []byte(topic), d.line); err != nil {
			return err
		}
	}
	if err := c.nameDocument(d.id, d.line); err != nil {
		return err
	}
	c.label, c.topics = c.intern(label), d.topics
	c.beside += topicBytes * len(d.topics)
	text := d.text
	if c.opt.HTML {
		if err := c.fits(6*len(text), d.line); err != nil { // the tokenizer's buffer grows to two texts and more
			return err
		}
		c.stripped = stripHTML(c.stripped[:0], text)
		text = c.stripped
	}
	if c.trees != nil {
		if len(text) > lines.BufferSize {
			if err := c.fits(c.trees.Needs(text), d.line); err != nil {
				return err
			}
		}
		record, err := c.trees.Append(c.tree[:0], text)
		if err != nil {
			return c.badTree(d, err)
		}
		c.tree, text = record, record
	}
	if _, err := c.raw(text, d.line); err != nil {
		return err
	}
	if c.set.Format == Lines && c.opt.KeepNewline {
		if _, err := c.raw([]byte{'\n'}, d.line); err != nil {
			return err
		}
	}
	c.end()
	return nil
}

// nameDocument opens a record under its id or, if that is nil, its line number. Numbers are looked up among the ids only where there are ids.
func (c *collector) nameDocument(id []byte, line int) error {
	c.numbered = id == nil
	if c.numbered {
		c.number = strconv.AppendInt(c.number[:0], int64(line), 10)
		id = c.number
	} else if len(id) == 0 {
		return c.errorf(line, "the id is empty")
	}
	if c.batch != nil && c.numbered {
		c.id = string(id) // not in the arena, which outlives the batch
	} else {
		c.id = c.idText.add(id)
		c.names += len(id)
	}
	c.open, c.line, c.length = true, line, 0
	switch {
	case c.numbered && c.set.Format != JSONL:
		return nil // so have all others
	case c.numbered && c.unique(line) != nil:
		return c.errorf(line, "the line number, which stands for the id, is the id of an earlier record")
	case c.numbered:
		return nil
	}
	return c.unique(line)
}

// checkName returns an error if an id or a label holds what would break a line of output.
func (c *collector) checkName(what string, name []byte, line int) error {
	for _, b := range name {
		if b < ' ' || b == 0x7f {
			return c.errorf(line, "%s in the %s %s", lines.ByteName(b), what, lines.Quote(string(name)))
		}
	}
	return nil
}

// Bytes of a label among all different ones, and of one in the list of a record.
const labelBytes, topicBytes = 96, 16

// intern returns a label as a string, one string for all equal ones.
func (c *collector) intern(label []byte) string {
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

// checkText returns an error if a text that begins at the beginning of a line holds NUL or what is not in the encoding.
func (c *collector) checkText(text []byte, line int) error {
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return c.badText(text, at, line, "NUL byte; is this a text?")
	}
	switch c.encoding {
	case encodingBytes:
	case encodingUTF8:
		if !utf8.Valid(text) {
			at := invalidUTF8(text)
			return c.badText(text, at, line, lines.ByteName(text[at])+" is not UTF-8; name the encoding, such as latin1, or convert the file")
		}
	default:
		if at := bytes.Index(text, []byte(string(utf8.RuneError))); at >= 0 {
			return c.badText(text, at, line, "not "+c.encoding+", or a replacement character")
		}
	}
	return nil
}

// badText reports the byte at an offset of a text by line and column, which is counted in bytes.
func (c *collector) badText(text []byte, at, line int, what string) error {
	before := text[:at]
	column := at - bytes.LastIndexByte(before, '\n')
	return c.errorf(line+bytes.Count(before, []byte{'\n'}), "column %d: %s", column, what)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8; there is one.
func invalidUTF8(text []byte) int {
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// checkLine is checkText of a line, which holds no CR.
func (c *collector) checkLine(line []byte, number int) error {
	if bytes.IndexByte(line, '\r') >= 0 {
		return c.errorf(number, "%w", lines.ErrLoneCR)
	}
	return c.checkText(line, number)
}

// parseDocument reads the whole input as one record.
func parseDocument(r io.Reader, c *collector, id, label string) error {
	held := &heldReader{r: r, c: c, factor: 3} // a text is copied as it grows
	text, err := io.ReadAll(io.LimitReader(held, int64(c.limit)+1))
	if err != nil {
		return err
	}
	if err := c.checkText(text, 1); err != nil {
		return err
	}
	return c.document(document{id: []byte(id), label: []byte(label), text: text, line: 1})
}
