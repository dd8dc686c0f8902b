package lines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"github.com/seqsvm/seqsvm/internal/memory"
)

// PeekSize is the number of bytes from which the kind of an input is inferred.
const PeekSize = 4096

// maxWindow bounds the memory a zstd stream may ask for: what the zstd tool accepts by default. Where that is much of
// the memory limit, half of that limit does, but what zstd writes by default is always read.
const minWindow, maxWindow = 8 << 20, 128 << 20

// Input is a decompressed byte stream. Every error of Read but io.EOF is an [*Error].
type Input struct {
	Buffer   *bufio.Reader
	Name     string
	Size     int        // bytes that are left, 0 if that is not known
	Encoding string     // before it was decoded, "" for UTF-8
	file     *os.File   // to close; nil if the reader is the caller's
	ahead    *readAhead // nil unless compressed
}

// magic is a kind of compressed stream and its first bytes.
type magic struct {
	name, bytes string
	open        func(*bufio.Reader) (io.ReadCloser, error) // nil if it is recognised but not read
}

var magics = []magic{
	{"gzip", gzipMagic, openGzip},
	{"zstd", "\x28\xb5\x2f\xfd", openZstd},
	{"bzip2", "BZh91AY&SY", nil},
	{"xz", "\xfd7zXZ\x00", nil},
	{"zip", "PK\x03\x04", nil},
}

// officeName is the name of a zip archive that is a table or a text.
var officeName = regexp.MustCompile(`(?i)\.(xls|doc|ppt)[xm]$|\.od[stp]$`)

func openZstd(r *bufio.Reader) (io.ReadCloser, error) {
	window := max(minWindow, min(maxWindow, memory.Limit()/2))
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(window)),
		zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// Open begins to read r or, if that is nil, the file of that name, decompressing it in a goroutine if its first bytes
// are those of gzip or zstd. The result must be closed, which does not close r.
func Open(r io.Reader, name string) (*Input, error) { return OpenCounted(r, name, nil) }

// OpenCounted is Open, and adds the number of bytes that have been read of r or the file to a counter, unless it is
// nil.
func OpenCounted(r io.Reader, name string, read *atomic.Int64) (*Input, error) {
	in := &Input{Name: name}
	if sized, known := r.(interface{ Len() int }); known { // such as a bytes.Reader
		in.Size = sized.Len()
	}
	if r == nil {
		f, err := OpenFile(name)
		if err != nil {
			return nil, err
		}
		in.file, r = f, f
	}
	if f, isFile := r.(*os.File); isFile {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			in.Size = int(info.Size())
		}
	}
	if read != nil {
		r = counted{r, read}
	}
	in.Buffer = bufio.NewReaderSize(r, PeekSize)
	raw := in.Buffer
	head, _ := raw.Peek(16)
	for _, m := range magics {
		if !bytes.HasPrefix(head, []byte(m.bytes)) {
			continue
		}
		if m.open == nil {
			in.Close()
			if m.name == "zip" && officeName.MatchString(name) {
				return nil, Errorf(name, 0, "a file of Microsoft Office or LibreOffice, which is not read; save it as CSV or text")
			}
			return nil, Errorf(name, 0, "%s compression is not read; use gzip or zstd", m.name)
		}
		in.ahead = newReadAhead(func() (io.ReadCloser, error) {
			// Small reads of the decompressor are served from a buffer.
			return m.open(bufio.NewReaderSize(raw, 64<<10))
		}, m.name)
		in.Buffer, in.Size = bufio.NewReaderSize(in.ahead, PeekSize), 0
	}
	return in, nil
}

// counted counts what is read.
type counted struct {
	io.Reader
	read *atomic.Int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// ByteOrderMark is U+FEFF in UTF-8.
const ByteOrderMark = "\xef\xbb\xbf"

// RefuseUTF32 returns an [*Error] for an input with the byte order mark of UTF-32, of which that of UTF-16 may be a
// part.
func (in *Input) RefuseUTF32() error {
	head, _ := in.Buffer.Peek(4)
	if mark := string(head); mark == "\xff\xfe\x00\x00" || mark == "\x00\x00\xfe\xff" {
		return &Error{File: in.Name, Err: errUTF32}
	}
	return nil
}

// Begin skips a byte order mark and returns the first bytes of what follows. An input without any, UTF-16 and UTF-32
// are an [*Error].
func (in *Input) Begin() ([]byte, error) {
	if err := in.RefuseUTF32(); err != nil {
		return nil, err
	}
	head, _ := in.Buffer.Peek(PeekSize) // an error of the reader comes up again when it is read
	switch {
	case bytes.HasPrefix(head, []byte(ByteOrderMark)):
		in.Buffer.Discard(len(ByteOrderMark))
		head = head[len(ByteOrderMark):]
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return nil, &Error{File: in.Name, Err: ErrUTF16}
	}
	if len(head) > 0 {
		return head, nil
	}
	if _, err := in.Buffer.Peek(1); err != nil && err != io.EOF {
		return nil, &Error{File: in.Name, Err: ReadError(err)}
	}
	return nil, &Error{File: in.Name, Err: ErrEmpty}
}

// Ahead returns the bytes that come next, as far as they have been read, after Begin the first: valid until more are.
func (in *Input) Ahead() []byte {
	ahead, _ := in.Buffer.Peek(in.Buffer.Buffered())
	return ahead
}

// Read implements io.Reader.
func (in *Input) Read(p []byte) (n int, err error) {
	for range 100 {
		n, err = in.Buffer.Read(p)
		switch {
		case err != nil && err != io.EOF:
			return n, in.wrap(err)
		case n > 0 || err != nil || len(p) == 0:
			return n, err
		}
	}
	return 0, in.wrap(errors.New("the reader returns neither data nor an error"))
}

// Close stops the goroutine that decompresses, waits for it, and closes the file that Open has opened.
func (in *Input) Close() error {
	if in.ahead != nil {
		in.ahead.close()
	}
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}

// wrap adds the name of the input to an error of the reader, unless it is an *Error already.
func (in *Input) wrap(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{File: in.Name, Err: ReadError(err)}
}

// ReadError names the operation that failed, unless err does.
func ReadError(err error) error {
	var c *compressionError
	if errors.As(err, &c) {
		return err
	}
	return fmt.Errorf("cannot read: %w", BareError(err))
}

// compressionError is an error of a compressed stream.
type compressionError struct {
	kind string
	err  error
}

// Error says whether the stream ends too early, is damaged or is followed by other data.
func (e *compressionError) Error() string {
	switch {
	case errors.Is(e.err, io.ErrUnexpectedEOF):
		return "the " + e.kind + " stream is cut off"
	case errors.Is(e.err, zstd.ErrWindowSizeExceeded):
		return "the " + e.kind + " stream wants more memory than allowed: window size exceeded; compress it without --long"
	case errors.Is(e.err, errGarbage):
		return "the " + e.kind + " stream is followed by " + errGarbage.Error()
	}
	return "the " + e.kind + " stream is corrupt: " + e.err.Error()
}

// Unwrap returns the decompressor's error.
func (e *compressionError) Unwrap() error { return e.err }

// readAhead decompresses in a goroutine of its own: the next block while the one before is parsed.
type readAhead struct {
	*io.PipeReader
	done sync.WaitGroup
}

// newReadAhead starts the goroutine. kind names the stream in errors.
func newReadAhead(open func() (io.ReadCloser, error), kind string) *readAhead {
	out, in := io.Pipe()
	a := &readAhead{PipeReader: out}
	a.done.Go(func() {
		r, err := open()
		if err == nil {
			defer r.Close()
			_, err = io.CopyBuffer(struct{ io.Writer }{in}, r, make([]byte, 128<<10))
		} else {
			err = unexpected(err)
		}
		if err != nil {
			err = &compressionError{kind, err}
		}
		in.CloseWithError(err)
	})
	return a
}

// close stops the goroutine and waits until it no longer uses the underlying reader.
func (a *readAhead) close() {
	a.Close()
	a.done.Wait()
}

// OpenFile opens a file for reading.
func OpenFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Err: BareError(err)}
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, Errorf(path, 0, "is a directory, want a file")
	}
	return f, nil
}

// WithoutCompression returns a name in lower case and without .gz or .zst.
func WithoutCompression(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".zst")
}
