package tabix

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Writer writes a sorted table of places. It is not safe for concurrent use.
type Writer struct {
	blocks *blocks
	names  []string
	known  map[string]bool
	refs   []*reference // by name
	start  int          // of the last line
	closed bool
}

// NewWriter begins a file.
func NewWriter(w io.Writer) (*Writer, error) {
	b, err := newBlocks(w)
	return &Writer{blocks: b, known: map[string]bool{}}, err
}

// Head writes text before the first line that is not indexed: comments, or a line for a genome browser. It ends with a
// line end.
func (t *Writer) Head(text string) error {
	_, err := t.blocks.Write([]byte(text))
	return err
}

// Limit is the greatest number of positions of a chromosome that an index knows.
const Limit = 1 << 29

// Add writes a line, with its line end, about positions start … end − 1 (0-based) of a chromosome, which are its
// columns 1 to 3 as in BED. Those of a chromosome come together, sorted by start. The error names the place.
func (t *Writer) Add(chrom string, start, end int, line []byte) error {
	last := len(t.names) - 1
	same := last >= 0 && t.names[last] == chrom
	switch {
	case t.closed:
		return errors.New("tabix: the file has been closed")
	case start < 0 || end < start:
		return fmt.Errorf("tabix: %.80s:%d-%d: want 0 ≤ start ≤ end", chrom, start, end)
	case end > Limit:
		return fmt.Errorf("tabix: %.80s:%d-%d: past position %d, the last that an index knows", chrom, start+1, end,
			Limit)
	case same && start < t.start:
		return fmt.Errorf("tabix: %.80s:%d-%d: before the line before it, which starts at %d; sort by position", chrom,
			start+1, end, t.start+1)
	case !same && t.known[chrom]:
		return fmt.Errorf("tabix: %.80s:%d-%d: the lines of a chromosome are not together", chrom, start+1, end)
	}
	if !same {
		t.names, t.refs = append(t.names, chrom), append(t.refs, &reference{bins: map[uint32][]chunk{}})
		t.known[chrom] = true
	}
	t.start = start
	if err := t.blocks.keep(len(line)); err != nil {
		return err
	}
	from := t.blocks.offset()
	if _, err := t.blocks.Write(line); err != nil {
		return err
	}
	t.refs[len(t.refs)-1].add(start, max(end, start+1), chunk{from, t.blocks.offset()})
	return nil
}

// Close ends the file. It does not close what is written to.
func (t *Writer) Close() error {
	t.closed = true
	return t.blocks.close()
}

// WriteIndex writes the index, the file NAME.tbi beside NAME, after Close.
func (t *Writer) WriteIndex(w io.Writer) error {
	const (
		zeroBased = 0x10000
		comment   = '#'
	)
	le := binary.LittleEndian
	b, err := newBlocks(w)
	if err != nil {
		return err
	}
	names := 0
	for _, name := range t.names {
		names += len(name) + 1
	}
	head := []byte("TBI\x01")
	for _, x := range []int{len(t.names), zeroBased, 1, 2, 3, comment, 0, names} {
		head = le.AppendUint32(head, uint32(x))
	}
	for _, name := range t.names {
		head = append(append(head, name...), 0)
	}
	if _, err := b.Write(head); err != nil {
		return err
	}
	for _, r := range t.refs {
		if _, err := b.Write(r.append(nil)); err != nil {
			return err
		}
	}
	return b.close()
}

// reference is the index of a chromosome: for each bin, a stretch of 2¹⁴, 2¹⁷, … or 2²⁹ positions, where the lines
// whose smallest bin it is are, and for each 2¹⁴ positions where the first line that overlaps them is.
type reference struct {
	bins  map[uint32][]chunk
	last  uint32 // bin of the last line
	tiles []uint64
}

// chunk is a part of a file.
type chunk struct{ from, to uint64 }

const tileBits = 14

func (r *reference) add(start, end int, at chunk) {
	bin := binOf(start, end)
	if list := r.bins[bin]; len(list) > 0 && bin == r.last {
		list[len(list)-1].to = at.to
	} else {
		r.bins[bin] = append(list, at)
	}
	r.last = bin
	for len(r.tiles) <= (end-1)>>tileBits { // a tile without a line of its own has the first one after it
		r.tiles = append(r.tiles, at.from)
	}
}

// binOf returns the number of the smallest bin that holds positions start … end − 1.
func binOf(start, end int) uint32 {
	first, last := uint32(start), uint32(end-1)
	number := uint32(4681) // of the first bin of 2¹⁴ positions: those before it are larger
	for bits := tileBits; number > 0; bits += 3 {
		if first>>bits == last>>bits {
			return number + first>>bits
		}
		number = (number - 1) / 8
	}
	return 0
}

// append appends the index in its form in the file.
func (r *reference) append(dst []byte) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, uint32(len(r.bins)))
	for _, bin := range slices.Sorted(maps.Keys(r.bins)) {
		list := r.bins[bin]
		dst = le.AppendUint32(dst, bin)
		dst = le.AppendUint32(dst, uint32(len(list)))
		for _, c := range list {
			dst = le.AppendUint64(le.AppendUint64(dst, c.from), c.to)
		}
	}
	dst = le.AppendUint32(dst, uint32(len(r.tiles)))
	for _, offset := range r.tiles {
		dst = le.AppendUint64(dst, offset)
	}
	return dst
}
