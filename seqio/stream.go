package seqio

import (
	"cmp"
	"errors"
	"io"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Chunk is a piece of a record of a stream. The chunks of a record follow one another, each beginning with the last
// letters of the one before, so that every window of a certain length lies in exactly one of them.
type Chunk struct {
	Record string // id
	Index  int    // of the record in the stream, 0-based
	Start  int    // 0-based place of the first letter in the record
	Seq    []byte // valid until the function it is given to returns
	Last   bool   // the record ends here; an empty record is one empty chunk
	// letters of the other nucleic acid that were read since the chunk before: U read as T, or T as U
	Foreign int
}

// StreamOptions say how a stream is cut. The zero value is not valid.
type StreamOptions struct {
	// new letters per chunk, at least 1: a chunk has Overlap + Size letters, the last of a record at most that many
	Size    int
	Overlap int  // letters that a chunk shares with the one before: the length of windows less 1
	Case    Case // of lower-case letters; CaseAuto: converted to upper case
	// of the model: U is read as T for DNA, T as U for RNA
	Alphabet stringkernel.Alphabet
	// counts the bytes that have been read of the input as it is stored, compressed or not; may be nil
	Read *atomic.Int64
}

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

// StreamFile streams a file as [Stream] does. A missing file, a directory and a file that may not be read are an
// [*Error].
func StreamFile(path string, opt StreamOptions, visit func(Chunk) error) error {
	return Stream(nil, path, opt, visit)
}

// streamer takes the letters of a collector and passes them on in chunks.
type streamer struct {
	opt     StreamOptions
	visit   func(Chunk) error
	table   *[256]byte // of letters that are read as others, nil if there are none
	foreign int        // letters of the other nucleic acid that it changed since the last chunk
	err     error      // of visit
	index   int        // of the record
	start   int        // of seq in the record
	seq     []byte
}

// add appends letters and returns them where they now are.
func (s *streamer) add(data []byte) []byte {
	s.seq = append(s.seq, data...)
	return s.seq[len(s.seq)-len(data):]
}

// convert changes letters that were added.
func (s *streamer) convert(added []byte) {
	if s.table == nil {
		return
	}
	for i, b := range added {
		if native := s.table[b]; native != b {
			added[i] = native
			if s.opt.Alphabet.Complementary() {
				s.foreign++
			}
		}
	}
}

// flush passes on all chunks of the record but the last.
func (s *streamer) flush(c *collector) error {
	full, at := s.opt.Overlap+s.opt.Size, 0
	for ; len(s.seq)-at > full && s.err == nil; at += s.opt.Size {
		s.give(c, s.seq[at:at+full], false)
	}
	if at > 0 {
		s.seq = s.seq[:copy(s.seq, s.seq[at:])]
	}
	return s.err
}

// end passes on the last chunk of the record.
func (s *streamer) end(c *collector) {
	if s.err == nil {
		s.give(c, s.seq, true)
	}
	s.seq, s.start = s.seq[:0], 0
	s.index++
}

func (s *streamer) give(c *collector, seq []byte, last bool) {
	s.err = s.visit(Chunk{Record: c.id, Index: s.index, Start: s.start, Seq: seq, Last: last, Foreign: s.foreign})
	s.foreign = 0
	s.start += s.opt.Size
}
