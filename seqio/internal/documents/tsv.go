package documents

import (
	"bytes"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

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
