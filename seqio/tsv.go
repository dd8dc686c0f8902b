package seqio

import (
	"bytes"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// parseTSV reads a record per line, tabs between the columns and no quotes, into c. Lines without any byte are skipped.
func parseTSV(in *lines.Reader, c *collector) error {
	whole := wholeLines{in: in, c: c}
	var cells [][]byte
	var t *table
	for {
		line, err := whole.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		if err := c.checkLine(line, in.Line); err != nil {
			return err
		}
		if len(line) > lines.BufferSize {
			if err := c.fits(cellBytes*bytes.Count(line, []byte{'\t'}), in.Line); err != nil {
				return err
			}
		}
		cells = lines.CutTabs(cells, line)
		if t == nil {
			var header bool
			if t, header, err = newTable(stringsOf(cells), TSV, c.opt.Columns); err != nil {
				return c.errorf(in.Line, "%w", err)
			}
			if header {
				continue
			}
		}
		if err := t.checkWidth(c, len(cells), in.Line); err != nil {
			return err
		}
		d := document{text: cells[t.text], line: in.Line}
		if t.label >= 0 {
			d.label = cells[t.label]
		}
		if t.id >= 0 {
			d.id = cells[t.id]
		}
		if err := c.document(d); err != nil {
			return err
		}
	}
}

// cellBytes is what a cell takes while its line is read, in lists that are copied as they grow.
const cellBytes = 96

func stringsOf(cells [][]byte) []string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = string(cell)
	}
	return out
}
