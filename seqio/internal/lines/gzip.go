package lines

import (
	"bufio"
	"encoding/binary"
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

// BGZF, which bgzip and SAM tools write, is gzip in members of at most 64 KiB that each say how long they are
// compressed (SAM specification, section 4.1).

const (
	bgzfHeader  = 18 // bytes of a member up to the end of its size
	bgzfTrailer = 8  // bytes of checksum and length
)

// bgzfSize returns the size of the member that begins with these bytes, 0 if it is not one of BGZF.
func bgzfSize(head []byte) int {
	if len(head) < bgzfHeader || string(head[:3]) != gzipMagic+"\x08" || head[3] != 4 ||
		string(head[10:16]) != "\x06\x00BC\x02\x00" {
		return 0
	}
	if size := int(binary.LittleEndian.Uint16(head[16:])) + 1; size > bgzfHeader+bgzfTrailer {
		return size
	}
	return 0
}

// LacksEnd reports whether a BGZF file does not end with an empty member. That member marks the end; without it, the
// file may have been cut off between members (section 4.1.2). tail is the last 64 KiB, or all.
func LacksEnd(head, tail []byte) bool {
	if bgzfSize(head) == 0 {
		return false
	}
	for at := len(tail) - bgzfHeader; at >= 0; at-- {
		if last := tail[at:]; bgzfSize(last) == len(last) {
			return binary.LittleEndian.Uint32(last[len(last)-4:]) > 0
		}
	}
	return false // another stream follows
}
