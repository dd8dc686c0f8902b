package seqio

import (
	"io"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Decompress returns the bytes of an input that may be compressed with gzip (any number of members) or zstd, known by
// its first bytes; any other input it returns as it is. name is what errors call the input. The result must be closed,
// which ends the goroutine that decompresses and does not close r. Every error but io.EOF is an [*Error].
func Decompress(r io.Reader, name string) (io.ReadCloser, error) {
	in, err := lines.Open(r, name)
	if err != nil {
		return nil, err
	}
	return &decompressed{in, nil}, nil
}

// OpenDecompressed opens a file as Decompress does; closing the result closes the file too. A missing file, a directory
// and a file that may not be read are an [*Error].
func OpenDecompressed(path string) (io.ReadCloser, error) {
	f, err := lines.OpenFile(path)
	if err != nil {
		return nil, err
	}
	in, err := lines.Open(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &decompressed{in, f}, nil
}

// decompressed is an input and the file below it, nil if that is the caller's.
type decompressed struct {
	in   *lines.Input
	file io.Closer
}

// Read implements io.Reader.
func (d *decompressed) Read(p []byte) (int, error) {
	n, err := d.in.Read(p)
	if err != nil && err != io.EOF {
		err = d.in.Wrap(err)
	}
	return n, err
}

// Close implements io.Closer.
func (d *decompressed) Close() error {
	d.in.Close()
	if d.file == nil {
		return nil
	}
	return d.file.Close()
}
