package documents

import (
	"bytes"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// DotBracket reads records “>id description”, a sequence, its structure. The label is that of FASTA. Blank lines are
// skipped.
func (p *Parser) DotBracket(r io.Reader) error {
	var record rnaRecord
	err := p.eachFilled(r, lines.TrimRight, func(line []byte, number int) error {
		if line[0] != '>' {
			return record.add(p, line, number)
		}
		if err := record.end(p); err != nil {
			return err
		}
		return record.begin(p, line, number)
	})
	if err == nil {
		err = record.end(p)
	}
	return err
}

// rnaRecord is the record being read.
type rnaRecord struct {
	id, label []byte
	guessed   bool
	fields    [][]byte
	text      []byte // as in the input, but for white space at the ends of lines
	line      int    // of its header; 0 before the first
	last      int    // the last line of text
	lines     int    // after the header
}

// begin takes a header.
func (r *rnaRecord) begin(p *Parser, line []byte, number int) error {
	header := lines.Trim(line[1:])
	id, rest := lines.CutWord(header)
	if p.LabelIn.IsLabel(id) {
		rest = header
	}
	if len(id) == 0 {
		return p.Errorf(number, "header without an id")
	}
	r.id = append(r.id[:0], id...)
	description := string(bytes.TrimSpace(rest))
	label, given, err := p.LabelIn.Of(string(id), description)
	if err != nil {
		return p.Errorf(number, "record %s: %w", lines.Quote(string(id)), err)
	}
	r.label, r.guessed = append(r.label[:0], label...), !given
	r.fields = r.fields[:0]
	for _, name := range p.Fields {
		value, given := lines.FieldOf(description, name)
		if !given {
			return p.Errorf(number, "record %s: %w", lines.Quote(string(id)), lines.MissingField(name, description))
		}
		r.fields = append(r.fields, []byte(value))
	}
	r.text = append(r.text[:0], line...)
	r.line, r.last, r.lines = number, number, 0
	return nil
}

// add takes a sequence or a structure.
func (r *rnaRecord) add(p *Parser, line []byte, number int) error {
	switch {
	case r.line == 0:
		return p.Errorf(number, "expected '>', found %s", lines.ByteName(line[0]))
	case r.lines == 2:
		return p.Errorf(number, "a third line of record %s, want a sequence and a structure", lines.Quote(string(r.id)))
	}
	if err := p.Fits(4*(len(r.text)+number-r.last+len(line)), number); err != nil {
		return err
	}
	r.text = append(r.text, bytes.Repeat([]byte{'\n'}, number-r.last)...) // blank lines count in errors
	r.text = append(r.text, line...)
	r.lines++
	r.last = number
	return nil
}

// end gives the record to the collector.
func (r *rnaRecord) end(p *Parser) error {
	if r.line == 0 {
		return nil
	}
	if r.lines == 0 {
		return p.Errorf(r.line, "record %s is empty, want a sequence and a structure", lines.Quote(string(r.id)))
	}
	return p.Document(Document{ID: r.id, Label: r.label, Guessed: r.guessed, Text: r.text, Line: r.line,
		Fields: r.fields})
}
