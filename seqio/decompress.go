package seqio

import (
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Decompress returns the bytes of an input that may be compressed with gzip (any number of members) or zstd, recognised
// by its first bytes; any other input is returned as it is. name identifies the input in errors. The result must be
// closed, which ends the goroutine that decompresses and does not close r. Every error but io.EOF is an [*Error].
func Decompress(r io.Reader, name string) (io.ReadCloser, error) {
	in, err := lines.Open(r, name)
	if err != nil {
		return nil, err
	}
	return in, nil
}

// OpenText returns a text as [Decompress] does, or the file name if r is nil, without a byte order mark. UTF-16, UTF-32
// and an empty input are an [*Error].
func OpenText(r io.Reader, name string) (io.ReadCloser, error) {
	in, err := lines.Open(r, name)
	if err != nil {
		return nil, err
	}
	if _, err := in.Begin(); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// OpenDecompressed opens a file as Decompress does; closing the result closes the file too. A missing file, a directory
// and a file that may not be read are an [*Error].
func OpenDecompressed(path string) (io.ReadCloser, error) { return Decompress(nil, path) }

// EndSize is how many bytes at either end of a file tell whether it lacks its end.
const EndSize = 1 << 16

// LacksEnd reports whether a file is BGZF without the empty block that marks its end, so that it may have been cut off
// between two blocks, which nothing else tells. head and tail are its first and last EndSize bytes, or all of it.
func LacksEnd(head, tail []byte) bool { return lines.LacksEnd(head, tail) }

// Compressed reports whether a name ends as those of compressed files do, in .gz or .zst.
func Compressed(name string) bool { return lines.WithoutCompression(name) != strings.ToLower(name) }
