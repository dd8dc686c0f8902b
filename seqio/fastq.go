package seqio

import (
	"bytes"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// fastqParser reads FASTQ, a line or a part of a long line at a time.
type fastqParser struct {
	c       *collector
	state   fastqState
	header  []byte // the header line without '@' and blanks around it, for comparison with what follows '+'
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

// fastq reads records “@id description”, sequence, “+”, quality.
func (c *collector) fastq(r io.Reader) error {
	in, f := lines.NewReader(r), fastqParser{c: c}
	err := lines.Each(in.Next, func(p lines.Piece) error {
		switch f.state {
		case wantSequence:
			return f.sequenceLine(p, in.Line)
		case wantQuality:
			return f.qualityLine(p, in.Line)
		}
		return f.headerLine(p, in.Line)
	})
	if err != nil {
		return err
	}
	return f.end(in.Line)
}

func (f *fastqParser) headerLine(p lines.Piece, line int) error {
	data := lines.TrimRight(p.Data)
	if len(data) == 0 {
		return nil
	}
	f.c.end()
	if data[0] != '@' {
		return f.c.Errorf(line, "expected '@', found %s", lines.ByteName(data[0]))
	}
	if !p.Last {
		return longHeader(f.c, line, p)
	}
	f.header = append(f.header[:0], lines.Trim(data[1:])...)
	f.state, f.wrapped, f.quality = wantSequence, 0, 0
	return f.c.header(data[1:], line)
}

func (f *fastqParser) sequenceLine(p lines.Piece, line int) error {
	if p.First && len(p.Data) > 0 && p.Data[0] == '+' {
		return f.plusLine(p, line)
	}
	if p.First && len(lines.TrimRight(p.Data)) > 0 {
		f.wrapped++
	}
	return f.c.sequence(p, line)
}

// plusLine takes the line between sequence and quality: '+', alone or with the id or the whole header repeated.
func (f *fastqParser) plusLine(p lines.Piece, line int) error {
	repeated := lines.Trim(p.Data[1:])
	if !p.Last || len(repeated) > 0 && !bytes.Equal(repeated, f.header) && string(repeated) != f.c.id {
		return f.c.Errorf(line, "what follows '+' differs from the header")
	}
	f.state = wantQuality
	if f.c.length == 0 {
		f.state = wantHeader
	}
	return nil
}

func (f *fastqParser) qualityLine(p lines.Piece, line int) error {
	data := lines.TrimRight(p.Data)
	if bad := lines.CheckVisible(data); bad < len(data) {
		if data[bad] == '\r' {
			return f.c.Errorf(line, "%w", lines.ErrLoneCR)
		}
		return f.c.Errorf(line, "%s in the quality; want bytes '!' to '~'", lines.ByteName(data[bad]))
	}
	if len(data) < len(p.Data) && !p.Last {
		return f.c.Errorf(line, "white space inside a quality line")
	}
	f.quality += len(data)
	if !p.Last && f.quality <= f.c.length {
		return nil
	}
	if f.quality > f.c.length || f.quality < f.c.length && (f.wrapped == 1 || len(data) == 0 && p.First) {
		return f.c.Errorf(line, "%d qualities for %d letters", f.quality, f.c.length)
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
		return f.c.Errorf(line, "the record is cut off: no '+' line")
	case wantQuality:
		return f.c.Errorf(line, "the record is cut off: %d qualities for %d letters", f.quality, f.c.length)
	}
	return nil
}

// longHeader returns the error for header line that does not fit the buffer.
func longHeader(c *collector, line int, p lines.Piece) error {
	if bytes.IndexByte(p.Data, '\r') >= 0 {
		return c.Errorf(line, "%w", lines.ErrLoneCR)
	}
	return c.Errorf(line, "header line of %d bytes or more", lines.BufferSize)
}
