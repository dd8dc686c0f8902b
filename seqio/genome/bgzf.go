package genome

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sort"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// bgzfBlock is the most letters of a block of BGZF.
const bgzfBlock = 1 << 16

// bgzf reads a file in blocks of gzip (BGZF) at any place, by its index FILE.gzi as bgzip -i writes it.
type bgzf struct {
	file   *os.File
	blocks []bgzfPlace
	member gzip.Reader
	at     int    // block that is held
	held   []byte // its letters; nil at first
}

// bgzfPlace is where a block begins.
type bgzfPlace struct{ packed, plain int64 }

// openBGZF returns a reader of the file if FILE.fai and FILE.gzi are there, else nil.
func openBGZF(file *os.File) (*bgzf, error) {
	path := file.Name() + ".gzi"
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &lines.Error{File: path, Err: lines.BareError(err)}
	}
	info, err := file.Stat()
	if err != nil {
		return nil, &lines.Error{File: file.Name(), Err: lines.BareError(err)}
	}
	b := &bgzf{file: file, blocks: []bgzfPlace{{}}}
	if len(text) < 8 || uint64(len(text)-8)/16 != binary.LittleEndian.Uint64(text) || (len(text)-8)%16 != 0 {
		return nil, lines.Errorf(path, 0, "%d bytes are not an index of blocks; rebuild it with bgzip -r", len(text))
	}
	for rest := text[8:]; len(rest) > 0; rest = rest[16:] {
		p := bgzfPlace{int64(binary.LittleEndian.Uint64(rest)), int64(binary.LittleEndian.Uint64(rest[8:]))}
		last := b.blocks[len(b.blocks)-1]
		if p.packed <= last.packed || p.packed > info.Size() || p.plain < last.plain || p.plain-last.plain > bgzfBlock {
			return nil, lines.Errorf(path, 0, "block %d is at byte %d, letter %d, after %d and %d of a file of %d bytes; "+
				"rebuild the index with bgzip -r", len(b.blocks)+1, p.packed, p.plain, last.packed, last.plain, info.Size())
		}
		b.blocks = append(b.blocks, p)
	}
	return b, nil
}

// size is at least the number of bytes of the text.
func (b *bgzf) size() int64 { return b.blocks[len(b.blocks)-1].plain + bgzfBlock }

// ReadAt implements io.ReaderAt, but is not safe for concurrent use.
func (b *bgzf) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		i := sort.Search(len(b.blocks), func(i int) bool { return b.blocks[i].plain > off }) - 1
		if err := b.hold(i); err != nil {
			return n, err
		}
		from := off - b.blocks[i].plain
		if from >= int64(len(b.held)) {
			return n, io.EOF
		}
		k := copy(p[n:], b.held[from:])
		n, off = n+k, off+int64(k)
	}
	return n, nil
}

// hold inflates a block, unless it is held.
func (b *bgzf) hold(i int) error {
	if b.held != nil && b.at == i {
		return nil
	}
	at := b.blocks[i].packed
	err := b.member.Reset(io.NewSectionReader(b.file, at, bgzfBlock))
	if err == nil {
		b.member.Multistream(false)
		b.held = slices.Grow(b.held[:0], bgzfBlock)[:bgzfBlock]
		var n int
		if n, err = io.ReadFull(&b.member, b.held); err == io.ErrUnexpectedEOF || err == io.EOF {
			err = nil
		}
		b.held, b.at = b.held[:n], i
	}
	if err == nil && i+1 < len(b.blocks) && int64(len(b.held)) != b.blocks[i+1].plain-b.blocks[i].plain {
		err = errors.New("its length is not that of the index; rebuild that with bgzip -r")
	}
	if err != nil {
		b.held = nil
		return fmt.Errorf("block of gzip at byte %d: %w", at, err)
	}
	return nil
}
