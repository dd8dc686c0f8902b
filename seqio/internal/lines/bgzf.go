package lines

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// BGZF, which bgzip and SAM tools write, is gzip in members of at most 64 KiB that each say how long they are
// compressed (SAM specification, section 4.1): all processors inflate them, a group of members at a time. What follows
// the last such member is read as any gzip stream is.

const (
	bgzfHeader  = 18      // bytes of a member up to the end of its size
	bgzfMember  = 1 << 16 // most bytes of a member, compressed or not
	bgzfTrailer = 8       // bytes of checksum and length
	bgzfGroup   = 16      // members of a group
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

// bgzfReader inflates members in order.
type bgzfReader struct {
	raw     *bufio.Reader
	ordered chan *bgzfPart // of what is being inflated
	todo    chan *bgzfPart
	stop    chan struct{}
	wait    sync.WaitGroup
	parts   sync.Pool // of *bgzfPart
	part    *bgzfPart // being read
	rest    []byte    // of its data
	members *gzipMembers
}

// bgzfPart is a group of members.
type bgzfPart struct {
	packed []byte
	size   int    // of the data, as the members say
	data   []byte // inflated
	err    error
	last   bool // what follows is another stream
	done   chan struct{}
}

func newBGZF(raw *bufio.Reader) *bgzfReader {
	workers := runtime.GOMAXPROCS(0)
	b := &bgzfReader{raw: raw, stop: make(chan struct{}), ordered: make(chan *bgzfPart, 2*workers),
		todo: make(chan *bgzfPart, 2*workers)}
	b.parts.New = func() any { return &bgzfPart{done: make(chan struct{}, 1)} }
	for range workers {
		b.wait.Go(func() {
			member := new(gzip.Reader)
			for part := range b.todo {
				part.inflate(member)
				part.done <- struct{}{}
			}
		})
	}
	b.wait.Go(b.gather)
	return b
}

// gather reads groups of members until one is not of BGZF or is cut off.
func (b *bgzfReader) gather() {
	defer close(b.todo)
	for {
		part := b.parts.Get().(*bgzfPart)
		part.packed, part.size, part.last, part.err = part.packed[:0], 0, false, nil
		for range bgzfGroup {
			if !b.next(part) {
				part.last = true
				break
			}
		}
		select {
		case b.ordered <- part:
			b.todo <- part // as much room as in ordered
		case <-b.stop:
			return
		}
		if part.last {
			return
		}
	}
}

// next adds the next member to a group.
func (b *bgzfReader) next(part *bgzfPart) bool {
	head, _ := b.raw.Peek(bgzfHeader)
	size := bgzfSize(head)
	if size == 0 {
		return false
	}
	at := len(part.packed)
	part.packed = append(part.packed, make([]byte, size)...)
	n, err := io.ReadFull(b.raw, part.packed[at:])
	if err != nil { // the member is read again as far as it goes
		begun := bytes.NewReader(bytes.Clone(part.packed[at : at+n]))
		part.packed = part.packed[:at]
		b.raw = bufio.NewReader(io.MultiReader(begun, b.raw))
		return false
	}
	part.size += int(min(binary.LittleEndian.Uint32(part.packed[len(part.packed)-4:]), bgzfMember))
	return true
}

var errBGZF = errors.New("a member is not as long as it says")

// inflate fills in the data and the error.
func (p *bgzfPart) inflate(member *gzip.Reader) {
	if cap(p.data) <= p.size {
		p.data = make([]byte, p.size+1)
	}
	p.data = p.data[:p.size+1]
	n := 0
	if len(p.packed) > 0 {
		if p.err = member.Reset(bytes.NewReader(p.packed)); p.err == nil {
			n, p.err = readBlock(member, p.data)
		}
	}
	p.data = p.data[:n]
	switch {
	case p.err == io.EOF:
		p.err = nil
	case p.err == nil && n > p.size, p.err == io.ErrUnexpectedEOF:
		p.err = errBGZF
	}
}

// Read implements io.Reader.
func (b *bgzfReader) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		switch {
		case b.members != nil:
			return b.members.Read(p)
		case b.part != nil && b.part.err != nil:
			return 0, b.part.err
		case b.part != nil && b.part.last:
			b.members = &gzipMembers{new(gzip.Reader), b.raw}
			if err := b.members.next(); err != nil {
				b.members = nil
				b.part.err = err
			}
			continue
		case b.part != nil:
			b.parts.Put(b.part)
		}
		b.part = <-b.ordered
		<-b.part.done
		b.rest = b.part.data
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close implements io.Closer. It waits for the goroutines.
func (b *bgzfReader) Close() error {
	close(b.stop)
	b.wait.Wait()
	return nil
}
