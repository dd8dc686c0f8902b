package seqio

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// parseCSV reads comma-separated records with the quotes of RFC 4180 into c. What a record is, is left to encoding/csv: a field in quotes may hold commas,
// quotes twice and line ends, of which CRLF becomes LF; lines without any byte are skipped.
func parseCSV(r io.Reader, c *collector) error {
	held := &heldReader{r: r, c: c, factor: 5, cells: true} // a record as it is read, twice as that grows, and two copies
	in := csv.NewReader(held)
	in.ReuseRecord, in.FieldsPerRecord = true, -1
	var t *table
	for {
		fields, err := in.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return csvError(c, err)
		}
		held.next()
		line, _ := in.FieldPos(0)
		if t != nil {
			err = t.checkWidth(c, len(fields), line)
		}
		if err == nil {
			err = checkFields(in, c, fields)
		}
		if err != nil {
			return err
		}
		if t == nil {
			var header bool
			if t, header, err = csvTable(fields, c.opt.Columns); err != nil {
				return c.errorf(line, "%w", err)
			}
			if header {
				continue
			}
		}
		if err := c.document(t.csvDocument(c, fields, line)); err != nil {
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
	return newTable(first, CSV, want)
}

// csvDocument makes a record of fields, through a buffer of the collector.
func (t *table) csvDocument(c *collector, fields []string, line int) document {
	buffer := c.cells[:0]
	take := func(k int) []byte {
		if k < 0 {
			return nil
		}
		start := len(buffer)
		buffer = append(buffer, fields[k]...)
		return buffer[start:len(buffer):len(buffer)]
	}
	d := document{text: take(t.text), label: take(t.label), id: take(t.id), line: line}
	if t.id >= 0 && d.id == nil {
		d.id = []byte{}
	}
	c.cells = buffer
	return d
}

// checkFields checks the text of every field.
func checkFields(in *csv.Reader, c *collector, fields []string) error {
	for k, field := range fields {
		c.cells = append(c.cells[:0], field...)
		line, _ := in.FieldPos(k)
		if err := c.checkText(c.cells, line); err != nil {
			return err
		}
	}
	return nil
}

// csvError gives an error of encoding/csv the form of the package's own.
func csvError(c *collector, err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	c.open = false
	switch {
	case errors.Is(err, csv.ErrQuote) && parse.Line > parse.StartLine:
		return c.errorf(parse.StartLine, "a quote that is opened in this record is not closed well, up to line %d", parse.Line)
	case errors.Is(err, csv.ErrQuote):
		return c.errorf(parse.StartLine, "column %d: a quote that is not closed, or text behind it", parse.Column)
	case errors.Is(err, csv.ErrBareQuote):
		return c.errorf(parse.Line, "column %d: a quote inside a field that does not begin with one", parse.Column)
	}
	return c.errorf(parse.Line, "%w", parse.Err)
}
