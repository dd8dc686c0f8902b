package tabix

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// blockLetters is how many bytes a block holds at most: so many that a block which cannot be compressed still has a
// length of 16 bits.
const blockLetters = 0xff00

// endOfFile is an empty block, with which every file ends.
const endOfFile = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00\x1b\x00" +
	"\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// blocks compresses blocks of gzip that say how long they are.
type blocks struct {
	out    io.Writer
	at     uint64 // bytes written
	text   []byte // of the block that is being collected
	packed bytes.Buffer
	zip    *flate.Writer
}

func newBlocks(w io.Writer) (*blocks, error) {
	b := &blocks{out: w}
	var err error
	b.zip, err = flate.NewWriter(&b.packed, flate.DefaultCompression)
	return b, err
}

// offset is the place of the next byte: that of its block in the file, and its own in the block.
func (b *blocks) offset() uint64 { return b.at<<16 | uint64(len(b.text)) }

// keep makes room for n bytes in one block, if they fit into one.
func (b *blocks) keep(n int) error {
	if len(b.text) > 0 && len(b.text)+n > blockLetters {
		return b.flush()
	}
	return nil
}

// Write appends to the block, and to further ones where it is full.
func (b *blocks) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		n := min(len(p)-done, blockLetters-len(b.text))
		b.text = append(b.text, p[done:done+n]...)
		done += n
		if len(b.text) == blockLetters {
			if err := b.flush(); err != nil {
				return done, err
			}
		}
	}
	return len(p), nil
}

// flush writes the block that is being collected.
func (b *blocks) flush() error {
	if len(b.text) == 0 {
		return nil
	}
	const header = 18
	b.packed.Reset()
	b.packed.WriteString(endOfFile[:header])
	b.zip.Reset(&b.packed)
	if _, err := b.zip.Write(b.text); err != nil {
		return fmt.Errorf("tabix: %w", err)
	}
	if err := b.zip.Close(); err != nil {
		return fmt.Errorf("tabix: %w", err)
	}
	le := binary.LittleEndian
	block := le.AppendUint32(b.packed.Bytes(), crc32.ChecksumIEEE(b.text))
	block = le.AppendUint32(block, uint32(len(b.text)))
	le.PutUint16(block[header-2:], uint16(len(block)-1))
	b.text = b.text[:0]
	return b.write(block)
}

func (b *blocks) write(p []byte) error {
	n, err := b.out.Write(p)
	b.at += uint64(n)
	return err
}

// close writes what is left, and the end of the file.
func (b *blocks) close() error {
	if err := b.flush(); err != nil {
		return err
	}
	return b.write([]byte(endOfFile))
}
