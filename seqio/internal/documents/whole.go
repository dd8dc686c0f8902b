package documents

import (
	"bytes"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// wholeLines reads the lines of a text whole, of any length. Only a line longer than the buffer of the input is copied.
type wholeLines struct {
	*lines.Reader
	p *Parser
}

func (p *Parser) wholeLines(r io.Reader) *wholeLines { return &wholeLines{lines.NewReader(r), p} }

// eachLine calls visit with every line of a text and its number.
func (p *Parser) eachLine(r io.Reader, visit func(line []byte, number int) error) error {
	in := p.wholeLines(r)
	return lines.Each(in.next, func(line []byte) error { return visit(line, in.Line) })
}

// eachFilled calls visit with the lines that hold something besides what trim takes off, each without it.
func (p *Parser) eachFilled(r io.Reader, trim func([]byte) []byte, visit func(line []byte, number int) error) error {
	return p.eachLine(r, func(line []byte, number int) error {
		line = trim(line)
		if len(line) == 0 {
			return nil
		}
		if err := p.checkLine(line, number); err != nil {
			return err
		}
		return visit(line, number)
	})
}

// next returns the next line without its line end, LF or CRLF, valid until the next call; io.EOF after the last one.
func (w *wholeLines) next() ([]byte, error) {
	p, err := w.Next()
	if err != nil {
		return nil, err
	}
	line := p.Data
	if !p.Last {
		if line, err = w.join(p); err != nil {
			return nil, err
		}
	}
	return bytes.TrimSuffix(line, []byte{'\r'}), nil
}

// join puts the pieces of a long line together, in its size at once: a text that grows takes twice as much.
func (w *wholeLines) join(p lines.Piece) ([]byte, error) {
	pieces, size := [][]byte{bytes.Clone(p.Data)}, len(p.Data)
	for !p.Last {
		var err error
		if p, err = w.Next(); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF // the reader never ends inside a line
			}
			return nil, err
		}
		if len(p.Data) > w.p.Limit-size {
			return nil, w.p.Errorf(w.Line, "line of more than %d bytes; split it", w.p.Limit)
		}
		size += len(p.Data)
		if err := w.p.Fits(2*size, w.Line); err != nil {
			return nil, err
		}
		pieces = append(pieces, bytes.Clone(p.Data))
	}
	return slices.Concat(pieces...), nil
}
