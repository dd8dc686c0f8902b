package documents

import "github.com/seqsvm/seqsvm/seqio/internal/lines"

// Lines reads every line as a record named by its number.
func (p *Parser) Lines(in *lines.Reader) error {
	return p.eachLineOf(in, func(line []byte, number int) error {
		if err := p.checkLine(line, number); err != nil {
			return err
		}
		return p.Document(Document{Text: line, Line: number})
	})
}
