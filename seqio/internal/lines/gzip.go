package lines

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// errGarbage is the error of what follows a compressed stream and is not part of it.
var errGarbage = errors.New("garbage: data that are not compressed")

// gzipMagic begins every member of a gzip stream.
const gzipMagic = "\x1f\x8b"

// gzipMembers reads the members of a gzip stream one after another. Zeros after the last one, with which tapes and
// disks fill their blocks, are no error, as to gzip; other data are.
type gzipMembers struct {
	member *gzip.Reader
	raw    *bufio.Reader // also that of member, which reads no byte after its end
}

func openGzip(raw *bufio.Reader) (io.ReadCloser, error) {
	if head, _ := raw.Peek(bgzfHeader); bgzfSize(head) > 0 {
		return newBGZF(raw), nil
	}
	member, err := gzip.NewReader(raw)
	if err != nil {
		return nil, err
	}
	member.Multistream(false)
	return &gzipMembers{member, raw}, nil
}

// Read implements io.Reader.
func (g *gzipMembers) Read(p []byte) (int, error) {
	n, err := g.member.Read(p)
	if err == io.EOF {
		err = g.next()
	}
	return n, err
}

// next opens the next member, and returns io.EOF if there is none.
func (g *gzipMembers) next() error {
	switch head, err := g.raw.Peek(len(gzipMagic)); {
	case string(head) == gzipMagic:
		if err := g.member.Reset(g.raw); err != nil {
			return unexpected(err)
		}
		g.member.Multistream(false)
		return nil
	case len(head) == 0:
		return err
	}
	for {
		switch b, err := g.raw.ReadByte(); {
		case err != nil:
			return err
		case b != 0:
			return errGarbage
		}
	}
}

// unexpected is the error of a stream that ends inside a member.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Close implements io.Closer.
func (g *gzipMembers) Close() error { return g.member.Close() }
