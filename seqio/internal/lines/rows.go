package lines

import (
	"bytes"
	"io"
	"sync/atomic"
)

// Rows reads the lines of a table that are not blank.
type Rows struct {
	*Input
	*Reader
	Long bool   // a line may exceed the buffer; what does not fit is skipped
	Row  Piece  // the last line as it is in the input
	head []byte // the first bytes of the input
	held int64  // bytes that are kept of the lines so far
	read atomic.Int64
}

// OpenRows begins to read r or, if that is nil, the file of that name, as [Open] does.
func OpenRows(r io.Reader, name string) (*Rows, error) {
	t := new(Rows)
	in, err := OpenCounted(r, name, &t.read)
	if err != nil {
		return nil, err
	}
	head, err := in.Begin()
	if err == nil {
		err = in.RefuseBinary(head)
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	t.Input, t.Reader, t.head = in, NewReader(in), bytes.Clone(head)
	return t, nil
}

// ReadRows calls visit with the lines of r or, if that is nil, of the file of that name, without the comments, which
// begin with '#'.
func ReadRows(r io.Reader, name string, visit func(rows *Rows, line []byte) error) error {
	rows, err := OpenRows(r, name)
	if err != nil {
		return err
	}
	defer rows.Close()
	return Each(rows.Next, func(line []byte) error {
		if line[0] == '#' {
			return nil
		}
		return visit(rows, line)
	})
}

// BytesRead returns how many bytes of the input have been read, as it is stored.
func (t *Rows) BytesRead() int64 { return t.read.Load() }

// Next returns the next line without the white space at its end, valid until the next call, or io.EOF.
func (t *Rows) Next() ([]byte, error) {
	for {
		var err error
		if t.Row, err = t.Reader.Next(); err != nil {
			return nil, err
		}
		data := TrimRight(t.Row.Data)
		switch {
		case t.Long && !t.Row.First:
			continue
		case bytes.IndexByte(data, '\r') >= 0:
			return nil, t.Errorf("%w", ErrLoneCR)
		case !t.Long && !(t.Row.First && t.Row.Last):
			return nil, t.Errorf("line of %d bytes or more", BufferSize)
		case len(data) > 0:
			return data, nil
		}
	}
}

// Hold counts bytes that are kept of the last line. It returns an error if those of all lines exceed the limit.
func (t *Rows) Hold(bytes int) error {
	t.held += int64(bytes)
	if err := CheckHeld(t.held, "lines"); err != nil {
		return t.Errorf("%w", err)
	}
	return nil
}

// Errorf returns an error about the last line. The format may use %w.
func (t *Rows) Errorf(format string, args ...any) error {
	return Errorf(t.Name, t.Line, format, args...)
}

// Each calls visit with all that next returns before io.EOF.
func Each[T any](next func() (T, error), visit func(T) error) error {
	for {
		x, err := next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = visit(x)
		}
		if err != nil {
			return err
		}
	}
}
