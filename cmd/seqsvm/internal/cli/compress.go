package cli

import (
	"bufio"
	"cmp"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// compressed is a file that is compressed while it is written. Closing it does not close the file.
type compressed struct {
	*bufio.Writer // of the compressor, since rows are short
	compressor    io.Closer
}

// compressor returns a writer that compresses to a file, with gzip or zstd if its name ends in .gz or .zst, otherwise
// nil. The bytes depend on what is written alone.
func compressor(file io.Writer, name string) io.WriteCloser {
	const buffer = 64 << 10
	switch {
	case EndsInGzip(name):
		z := gzip.NewWriter(file)
		return compressed{bufio.NewWriterSize(z, buffer), z}
	case strings.HasSuffix(name, ".zst"):
		z, err := zstd.NewWriter(file, zstd.WithEncoderConcurrency(1))
		if err != nil {
			panic(err) // there is no option that could be wrong
		}
		return compressed{bufio.NewWriterSize(z, buffer), z}
	}
	return nil
}

// EndsInGzip reports whether what is written to a file of that name is compressed with gzip.
func EndsInGzip(name string) bool { return strings.HasSuffix(name, ".gz") }

// Close writes out what is left.
func (c compressed) Close() error { return cmp.Or(c.Flush(), c.compressor.Close()) }
