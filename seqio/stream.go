package seqio

import (
	"cmp"
	"errors"
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Stream reads FASTA or FASTQ, compressed or not, and passes it to visit chunk by chunk, in order. Records may be of
// any length: memory is taken for one chunk and one buffer of the input, besides some 50 bytes per record to find
// duplicate ids: those of the first 2²¹ records must differ, later ones are not compared, so that memory has a bound.
// Where a record is cut depends on the options alone. name identifies the input in errors.
//
// An error in the input is an [*Error], see the package comment; chunks before it have been visited by then. An
// error of visit ends the stream and is returned as it is. The time is linear in the uncompressed size.
func Stream(r io.Reader, name string, opt StreamOptions, visit func(Chunk) error) error {
	in, err := lines.OpenCounted(r, name, opt.Read)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := refuseForeign(in, false); err != nil {
		return err
	}
	format, err := formatOf(in, Auto)
	if err != nil && !errors.Is(err, ErrUnknownFormat) {
		return err
	}
	if format != FASTA && format != FASTQ {
		return &Error{File: name, Line: 1, Err: errors.New("expected '>' or '@', want FASTA or FASTQ")}
	}
	return stream(name, format, opt, visit, func(c *collector) error {
		return parse(in, c)
	})
}

// StreamRecords passes records that are not text to visit as [Stream] does. each calls begin with the id of a record
// and then add with its letters, in pieces, which it may change when add has returned; an error of either ends it.
func StreamRecords(name string, opt StreamOptions, visit func(Chunk) error,
	each func(begin func(id string) error, add func(letters []byte) error) error) error {
	return stream(name, FASTA, opt, visit, func(c *collector) error {
		begin := func(id string) error {
			c.end()
			return c.begin([]byte(id), nil, 0)
		}
		return each(begin, func(letters []byte) error { return c.letters(letters, 0) })
	})
}

// stream passes the records that parse gives to a collector to visit.
func stream(name string, format Format, opt StreamOptions, visit func(Chunk) error,
	parse func(*collector) error) error {
	if opt.Size < 1 || opt.Overlap < 0 {
		return errors.New("seqio: a stream wants Size ≥ 1 and Overlap ≥ 0")
	}
	c := newCollector(Options{Case: opt.Case})
	c.start(Input{Path: name}, format)
	c.stream = &streamer{opt: opt, visit: visit, table: LetterTable(CaseKept, opt.Alphabet)}
	err := parse(c)
	if err == nil {
		c.end()
	}
	switch err = cmp.Or(c.stream.err, err); {
	case err != nil:
		return err
	case len(c.set.Lines) == 0:
		return &Error{File: name, Err: lines.ErrNoRecords}
	}
	return nil
}
