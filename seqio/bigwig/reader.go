package bigwig

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"
)

// Reader reads a bigWig file. It is safe for concurrent use if the underlying ReaderAt is.
type Reader struct {
	file    io.ReaderAt
	size    int64
	chroms  []Chromosome // by number; no name: the number is not used
	numbers map[string]int
	summary Summary
	index   int64
	zooms   []zoomLevel
	widest  int64 // bytes of an uncompressed block; 0: blocks are not compressed
}

// zoomLevel is where a zoom level is.
type zoomLevel struct {
	reduction int
	index     int64
}

// maxBlock bounds the uncompressed size of a block: a section has up to 65,535 intervals of 12 bytes, and blocks of
// zoom levels are not much larger.
const maxBlock = 1 << 24

// NewReader reads the head of a file of the given size.
func NewReader(file io.ReaderAt, size int64) (*Reader, error) {
	r := &Reader{file: file, size: size, numbers: map[string]int{}}
	if err := r.readHead(); err != nil {
		return nil, fmt.Errorf("bigwig: %w", err)
	}
	return r, nil
}

// Chromosomes returns the chromosomes by their numbers in the file, which is the order of the data.
func (r *Reader) Chromosomes() []Chromosome {
	var list []Chromosome
	for _, c := range r.chroms {
		if c.Name != "" {
			list = append(list, c)
		}
	}
	return list
}

// Summary returns that of all values, zero if the file has none (version 1).
func (r *Reader) Summary() Summary { return r.summary }

// Reductions returns how many positions a summary of each zoom level covers at most, the finest level first.
func (r *Reader) Reductions() []int {
	list := make([]int, len(r.zooms))
	for i, z := range r.zooms {
		list[i] = z.reduction
	}
	return list
}

// Each calls visit with the intervals that overlap positions start … end − 1 of a chromosome, whole and in order, and
// returns its first error.
func (r *Reader) Each(chrom string, start, end int, visit func(Interval) error) error {
	return r.query(chrom, start, end, r.index, func(number uint32, data []byte) error {
		return r.eachInterval(data, number, func(i Interval) error {
			if i.Start >= end || i.End <= start {
				return nil
			}
			return visit(i)
		})
	})
}

// EachSummary calls visit with the summaries of a zoom level (0-based) that overlap positions start … end − 1 of a
// chromosome, and with where their values begin and end.
func (r *Reader) EachSummary(
	level int, chrom string, start, end int, visit func(start, end int, s Summary) error,
) error {
	if level < 0 || level >= len(r.zooms) {
		return fmt.Errorf("bigwig: zoom level %d, and the file has %d", level, len(r.zooms))
	}
	return r.query(chrom, start, end, r.zooms[level].index, func(number uint32, data []byte) error {
		for ; len(data) >= zoomRecord; data = data[zoomRecord:] {
			from, to := int(le.Uint32(data[4:])), int(le.Uint32(data[8:]))
			if le.Uint32(data) != number || from >= end || to <= start {
				continue
			}
			s := Summary{
				Covered: int(le.Uint32(data[12:])), Min: float(data[16:]), Max: float(data[20:]),
				Sum: float(data[24:]), SumSquares: float(data[28:]),
			}
			if err := visit(from, to, s); err != nil {
				return err
			}
		}
		return nil
	})
}

func float(p []byte) float64 { return float64(math.Float32frombits(le.Uint32(p))) }

// at reads n bytes at a place.
func (r *Reader) at(place, n int64) ([]byte, error) {
	if place < 0 || n < 0 || place > r.size || n > r.size-place {
		return nil, fmt.Errorf("%d bytes at %d are past the end of the file of %d bytes", n, place, r.size)
	}
	p := make([]byte, n)
	if _, err := r.file.ReadAt(p, place); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return p, nil
}

func (r *Reader) readHead() error {
	head, err := r.at(0, headerSize)
	if err != nil {
		return errors.New("too short to be a bigWig file")
	}
	switch uint32(fileMagic) {
	case le.Uint32(head):
	case binary.BigEndian.Uint32(head):
		return errors.New("a bigWig file with the greatest byte first, which is not supported")
	default:
		return errors.New("not a bigWig file")
	}
	r.index = int64(le.Uint64(head[24:]))
	r.widest = int64(le.Uint32(head[52:]))
	if r.widest > maxBlock {
		return fmt.Errorf("blocks of %d bytes, want at most %d", r.widest, maxBlock)
	}
	levels, err := r.at(headerSize, int64(le.Uint16(head[6:]))*zoomHeaderSize)
	if err != nil {
		return fmt.Errorf("zoom levels: %w", err)
	}
	for ; len(levels) > 0; levels = levels[zoomHeaderSize:] {
		r.zooms = append(r.zooms, zoomLevel{int(le.Uint32(levels)), int64(le.Uint64(levels[16:]))})
	}
	if place := int64(le.Uint64(head[44:])); place != 0 {
		if err := r.readSummary(place); err != nil {
			return fmt.Errorf("summary: %w", err)
		}
	}
	if err := r.readChromosomes(int64(le.Uint64(head[8:]))); err != nil {
		return fmt.Errorf("chromosomes: %w", err)
	}
	return nil
}

func (r *Reader) readSummary(place int64) error {
	p, err := r.at(place, summarySize)
	if err != nil {
		return err
	}
	number := func(i int) float64 { return math.Float64frombits(le.Uint64(p[i:])) }
	r.summary = Summary{int(le.Uint64(p)), number(8), number(16), number(24), number(32)}
	return nil
}

// eachInterval calls visit with the intervals of a section of a chromosome.
func (r *Reader) eachInterval(data []byte, number uint32, visit func(Interval) error) error {
	if len(data) < sectionHeader {
		return fmt.Errorf("a section of %d bytes", len(data))
	}
	if le.Uint32(data) != number {
		return nil
	}
	start, step, span := int(le.Uint32(data[4:])), int(le.Uint32(data[12:])), int(le.Uint32(data[16:]))
	kind, count := data[20], int(le.Uint16(data[22:]))
	width := map[byte]int{bedGraphSection: 12, variableStep: 8, fixedStep: 4}[kind]
	data = data[sectionHeader:]
	switch {
	case width == 0:
		return fmt.Errorf("a section of type %d, want 1, 2 or 3", kind)
	case len(data) < count*width:
		return fmt.Errorf("%d intervals in %d bytes", count, len(data))
	}
	for i := range count {
		p := data[i*width:]
		at := Interval{Start: start + i*step}
		if kind != fixedStep {
			at.Start = int(le.Uint32(p))
		}
		at.End = at.Start + span
		if kind == bedGraphSection {
			at.End = int(le.Uint32(p[4:]))
		}
		at.Value = math.Float32frombits(le.Uint32(p[width-4:]))
		if err := visit(at); err != nil {
			return err
		}
	}
	return nil
}

// unpack returns a block uncompressed.
func (r *Reader) unpack(place, size int64) ([]byte, error) {
	packed, err := r.at(place, size)
	if err != nil || r.widest == 0 {
		return packed, err
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("block at %d: %w", place, err)
	}
	data, err := io.ReadAll(io.LimitReader(z, r.widest+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("block at %d: %w", place, err)
	case int64(len(data)) > r.widest:
		return nil, fmt.Errorf("block at %d: more than %d bytes", place, r.widest)
	}
	return data, nil
}
