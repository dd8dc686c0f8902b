package genome

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Stream passes the sequences of a genome to visit in chunks, as [seqio.Stream] does, and reads 2bit too. That wants
// an [io.ReaderAt] whose size is known, such as a regular file or a [bytes.Reader].
func Stream(r io.Reader, name string, opt seqio.StreamOptions, visit func(seqio.Chunk) error) error {
	at, size := sized(r)
	if at == nil {
		head := bufio.NewReader(r)
		magic, _ := head.Peek(4) // an error comes up again when it is read
		if _, found := isTwoBit(magic); found {
			return &seqio.Error{File: name, Err: errors.New("2bit is not read from a pipe; name the file")}
		}
		return seqio.Stream(head, name, opt, visit)
	}
	magic := make([]byte, 4)
	n, err := at.ReadAt(magic, 0)
	order, found := isTwoBit(magic[:n])
	if !found || err != nil && err != io.EOF {
		return seqio.Stream(r, name, opt, visit)
	}
	packed, err := openTwoBit(at, size, order, opt.Case == seqio.CaseKept)
	if err != nil {
		return &seqio.Error{File: name, Err: err}
	}
	return seqio.StreamRecords(name, opt, visit, func(begin func(string) error, add func([]byte) error) error {
		for i := range packed.records {
			if err := begin(packed.records[i].name); err != nil {
				return err
			}
			if err := packed.pieces(i, opt, name, add); err != nil {
				return err
			}
		}
		return nil
	})
}

// pieces passes the letters of a record on.
func (t *twoBit) pieces(i int, opt seqio.StreamOptions, name string, add func([]byte) error) error {
	const most = 1 << 18
	var letters []byte
	record := &t.records[i]
	for start := 0; start < record.length; start += most {
		end := min(start+most, record.length)
		var err error
		if letters, err = t.appendSlice(letters[:0], i, start, end); err != nil {
			return &seqio.Error{File: name, Record: record.name, Err: err}
		}
		if opt.Read != nil {
			opt.Read.Add(int64(len(letters)) / 4)
		}
		if err := add(letters); err != nil {
			return err
		}
	}
	return nil
}

// sized returns an input that can be read anywhere, and its size; nil if it is none.
func sized(r io.Reader) (io.ReaderAt, int64) {
	switch r := r.(type) {
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return r, info.Size()
		}
	case interface {
		io.ReaderAt
		Size() int64
	}:
		return r, r.Size()
	}
	return nil, 0
}

// StreamFile streams a file as [Stream] does.
func StreamFile(path string, opt seqio.StreamOptions, visit func(seqio.Chunk) error) error {
	f, err := lines.OpenFile(path)
	if err != nil {
		return err
	}
	defer f.Close() // it was only read
	return Stream(f, path, opt, visit)
}
