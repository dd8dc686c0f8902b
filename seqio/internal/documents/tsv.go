package documents

import (
	"bytes"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// TSV reads a record per line, tabs between the columns and no quotes,. Lines without any byte are skipped.
func (p *Parser) TSV(r io.Reader) error {
	in := p.wholeLines(r)
	var cells [][]byte
	var t *table
	for {
		line, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		if err := p.checkLine(line, in.Line); err != nil {
			return err
		}
		if len(line) > lines.BufferSize {
			if err := p.Fits(cellBytes*bytes.Count(line, []byte{'\t'}), in.Line); err != nil {
				return err
			}
		}
		cells = lines.CutTabs(cells, line)
		if t == nil {
			var header bool
			if t, header, err = newTable(stringsOf(cells), false, p.Columns); err != nil {
				return p.Errorf(in.Line, "%w", err)
			}
			if header {
				continue
			}
		}
		if err := t.checkWidth(p, len(cells), in.Line); err != nil {
			return err
		}
		d := Document{Text: cells[t.text], Line: in.Line}
		if t.label >= 0 {
			d.Label = cells[t.label]
		}
		if t.id >= 0 {
			d.ID = cells[t.id]
		}
		if err := p.Document(d); err != nil {
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
