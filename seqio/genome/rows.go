package genome

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// rowReader gives the lines of a table that are not blank, without the white space at their ends: what the readers of
// features and variants have in common.
type rowReader struct {
	in    *lines.Input
	lines *lines.Reader
	file  io.Closer // nil if it is the caller's
	held  int64     // bytes that are kept of the lines so far
}

// newRowReader begins to read an input, compressed or not.
func newRowReader(r io.Reader, name string) (*rowReader, error) {
	in, err := lines.Open(r, name)
	if err != nil {
		return nil, err
	}
	if _, err := in.Begin(); err != nil {
		in.Close()
		return nil, err
	}
	return &rowReader{in: in, lines: lines.NewReader(in.Reader)}, nil
}

// openRows begins to read a file, which is closed with the reader.
func openRows(path string) (*rowReader, error) {
	f, err := lines.OpenFile(path)
	if err != nil {
		return nil, err
	}
	t, err := newRowReader(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	t.file = f
	return t, nil
}

// close ends the reading.
func (t *rowReader) close() error {
	t.in.Close()
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// next returns the next line, valid until the call after, or io.EOF.
func (t *rowReader) next() ([]byte, error) {
	for {
		p, err := t.lines.Next()
		if err == io.EOF {
			return nil, err
		}
		if err != nil {
			return nil, t.in.Wrap(err)
		}
		if !p.First || !p.Last {
			return nil, t.errorf("line of %d bytes or more, want less", lines.BufferSize)
		}
		data := lines.TrimRight(p.Data)
		if bytes.IndexByte(data, '\r') >= 0 {
			return nil, t.errorf("%w", lines.ErrLoneCR)
		}
		if len(data) > 0 {
			return data, nil
		}
	}
}

// hold counts bytes that are kept of the line that was read last, and returns an error if all so far are more than may
// be kept.
func (t *rowReader) hold(bytes int) error {
	t.held += int64(bytes)
	if err := lines.CheckHeld(t.held, "lines"); err != nil {
		return t.errorf("%w", err)
	}
	return nil
}

// errorf returns an error about the line that was read last.
func (t *rowReader) errorf(format string, args ...any) error {
	return &seqio.Error{File: t.in.Name, Line: t.lines.Line, Err: fmt.Errorf(format, args...)}
}

// Strand is the strand of a sequence that something is on.
type Strand byte

// The strands.
const (
	Plus     Strand = '+' // read as the sequence stands
	Minus    Strand = '-' // read as its reverse complement
	NoStrand Strand = '.' // not known, or of no meaning
)

// String returns "+", "-" or ".".
func (s Strand) String() string { return string(rune(s)) }

// parseStrand reads the column of a strand; '?', which is GFF3 for a strand that matters and is not known, is NoStrand.
func parseStrand(column []byte) (Strand, error) {
	switch string(column) {
	case "+", "-", ".":
		return Strand(column[0]), nil
	case "?":
		return NoStrand, nil
	}
	return 0, fmt.Errorf("strand is %s, want '+', '-' or '.'", lines.Quote(string(column)))
}

// errNoName is the cause if a line does not name its sequence.
var errNoName = errors.New("the name of the sequence is empty")

// checkSeqName returns an error unless a column names a sequence as the id of a FASTA record does.
func checkSeqName(column []byte) error {
	if len(column) == 0 {
		return errNoName
	}
	for _, b := range column {
		if b <= ' ' || b == 0x7f {
			return fmt.Errorf("%s in the name of the sequence, %s", lines.ByteName(b), lines.Quote(string(column)))
		}
	}
	return nil
}

// parseCoordinate reads a position of at least least; what names it in the error.
func parseCoordinate(column []byte, what string, least int) (int, error) {
	n, err := strconv.Atoi(string(column))
	if err != nil || n < least {
		return 0, fmt.Errorf("%s is %s, want a whole number ≥ %d", what, lines.Quote(string(column)), least)
	}
	return n, nil
}
