// Package lines has what all readers of files share: an input that is decompressed as it is read, its lines,
// checks of eight bytes at a time, and the errors that name a place in it.
package lines

import (
	"bytes"
	"io"
	"strings"
)

// BufferSize is the final size of the window on the input, and the limit of the length of a header line. The
// window begins small, to save memory for small inputs, and doubles.
const BufferSize, firstSize = 512 << 10, 16 << 10

// Piece is a line without its line end, or a part of a line that is longer than the buffer.
type Piece struct {
	Data        []byte // valid until the next call of next
	First, Last bool   // begins the line; ends it
}

// Reader cuts an input into lines. Where it cuts a long line depends on the line alone, not on the sizes of the reads.
type Reader struct {
	r          io.Reader
	buf        []byte
	start, end int  // what is read but not yet returned is buf[start:end]
	Line       int  // 1-based number of the line the last piece belongs to
	inside     bool // the last piece did not end its line
	err        error
}

// NewReader returns a Reader of the lines of r.
func NewReader(r io.Reader) *Reader { return &Reader{r: r, buf: make([]byte, firstSize)} }

// Next returns the next piece, io.EOF after the last one, or the error of the reader. A '\r' before the line end is
// part of the piece. A piece that does not end its line does not end in white space either, unless it is nothing else,
// and never in the '\r' of the line end.
func (l *Reader) Next() (Piece, error) {
	searched := 0
	for {
		if i := bytes.IndexByte(l.buf[l.start+searched:l.end], '\n'); i >= 0 {
			p := l.take(searched+i, true)
			l.start++
			return p, nil
		}
		searched = l.end - l.start
		switch {
		case l.err == io.EOF && (searched > 0 || l.inside):
			return l.take(searched, true), nil
		case l.err != nil:
			return Piece{}, l.err
		case searched == BufferSize:
			n := len(TrimRight(l.buf))
			if n == 0 {
				n = len(bytes.TrimSuffix(l.buf, []byte{'\r'})) // which may belong to the line end
			}
			return l.take(n, false), nil
		}
		l.fill()
	}
}

// take returns the next n bytes as a piece.
func (l *Reader) take(n int, last bool) Piece {
	p := Piece{Data: l.buf[l.start : l.start+n], First: !l.inside, Last: last}
	if p.First {
		l.Line++
	}
	l.start += n
	l.inside = !last
	return p
}

// fill reads more after buf[:end], moving what is left to the front when the end of the buffer is reached.
func (l *Reader) fill() {
	if l.end == len(l.buf) {
		to := l.buf
		if len(to) < BufferSize {
			to = make([]byte, 2*len(to))
		}
		l.end = copy(to, l.buf[l.start:l.end])
		l.buf, l.start = to, 0
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	l.err = err
}

// TrimRight drops blanks, tabs and carriage returns at the end of p.
func TrimRight(p []byte) []byte {
	n := len(p)
	for n > 0 && (p[n-1] == ' ' || p[n-1] == '\t' || p[n-1] == '\r') {
		n--
	}
	return p[:n]
}

// Trim drops blanks, tabs and carriage returns at both ends of p.
func Trim(p []byte) []byte {
	for len(p) > 0 && (p[0] == ' ' || p[0] == '\t' || p[0] == '\r') {
		p = p[1:]
	}
	return TrimRight(p)
}

// CutTabs cuts a line at its tabs, into columns[:0] so that nothing is allocated once that is large enough.
func CutTabs(columns [][]byte, line []byte) [][]byte {
	columns = columns[:0]
	for {
		i := bytes.IndexByte(line, '\t')
		if i < 0 {
			return append(columns, line)
		}
		columns, line = append(columns, line[:i]), line[i+1:]
	}
}

// CutWord cuts a text after its first word, which ends at a blank or a tab.
func CutWord(text []byte) (word, rest []byte) {
	for i, b := range text {
		if b == ' ' || b == '\t' {
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// FieldOf returns X of the first token name=X of a description, and whether there is one.
func FieldOf(description, name string) (value string, given bool) {
	if !strings.Contains(description, name+"=") {
		return "", false
	}
	for token := range strings.FieldsSeq(description) {
		if key, value, found := strings.Cut(token, "="); found && key == name {
			return value, true
		}
	}
	return "", false
}

// LabelOf returns X of the first token label=X of a description, else its first word, and whether label=X was there.
func LabelOf(description string) (label string, given bool) {
	if label, given = FieldOf(description, "label"); given {
		return label, true
	}
	if i := strings.IndexAny(description, " \t"); i >= 0 {
		return description[:i], false
	}
	return description, false
}
