// Package state writes and reads the state of a solver between two iterations.
package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Coder writes numbers to a stream, or reads them from it, by the same calls: what a state is made of is listed once.
// After the first error it does nothing.
type Coder struct {
	w   io.Writer
	r   io.Reader
	err error
}

// Encoder returns a Coder that writes.
func Encoder(w io.Writer) *Coder { return &Coder{w: w} }

// Decoder returns a Coder that reads.
func Decoder(r io.Reader) *Coder { return &Coder{r: r} }

// Reading reports whether c reads.
func (c *Coder) Reading() bool { return c.r != nil }

// Err returns the first error.
func (c *Coder) Err() error { return c.err }

// Check makes it an error of what is read unless ok.
func (c *Coder) Check(ok bool, format string, args ...any) {
	if c.Reading() && c.err == nil && !ok {
		c.err = fmt.Errorf(format, args...)
	}
}

// move moves a pointer to a number, or a slice.
func (c *Coder) move(data any) {
	switch {
	case c.err != nil:
	case c.Reading():
		if c.err = binary.Read(c.r, binary.LittleEndian, data); errors.Is(c.err, io.EOF) {
			c.err = io.ErrUnexpectedEOF
		}
	default:
		c.err = binary.Write(c.w, binary.LittleEndian, data)
	}
}

// Int moves a number from 0 to most.
func (c *Coder) Int(v *int, most int) {
	number := int64(*v)
	c.move(&number)
	if c.Check(number >= 0 && number <= int64(most), "a number is %d, want 0 to %d", number, most); c.err == nil {
		*v = int(number)
	}
}

// Float moves a number, infinite or not.
func (c *Coder) Float(v *float64) {
	c.move(v)
	c.Check(!math.IsNaN(*v), "a number is NaN")
}

// Floats moves finite numbers, as many as there are in v.
func (c *Coder) Floats(v []float64) {
	for part := range slices.Chunk(v, 1<<12) {
		c.move(part)
		for _, x := range part {
			c.Check(!math.IsNaN(x) && !math.IsInf(x, 0), "a number is %v", x)
		}
	}
}

// Bytes moves bytes, as many as there are in v.
func (c *Coder) Bytes(v []byte) { c.move(v) }
