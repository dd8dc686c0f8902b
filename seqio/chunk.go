package seqio

import (
	"sync/atomic"

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
func (s *streamer) flush(record string) error {
	full, at := s.opt.Overlap+s.opt.Size, 0
	for ; len(s.seq)-at > full && s.err == nil; at += s.opt.Size {
		s.give(record, s.seq[at:at+full], false)
	}
	if at > 0 {
		s.seq = s.seq[:copy(s.seq, s.seq[at:])]
	}
	return s.err
}

// end passes on the last chunk of the record.
func (s *streamer) end(record string) {
	if s.err == nil {
		s.give(record, s.seq, true)
	}
	s.seq, s.start = s.seq[:0], 0
	s.index++
}

func (s *streamer) give(record string, seq []byte, last bool) {
	s.err = s.visit(Chunk{Record: record, Index: s.index, Start: s.start, Seq: seq, Last: last, Foreign: s.foreign})
	s.foreign = 0
	s.start += s.opt.Size
}
