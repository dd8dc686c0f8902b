package bigwig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"
)

// File is what a Writer writes to: an [os.File], for example. What comes first in a file is known last.
type File interface {
	io.Writer
	io.WriterAt
}

// Writer writes a bigWig file. It is not safe for concurrent use.
type Writer struct {
	out    File
	at     int64 // bytes written
	err    error
	zip    *zlib.Writer
	packed bytes.Buffer
	raw    []byte // of the block that is being packed
	widest int    // bytes of the greatest block

	chroms  []Chromosome
	numbers map[string]int
	chrom   int // that of the last interval, −1 before the first
	end     int // of the last interval
	begun   []bool

	items  []Interval // of the section that is being collected
	blocks []block    // of all sections
	total  Summary
	zooms  []*zoom // nil before the first section is complete
	tree   int64   // where the tree of chromosomes is
	data   int64   // where the data are
}

// block is what an index says of a block of data.
type block struct {
	from, to extent
	at, size int64
}

// extent is a position of the genome.
type extent struct{ chrom, base uint32 }

// NewWriter begins a file with the sizes of the chromosomes, the names of which are distinct. Memory is that of the
// chromosomes, and 32 bytes for each block of 1,024 intervals.
func NewWriter(w File, chromosomes []Chromosome) (*Writer, error) {
	b := &Writer{
		out: w, chroms: chromosomes, numbers: make(map[string]int, len(chromosomes)), chrom: -1,
		begun: make([]bool, len(chromosomes)),
	}
	for i, c := range chromosomes {
		_, twice := b.numbers[c.Name]
		switch {
		case c.Name == "" || len(c.Name) > math.MaxUint16:
			return nil, fmt.Errorf("bigwig: chromosome %d has a name of %d bytes, want 1 to %d", i+1, len(c.Name),
				math.MaxUint16)
		case twice:
			return nil, fmt.Errorf("bigwig: two chromosomes are named %.80q", c.Name)
		case c.Length < 0 || c.Length > math.MaxUint32:
			return nil, fmt.Errorf("bigwig: chromosome %.80s has %d letters, want at most %d", c.Name, c.Length,
				math.MaxUint32)
		}
		b.numbers[c.Name] = i
	}
	b.zip = zlib.NewWriter(&b.packed)
	head := make([]byte, headerSize+maxZooms*zoomHeaderSize+summarySize)
	b.tree = int64(len(head))
	head = appendChromosomes(head, chromosomes)
	b.data = int64(len(head))
	b.write(append(head, make([]byte, 8)...)) // the number of sections
	return b, b.err
}

// Add appends an interval of at least one position. Those of a chromosome come together, in order, and do not overlap.
// The error names the place.
func (b *Writer) Add(chrom string, start, end int, value float64) error {
	if b.err != nil {
		return b.err
	}
	number, known := b.numbers[chrom]
	v := float32(value)
	switch {
	case !known:
		return fmt.Errorf("bigwig: %s: the chromosome is not among those with a size", place(chrom, start, end))
	case start < 0 || end <= start:
		return fmt.Errorf("bigwig: %s: no position", place(chrom, start, end))
	case end > b.chroms[number].Length:
		return fmt.Errorf("bigwig: %s: the chromosome has %d letters", place(chrom, start, end),
			b.chroms[number].Length)
	case math.IsNaN(value) || math.IsInf(float64(v), 0):
		return fmt.Errorf("bigwig: %s: the value %v is not a finite float32", place(chrom, start, end), value)
	case number == b.chrom && start < b.end:
		return fmt.Errorf("bigwig: %s: not after the interval before it, which ends at %d",
			place(chrom, start, end), b.end)
	case number != b.chrom && b.begun[number]:
		return fmt.Errorf("bigwig: %s: the chromosome has been left for %.80s before", place(chrom, start, end),
			b.chroms[b.chrom].Name)
	}
	if len(b.items) == blockSize || number != b.chrom {
		b.flush()
	}
	b.chrom, b.end, b.begun[number] = number, end, true
	b.items = append(b.items, Interval{start, end, v})
	return b.err
}

// flush writes the section that is being collected, and its share of the zoom levels.
func (b *Writer) flush() {
	if len(b.items) == 0 {
		return
	}
	if b.zooms == nil {
		b.zooms = newZooms(b.items, b.chroms)
	}
	b.raw = appendSection(b.raw[:0], uint32(b.chrom), b.items)
	last := b.items[len(b.items)-1]
	b.blocks = append(b.blocks, b.pack(extent{uint32(b.chrom), uint32(b.items[0].Start)},
		extent{uint32(b.chrom), uint32(last.End)}))
	for _, item := range b.items {
		b.total.add(float64(item.Value), item.End-item.Start)
		if len(b.zooms) > 0 {
			b.zooms[0].addInterval(b, b.chrom, item)
		}
	}
	b.items = b.items[:0]
}

// pack compresses raw and writes it as a block.
func (b *Writer) pack(from, to extent) block {
	b.widest = max(b.widest, len(b.raw))
	b.packed.Reset()
	b.zip.Reset(&b.packed)
	_, err := b.zip.Write(b.raw)
	if b.err == nil {
		b.err = errors.Join(err, b.zip.Close())
	}
	done := block{from, to, b.at, int64(b.packed.Len())}
	b.write(b.packed.Bytes())
	return done
}

func (b *Writer) write(p []byte) {
	if b.err != nil {
		return
	}
	n, err := b.out.Write(p)
	b.at += int64(n)
	if err != nil {
		b.err = fmt.Errorf("bigwig: %w", err)
	}
}

// Close writes the indexes and the head of the file, without which it is not one. It does not close what is written to.
func (b *Writer) Close() error {
	b.flush()
	for _, z := range b.zooms {
		z.finish(b)
	}
	index := b.at
	b.write(appendIndex(nil, b.blocks, b.at))
	for _, z := range b.zooms {
		z.index = b.at
		b.write(appendIndex(nil, z.blocks, b.at))
	}
	b.write(le.AppendUint32(nil, fileMagic))
	if b.err != nil {
		return b.err
	}
	count := le.AppendUint64(nil, uint64(len(b.blocks)))
	if _, err := b.out.WriteAt(count, b.data); err != nil {
		return fmt.Errorf("bigwig: %w", err)
	}
	if _, err := b.out.WriteAt(b.head(index), 0); err != nil {
		return fmt.Errorf("bigwig: %w", err)
	}
	b.err = errors.New("bigwig: the file has been closed")
	return nil
}

// head returns the head of the file, with its zoom levels and its summary.
func (b *Writer) head(index int64) []byte {
	summary := headerSize + maxZooms*zoomHeaderSize
	head := le.AppendUint32(make([]byte, 0, summary+summarySize), fileMagic)
	head = le.AppendUint16(head, version)
	head = le.AppendUint16(head, uint16(len(b.zooms)))
	head = le.AppendUint64(head, uint64(b.tree))
	head = le.AppendUint64(head, uint64(b.data))
	head = le.AppendUint64(head, uint64(index))
	head = append(head, make([]byte, 2+2+8)...) // fields of bigBed: none
	head = le.AppendUint64(head, uint64(summary))
	head = le.AppendUint32(head, uint32(b.widest))
	head = append(head, make([]byte, 8)...) // no extension
	for _, z := range b.zooms {
		head = le.AppendUint32(head, uint32(z.reduction))
		head = append(head, make([]byte, 4)...)
		head = le.AppendUint64(head, uint64(z.data))
		head = le.AppendUint64(head, uint64(z.index))
	}
	head = append(head, make([]byte, summary-len(head))...)
	head = le.AppendUint64(head, uint64(b.total.Covered))
	for _, x := range []float64{b.total.Min, b.total.Max, b.total.Sum, b.total.SumSquares} {
		head = le.AppendUint64(head, math.Float64bits(x))
	}
	return head
}

// appendSection appends a section in the shortest of the three forms that holds the intervals.
func appendSection(dst []byte, chrom uint32, items []Interval) []byte {
	first, last := items[0], items[len(items)-1]
	kind, step, span := sectionType(items)
	dst = le.AppendUint32(dst, chrom)
	dst = le.AppendUint32(dst, uint32(first.Start))
	dst = le.AppendUint32(dst, uint32(last.End))
	dst = le.AppendUint32(dst, uint32(step))
	dst = le.AppendUint32(dst, uint32(span))
	dst = append(dst, kind, 0)
	dst = le.AppendUint16(dst, uint16(len(items)))
	for _, item := range items {
		if kind != fixedStep {
			dst = le.AppendUint32(dst, uint32(item.Start))
		}
		if kind == bedGraphSection {
			dst = le.AppendUint32(dst, uint32(item.End))
		}
		dst = le.AppendUint32(dst, math.Float32bits(item.Value))
	}
	return dst
}

// sectionType returns the shortest type that holds the intervals, with their common step and span where it has them.
func sectionType(items []Interval) (kind byte, step, span int) {
	span = items[0].End - items[0].Start
	step = span
	if len(items) > 1 {
		step = items[1].Start - items[0].Start
	}
	kind = fixedStep
	for i, item := range items {
		switch {
		case item.End-item.Start != span:
			return bedGraphSection, 0, 0
		case item.Start != items[0].Start+i*step:
			kind = variableStep
		}
	}
	if kind == variableStep {
		step = 0
	}
	return kind, step, span
}
