package seqio

import (
	"bytes"
	"io"
	"strconv"
)

// parseLines reads every line as a record named by its number into c.
func parseLines(in *lineReader, c *collector) error {
	var number []byte
	for {
		p, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if p.first {
			if err := c.room(in.line); err != nil {
				return err
			}
			number = strconv.AppendInt(number[:0], int64(in.line), 10)
			c.id, c.line, c.open = c.text.add(number), in.line, true
		}
		data := p.data
		if p.last {
			data = bytes.TrimSuffix(data, []byte{'\r'})
		}
		if bytes.IndexByte(data, 0) >= 0 {
			return c.errorf(in.line, "NUL byte; is this a text?")
		}
		if bytes.IndexByte(data, '\r') >= 0 {
			return c.errorf(in.line, "%w", errLoneCR)
		}
		if _, err := c.raw(data, in.line); err != nil {
			return err
		}
		if p.last {
			if c.opt.KeepNewline {
				if _, err := c.raw([]byte{'\n'}, in.line); err != nil {
					return err
				}
			}
			c.end()
		}
	}
}
