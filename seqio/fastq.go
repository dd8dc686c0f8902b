package seqio

import (
	"bytes"
	"io"
)

// fastqParser reads FASTQ, a line or a part of a long line at a time.
type fastqParser struct {
	c       *collector
	state   fastqState
	header  []byte // the header line without '@', for comparison with what follows '+'
	wrapped int    // sequence lines that are not blank
	quality int    // qualities so far
}

// fastqState is what the next line has to be.
type fastqState int

const (
	wantHeader fastqState = iota
	wantSequence
	wantQuality
)

// parseFASTQ reads records “@id description”, sequence, “+”, quality into c.
func parseFASTQ(in *lineReader, c *collector) error {
	f := &fastqParser{c: c}
	for {
		p, err := in.next()
		if err == io.EOF {
			return f.end(in.line)
		}
		if err != nil {
			return err
		}
		switch f.state {
		case wantHeader:
			err = f.headerLine(p, in.line)
		case wantSequence:
			err = f.sequenceLine(p, in.line)
		case wantQuality:
			err = f.qualityLine(p, in.line)
		}
		if err != nil {
			return err
		}
	}
}

func (f *fastqParser) headerLine(p piece, line int) error {
	data := trimRight(p.data)
	if len(data) == 0 {
		return nil
	}
	f.c.end()
	if data[0] != '@' {
		return f.c.errorf(line, "expected '@', found %s", byteName(data[0]))
	}
	if !p.last {
		return longHeader(f.c, line, p)
	}
	f.header = append(f.header[:0], data[1:]...)
	f.state, f.wrapped, f.quality = wantSequence, 0, 0
	return f.c.header(data[1:], line)
}

func (f *fastqParser) sequenceLine(p piece, line int) error {
	if p.first && len(p.data) > 0 && p.data[0] == '+' {
		return f.plusLine(p, line)
	}
	if p.first && len(trimRight(p.data)) > 0 {
		f.wrapped++
	}
	return f.c.sequence(p, line)
}

// plusLine takes the line between sequence and quality: '+', alone or with the id or the whole header repeated.
func (f *fastqParser) plusLine(p piece, line int) error {
	repeated := trimRight(p.data[1:])
	if !p.last || len(repeated) > 0 && !bytes.Equal(repeated, f.header) && string(repeated) != f.c.id {
		return f.c.errorf(line, "what follows '+' differs from the header")
	}
	f.state = wantQuality
	if f.c.length == 0 {
		f.state = wantHeader
	}
	return nil
}

func (f *fastqParser) qualityLine(p piece, line int) error {
	data := trimRight(p.data)
	if bad := checkVisible(data); bad < len(data) {
		if data[bad] == '\r' {
			return f.c.errorf(line, "%w", errLoneCR)
		}
		return f.c.errorf(line, "%s in the quality; want bytes '!' to '~'", byteName(data[bad]))
	}
	if len(data) < len(p.data) && !p.last {
		return f.c.errorf(line, "white space inside a quality line")
	}
	f.quality += len(data)
	if !p.last && f.quality <= f.c.length {
		return nil
	}
	if f.quality > f.c.length || f.quality < f.c.length && (f.wrapped == 1 || len(data) == 0 && p.first) {
		return f.c.errorf(line, "%d qualities for %d letters", f.quality, f.c.length)
	}
	if f.quality == f.c.length {
		f.state = wantHeader
	}
	return nil
}

// end checks that the input does not stop inside a record.
func (f *fastqParser) end(line int) error {
	switch f.state {
	case wantSequence:
		return f.c.errorf(line, "the record is cut off: no '+' line")
	case wantQuality:
		return f.c.errorf(line, "the record is cut off: %d qualities for %d letters", f.quality, f.c.length)
	}
	return nil
}

// longHeader returns the error for a header line that does not fit the buffer.
func longHeader(c *collector, line int, p piece) error {
	if bytes.IndexByte(p.data, '\r') >= 0 {
		return c.errorf(line, "%w", errLoneCR)
	}
	return c.errorf(line, "header line of %d bytes or more, want less", bufferSize)
}
