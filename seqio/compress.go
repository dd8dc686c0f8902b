package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// peekSize is how much of an input is looked at to tell what it is.
const peekSize = 4096

// maxWindow bounds the memory a zstd stream may ask for: what the zstd tool accepts by default.
const maxWindow = 128 << 20

// input is a decompressed byte stream.
type input struct {
	*bufio.Reader
	name       string
	compressed bool
	ahead      *readAhead // nil unless compressed
}

// magic is a kind of compressed stream and its first bytes.
type magic struct {
	name, bytes string
	open        func(io.Reader) (io.ReadCloser, error) // nil if it is recognised but not read
}

var magics = []magic{
	{"gzip", "\x1f\x8b", openGzip},
	{"zstd", "\x28\xb5\x2f\xfd", openZstd},
	{"bzip2", "BZh91AY&SY", nil},
	{"xz", "\xfd7zXZ\x00", nil},
	{"zip", "PK\x03\x04", nil},
}

func openGzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

func openZstd(r io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// open recognises a compression by the first bytes and undoes it in a goroutine. The result must be closed.
func open(r io.Reader, name string) (*input, error) {
	raw := bufio.NewReaderSize(r, peekSize)
	head, _ := raw.Peek(16)
	for _, m := range magics {
		if !bytes.HasPrefix(head, []byte(m.bytes)) {
			continue
		}
		if m.open == nil {
			return nil, &Error{File: name, Err: fmt.Errorf("%s compression is not read; use gzip or zstd", m.name)}
		}
		ahead := newReadAhead(func() (io.ReadCloser, error) {
			// Small reads of the decompressor are served from a buffer.
			return m.open(bufio.NewReaderSize(raw, 64<<10))
		}, m.name)
		return &input{Reader: bufio.NewReaderSize(ahead, peekSize), name: name, compressed: true, ahead: ahead}, nil
	}
	return &input{Reader: raw, name: name}, nil
}

// close stops the goroutine and waits for it.
func (in *input) close() {
	if in.ahead != nil {
		in.ahead.close()
	}
}

// wrap gives an error of the reader the name of the input. What a parser found is an *Error already.
func (in *input) wrap(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{File: in.name, Err: readError(err)}
}

// readError names the operation that failed, unless err tells.
func readError(err error) error {
	var c *compressionError
	if errors.As(err, &c) {
		return err
	}
	return fmt.Errorf("cannot read: %w", bareError(err))
}

// compressionError is what is wrong with a compressed stream.
type compressionError struct {
	kind string
	err  error
}

// Error says whether the stream ends too early or is damaged.
func (e *compressionError) Error() string {
	if errors.Is(e.err, io.ErrUnexpectedEOF) {
		return "the " + e.kind + " stream is cut off"
	}
	return "the " + e.kind + " stream is corrupt: " + e.err.Error()
}

// Unwrap returns the decompressor's error.
func (e *compressionError) Unwrap() error { return e.err }

// readAhead runs a reader in a goroutine that stays a few blocks ahead.
type readAhead struct {
	full  chan block
	empty chan []byte // as many as there are blocks, so that no send ever waits
	stop  chan struct{}
	done  sync.WaitGroup
	rest  []byte // of the block being read
	used  []byte // the block being read
	err   error
}

// block is data followed by an error, if that is not nil.
type block struct {
	data []byte
	err  error
}

// newReadAhead starts the goroutine. kind names the stream in errors.
func newReadAhead(open func() (io.ReadCloser, error), kind string) *readAhead {
	const blocks, size = 4, 128 << 10
	a := &readAhead{full: make(chan block, blocks), empty: make(chan []byte, blocks), stop: make(chan struct{})}
	for range blocks {
		a.empty <- nil // allocated when it is needed
	}
	a.done.Add(1)
	go func() {
		defer a.done.Done()
		r, err := open()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			a.full <- block{err: streamError(kind, err)}
			return
		}
		defer r.Close()
		for {
			select {
			case buf := <-a.empty:
				if buf == nil {
					buf = make([]byte, size)
				}
				n, err := readBlock(r, buf)
				a.full <- block{buf[:n], streamError(kind, err)}
				if err != nil {
					return
				}
			case <-a.stop:
				return
			}
		}
	}()
	return a
}

// readBlock fills buf unless an error comes first, which it returns as it is: io.ReadFull would hide how the stream ended.
func readBlock(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}

// streamError wraps an error of a decompressor; io.EOF stays io.EOF.
func streamError(kind string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &compressionError{kind, err}
}

// Read implements io.Reader.
func (a *readAhead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.err != nil {
			return 0, a.err
		}
		if a.used != nil {
			a.empty <- a.used[:cap(a.used)]
		}
		b := <-a.full
		a.used, a.rest, a.err = b.data, b.data, b.err
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// close stops the goroutine and waits until it no longer uses the underlying reader.
func (a *readAhead) close() {
	close(a.stop)
	a.done.Wait()
}
