package shards

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
)

// Set is the shards of a run, checked to be complete.
type Set struct {
	Run   Run
	files []*file // by number
	all   int     // pieces
	head  []byte  // of the undivided run, if the files have others
}

// file is the file of a shard.
type file struct {
	path string
	note *Note
	in   io.ReadCloser
	crc  hash.Hash32
}

// Open reads the notes of files, in any order, and returns an error unless they are all shards of one run, each once.
func Open(paths []string) (*Set, error) {
	var first *file
	var byNumber []*file
	for _, path := range paths {
		if strings.HasSuffix(path, Suffix) {
			return nil, &seqio.Error{File: path, Err: errors.New("the note of a shard: name the shard, without " + Suffix)}
		}
		note, err := ReadNote(path)
		if err != nil {
			return nil, err
		}
		f := &file{path: path, note: note}
		if first == nil {
			first, byNumber = f, make([]*file, note.Of)
		}
		if err := first.sameRun(f); err != nil {
			return nil, err
		}
		if other := byNumber[note.Number-1]; other != nil {
			return nil, &seqio.Error{File: path, Err: fmt.Errorf("%v, as %s is", note.Place, other.path)}
		}
		byNumber[note.Number-1] = f
	}
	if first == nil {
		return nil, errors.New("shards: no file")
	}
	if err := allThere(byNumber); err != nil {
		return nil, err
	}
	return &Set{Run: first.note.Run, files: byNumber, all: first.note.All, head: first.note.Head}, nil
}

// sameRun returns an error if another file is not of the same run.
func (f *file) sameRun(other *file) error {
	a, b := f.note, other.note
	name := a.Run.difference(b.Run)
	switch {
	case a.Of != b.Of:
		return &seqio.Error{File: other.path, Err: fmt.Errorf("%v, but %s is %v", b.Place, f.path, a.Place)}
	case name != "":
		return &seqio.Error{File: other.path, Err: fmt.Errorf("of another run than %s: %s is %s, there %s", f.path, name,
			given(b.Run.Get(name)), given(a.Run.Get(name)))}
	case a.All != b.All || string(a.Head) != string(b.Head):
		return &seqio.Error{File: other.path, Err: fmt.Errorf("of another run than %s", f.path)}
	}
	return nil
}

// given names a value.
func given(value string) string {
	if value == "" {
		return "not given"
	}
	return fmt.Sprintf("%.80q", value)
}

// allThere returns an error that names the shards without a file.
func allThere(byNumber []*file) error {
	var missing []string
	for i, f := range byNumber {
		if f == nil {
			missing = append(missing, fmt.Sprintf("%d/%d", i+1, len(byNumber)))
		}
	}
	const named = 8
	switch n := len(missing); {
	case n == 0:
		return nil
	case n == 1:
		return fmt.Errorf("shard %s is missing", missing[0])
	case n <= named:
		return fmt.Errorf("shards %s are missing", strings.Join(missing, ", "))
	default:
		return fmt.Errorf("shards %s and %d more are missing", strings.Join(missing[:named], ", "), n-named)
	}
}

// Join writes the output of the undivided run. It reads each file once, in parts, and returns an error if one is not as
// its note says, by which time something may have been written. Memory is a buffer per file and the notes.
func (s *Set) Join(ctx context.Context, w io.Writer) (err error) {
	defer func() {
		for _, f := range s.files {
			f.close()
		}
	}()
	for i, f := range s.files {
		if err := f.open(); err != nil {
			return err
		}
		head := w
		if i > 0 || s.head != nil {
			head = io.Discard
		}
		if err := f.copy(head, f.note.HeadBytes); err != nil {
			return err
		}
	}
	if _, err := w.Write(s.head); err != nil {
		return err
	}
	for p := range s.all {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := s.files[p%len(s.files)]
		if err := f.copy(w, f.note.Pieces[p/len(s.files)]); err != nil {
			return err
		}
	}
	for _, f := range s.files {
		if err := f.end(); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) open() (err error) {
	f.crc = crc32.New(castagnoli)
	f.in, err = seqio.Decompress(nil, f.path)
	return err
}

func (f *file) close() {
	if f.in != nil {
		f.in.Close()
	}
}

// copy copies the next bytes of the file.
func (f *file) copy(w io.Writer, bytes int64) error {
	_, err := io.CopyN(io.MultiWriter(f.crc, w), f.in, bytes)
	if errors.Is(err, io.EOF) {
		return f.errorf("it ends early: its note has %d bytes; was it cut off?", f.note.bytes())
	}
	return err
}

// end returns an error unless the file ends here and has its checksum.
func (f *file) end() error {
	if n, err := io.CopyN(io.Discard, f.in, 1); n > 0 {
		return f.errorf("longer than the %d bytes of its note", f.note.bytes())
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	if sum := checksum(f.crc); sum != f.note.Checksum {
		return f.errorf("its checksum is %s, and %s in its note: it was changed", sum, f.note.Checksum)
	}
	return nil
}

func (f *file) errorf(format string, args ...any) error {
	return &seqio.Error{File: f.path, Err: fmt.Errorf(format, args...)}
}
