package seqio

import (
	"errors"
	"io"
)

// IntervalReader makes records of intervals: see genome.Cutter.
type IntervalReader interface {
	// EachRecord calls add with the id, the description, the letters and the line of each interval of an input, which
	// is not compressed. The letters may be changed when add has returned. An error of add ends it.
	EachRecord(r io.Reader, name string, add func(id, description, letters []byte, line int) error) error
}

// ErrNoGenome is the cause if an input has intervals and [Options].Intervals is nil.
var ErrNoGenome = errors.New("intervals (BED), which need the sequences that they are of")

// parseIntervals reads the records of intervals.
func parseIntervals(r io.Reader, c *collector) error {
	if c.opt.Intervals == nil {
		return &Error{File: c.set.Source, Err: ErrNoGenome}
	}
	return c.opt.Intervals.EachRecord(r, c.set.Source, func(id, description, letters []byte, line int) error {
		if err := c.begin(id, description, line); err != nil {
			return err
		}
		if err := c.letters(letters, line); err != nil {
			return err
		}
		c.end()
		return nil
	})
}
