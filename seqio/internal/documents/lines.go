package documents

import "io"

// Lines reads every line as a record named by its number.
func (p *Parser) Lines(r io.Reader) error {
	return p.eachLine(r, func(line []byte, number int) error {
		if err := p.checkLine(line, number); err != nil {
			return err
		}
		return p.Document(Document{Text: line, Line: number})
	})
}
