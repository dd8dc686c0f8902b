package documents

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// CSV reads records with the quotes of RFC 4180 as encoding/csv cuts them, their fields separated by what Separator
// says: a quoted field may hold separators, doubled quotes and line ends, of which CRLF becomes LF; empty lines are
// skipped.
func (p *Parser) CSV(r io.Reader) error {
	// a record as it is read, twice as that grows, and two copies
	held := &heldReader{r: r, p: p, factor: 5, cells: p.Separator.Byte}
	in := csv.NewReader(held)
	in.Comma = rune(p.Separator.Byte)
	in.ReuseRecord, in.FieldsPerRecord = true, -1
	t := table{p: p, named: !p.Separator.Quoted}
	text := []byte{} // an empty cell is not nil
	var cells [][]byte
	err := lines.Each(in.Read, func(fields []string) error {
		held.held = 0 // for another record
		text, cells = text[:0], cells[:0]
		for k, field := range fields {
			start := len(text)
			text = append(text, field...)
			cells = append(cells, text[start:len(text):len(text)])
			if p.checkText(cells[k], 1) != nil {
				line, _ := in.FieldPos(k)
				return p.checkText(cells[k], line)
			}
		}
		line, _ := in.FieldPos(0)
		if t.width == 0 && bytes.IndexByte(text, '\r') >= 0 { // a file of lone CR is one record
			return p.Errorf(line, "%w", lines.ErrLoneCR)
		}
		return t.row(cells, line)
	})
	return csvError(p, err)
}

// csvError gives an error of encoding/csv the form of the package's own.
func csvError(p *Parser, err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	switch {
	case errors.Is(err, csv.ErrQuote) && parse.Line > parse.StartLine:
		return p.Errorf(parse.StartLine, "a quote that is opened in this record is not closed properly, up to line %d",
			parse.Line)
	case errors.Is(err, csv.ErrQuote):
		return p.Errorf(parse.StartLine, "column %d: unclosed quote, or text after it", parse.Column)
	case errors.Is(err, csv.ErrBareQuote):
		return p.Errorf(parse.Line, "column %d: a quote inside a field that does not begin with one", parse.Column)
	}
	return p.Errorf(parse.Line, "%w", parse.Err)
}

// TSV reads a record per line, tabs between the columns and no quotes. Empty lines are skipped.
func (p *Parser) TSV(r io.Reader) error {
	t := table{p: p}
	var cells [][]byte
	return p.eachFilled(r, whole, func(line []byte, number int) error {
		if err := p.fitsCells(line, '\t', number); err != nil {
			return err
		}
		cells = lines.CutTabs(cells, line)
		return t.row(cells, number)
	})
}

func whole(line []byte) []byte { return line }

// cellBytes is the memory of a cell while its line is read, in lists that are copied as they grow.
const cellBytes = 96

// fitsCells returns an error unless there is memory for the cells of a long line.
func (p *Parser) fitsCells(line []byte, separator byte, number int) error {
	if len(line) <= lines.BufferSize {
		return nil
	}
	return p.Fits(cellBytes*bytes.Count(line, []byte{separator}), number)
}
