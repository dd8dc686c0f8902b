package documents

import (
	"io"
)

// Lines reads every line as a record named by its number.
func (p *Parser) Lines(r io.Reader) error {
	in := p.wholeLines(r)
	for {
		line, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := p.checkLine(line, in.Line); err != nil {
			return err
		}
		if err := p.Document(Document{Text: line, Line: in.Line}); err != nil {
			return err
		}
	}
}
