package seqio

import (
	"bytes"
	"io"
)

// wholeLines gives the lines of a text whole, of whatever length. Only a line longer than the buffer of the input is copied.
type wholeLines struct {
	in   *lineReader
	c    *collector
	long []byte
}

// next returns the next line without its line end, LF or CRLF, valid until the next call; io.EOF behind the last one.
func (w *wholeLines) next() ([]byte, error) {
	p, err := w.in.next()
	if err != nil {
		return nil, err
	}
	line := p.data
	if !p.last {
		if line, err = w.join(p); err != nil {
			return nil, err
		}
	}
	return bytes.TrimSuffix(line, []byte{'\r'}), nil
}

// join puts the pieces of a long line together.
func (w *wholeLines) join(p piece) ([]byte, error) {
	w.long = append(w.long[:0], p.data...)
	for !p.last {
		var err error
		if p, err = w.in.next(); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF // the reader never ends inside a line
			}
			return nil, err
		}
		if len(p.data) > w.c.limit-len(w.long) {
			return nil, w.c.errorf(w.in.line, "line of more than %d bytes; split it", w.c.limit)
		}
		if err := w.c.fits(2*(len(w.long)+len(p.data)), w.in.line); err != nil {
			return nil, err
		}
		w.long = append(w.long, p.data...)
	}
	return w.long, nil
}
