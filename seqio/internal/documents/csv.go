package documents

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// CSV reads comma-separated records with the quotes of RFC 4180. What a record is, is left to encoding/csv: a field in
// quotes may hold commas, quotes twice and line ends, of which CRLF becomes LF; lines without any byte are skipped.
func (p *Parser) CSV(r io.Reader) error {

	// a record as it is read, twice as that grows, and two copies
	held := &heldReader{r: r, p: p, factor: 5, cells: true}
	in := csv.NewReader(held)
	in.ReuseRecord, in.FieldsPerRecord = true, -1
	var t *table
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return csvError(p, err)
		}
		held.next()
		line, _ := in.FieldPos(0)
		if t != nil {
			err = t.checkWidth(p, len(fields), line)
		}
		if err == nil {
			err = checkFields(in, p, fields)
		}
		if err != nil {
			return err
		}
		if t == nil {
			var header bool
			if t, header, err = csvTable(fields, p.Columns); err != nil {
				return p.Errorf(line, "%w", err)
			}
			if header {
				continue
			}
		}
		if err := p.Document(t.csvDocument(p, fields, line)); err != nil {
			return err
		}
	}
}

// csvTable looks at the first record. A file of lone CR is one record, so that it is found out here.
func csvTable(first []string, want Columns) (*table, bool, error) {
	for _, field := range first {
		if i := strings.IndexByte(field, '\r'); i >= 0 {
			return nil, false, lines.ErrLoneCR
		}
	}
	return newTable(first, true, want)
}

// csvDocument makes a record of fields, through a buffer of the collector.
func (t *table) csvDocument(p *Parser, fields []string, line int) Document {
	buffer := p.cells[:0]
	take := func(k int) []byte {
		if k < 0 {
			return nil
		}
		start := len(buffer)
		buffer = append(buffer, fields[k]...)
		return buffer[start:len(buffer):len(buffer)]
	}
	d := Document{Text: take(t.text), Label: take(t.label), ID: take(t.id), Line: line}
	if t.id >= 0 && d.ID == nil {
		d.ID = []byte{}
	}
	p.cells = buffer
	return d
}

// checkFields checks the text of every field.
func checkFields(in *csv.Reader, p *Parser, fields []string) error {
	for k, field := range fields {
		p.cells = append(p.cells[:0], field...)
		line, _ := in.FieldPos(k)
		if err := p.checkText(p.cells, line); err != nil {
			return err
		}
	}
	return nil
}

// csvError gives an error of encoding/csv the form of the package's own.
func csvError(p *Parser, err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	switch {
	case errors.Is(err, csv.ErrQuote) && parse.Line > parse.StartLine:
		return p.Errorf(parse.StartLine, "a quote that is opened in this record is not closed well, up to line %d",
			parse.Line)
	case errors.Is(err, csv.ErrQuote):
		return p.Errorf(parse.StartLine, "column %d: a quote that is not closed, or text behind it", parse.Column)
	case errors.Is(err, csv.ErrBareQuote):
		return p.Errorf(parse.Line, "column %d: a quote inside a field that does not begin with one", parse.Column)
	}
	return p.Errorf(parse.Line, "%w", parse.Err)
}
