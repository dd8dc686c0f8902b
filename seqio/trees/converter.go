package trees

import "fmt"

// Converter turns texts into records. It is for one goroutine at a time, and keeps the memory of the largest text.
type Converter struct {
	syntax  Syntax
	reader  reader
	builder builder
}

// reader reads the texts of a syntax.
type reader interface {
	read(text []byte, b *builder) error
}

// New returns a Converter, or the error of [Options.Check].
func New(o Options) (*Converter, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	count, _ := o.counted()
	c := &Converter{syntax: o.Syntax, builder: builder{count: count}}
	switch o.Syntax {
	case Penn:
		c.reader = new(pennReader)
	case Newick:
		c.reader = new(newickReader)
	case XML:
		c.reader = new(xmlReader)
	case HTML:
		c.reader = new(htmlReader)
	case JSON:
		c.reader = new(jsonReader)
	case DotBracket:
		c.reader = new(dotBracketReader)
	}
	return c, nil
}

// Append appends the record of a text to dst. An error in the text is an *[Error]; dst is then returned unchanged.
func (c *Converter) Append(dst, text []byte) ([]byte, error) {
	if c.syntax == Graph {
		return appendGraph(dst, text)
	}
	c.builder.w.Reset(dst)
	if err := c.reader.read(text, &c.builder); err != nil {
		return dst, err
	}
	return c.builder.w.Bytes(), nil
}

// Error is an error in a text.
type Error struct {
	Offset int   // 0-based, in bytes; the length of the text if it ends too early
	Err    error // what was found there and what was expected
}

// Error says what is wrong, at a 1-based byte.
func (e *Error) Error() string { return fmt.Sprintf("trees: byte %d: %v", e.Offset+1, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// errorAt returns an error about the byte at an offset.
func errorAt(offset int, format string, args ...any) error {
	return &Error{Offset: offset, Err: fmt.Errorf(format, args...)}
}

// at gives an error without a place one; nil stays nil.
func at(offset int, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Offset: offset, Err: err}
}

// found names the byte at an offset.
func found(text []byte, offset int) string {
	if offset >= len(text) {
		return "the end"
	}
	return fmt.Sprintf("%q", text[offset:offset+1])
}
