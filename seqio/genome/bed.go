package genome

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Span is a piece of a sequence, 0-based and half-open: letters Start … End − 1.
type Span struct{ Start, End int }

// Len returns the number of letters.
func (s Span) Len() int { return s.End - s.Start }

// First returns the first letter in the direction of a strand.
func (s Span) First(strand Strand) int {
	if strand == Minus {
		return s.End - 1
	}
	return s.Start
}

// UnionSpans returns the letters of 0 … length − 1 that spans cover, as disjoint spans in order. It sorts the spans.
func UnionSpans(spans []Span, length int) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	var joined []Span
	for _, s := range spans {
		s.Start, s.End = max(s.Start, 0), min(s.End, length)
		switch n := len(joined); {
		case s.Len() <= 0:
		case n > 0 && s.Start <= joined[n-1].End:
			joined[n-1].End = max(joined[n-1].End, s.End)
		default:
			joined = append(joined, s)
		}
	}
	return joined
}

// Interval is a line of a BED file, or a point of a list: a piece of a sequence that may have a name and a strand.
type Interval struct {
	Seq    string
	Span   // may be empty: a place between two letters
	Name   string
	Score  float64 // NaN if there is none
	Strand Strand  // NoStrand if there is none
	Summit int     // narrowPeak: the letter that column 10 names, 1-based, beyond End if the file is wrong; or see below
	Thick  Span    // BED12: thickStart and thickEnd, which mark the coding part of a transcript; equal if there is none
	Blocks []Span  // BED12: the blocks from left to right, disjoint, from Start to End; nil in other files
	Line   int     // 1-based line of the file
}

// Values of [Interval].Summit where no letter is named.
const (
	NoSummitColumn  = 0  // there is no column 10
	SummitNotCalled = -1 // column 10 is negative, "." or "NA"
	SummitNoNumber  = -2 // column 10 is no whole number
)

// BEDReader reads BED files of 3 to 12 columns, one line at a time.
//
// Columns are separated by tabs or, in a line without any, by blanks: chrom, start and end (0-based, half-open), name,
// score, strand. Lines that begin with '#', "track" or "browser" and blank lines are skipped. Of a line of 12 columns
// or more the thick part and the blocks are read; columns 7 and further of a shorter one are ignored, but
// for column 10 of ten, which narrowPeak has for the summit. A score is any number; "." is a missing name, score or
// strand. A reader takes a buffer of at most 512 KiB, within which a line must be. It is not safe for concurrent use.
type BEDReader struct {
	rows    *lines.Rows
	seq     string // of the line before: most lines share it
	columns [][]byte
}

// NewBEDReader begins to read an input, compressed with gzip or zstd or not. name identifies it in errors. The reader
// must be closed, which does not close r.
func NewBEDReader(r io.Reader, name string) (*BEDReader, error) {
	rows, err := lines.OpenRows(r, name)
	if err != nil {
		return nil, err
	}
	return &BEDReader{rows: rows}, nil
}

// Close ends the reading.
func (b *BEDReader) Close() error { return b.rows.Close() }

// Next returns the next interval, or io.EOF after the last. A line that is not one is an [*seqio.Error] that names it.
func (b *BEDReader) Next() (Interval, error) {
	for {
		line, err := b.rows.Next()
		if err != nil {
			return Interval{}, err
		}
		if isBEDHeader(line) {
			continue
		}
		x, err := b.parse(line)
		if err != nil {
			return Interval{}, b.rows.Misread("BED", err)
		}
		x.Line = b.rows.Line
		return x, nil
	}
}

// ReadBED reads all intervals of an input; a nil r is the file of that name. A file without any is an [*seqio.Error],
// and so is one whose intervals would take half of the memory.
func ReadBED(r io.Reader, name string) ([]Interval, error) {
	b, err := NewBEDReader(r, name)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	var list []Interval
	err = lines.Each(b.Next, func(x Interval) error {
		list = append(list, x)
		return b.rows.Hold(x.held())
	})
	if err == nil && len(list) == 0 {
		err = lines.Errorf(name, 0, "no intervals")
	}
	return list, err
}

// held returns about how many bytes an interval takes in a list that grows.
func (x *Interval) held() int {
	// 112 in a list that is copied as it grows; the overhead of a short text; 16, rounded up
	const interval, text, span = 288, 8, 24
	return interval + 2*text + len(x.Seq) + len(x.Name) + span*len(x.Blocks)
}

// isBEDHeader reports whether a line is a comment or a directive to browsers.
func isBEDHeader(line []byte) bool {
	if line[0] != '#' && line[0] != 't' && line[0] != 'b' {
		return false
	}
	word, _ := lines.CutWord(line)
	return line[0] == '#' || string(word) == "track" || string(word) == "browser"
}

// parse reads a line.
func (b *BEDReader) parse(line []byte) (Interval, error) {
	b.columns = lines.CutTabs(b.columns, line)
	r := row{columns: b.columns}
	if len(r.columns) == 1 {
		r.columns = bytes.Fields(line)
	}
	x := Interval{Score: math.NaN(), Strand: NoStrand}
	if !r.width(3, math.MaxInt, "at least 3: chrom, start, end") {
		return x, r.err
	}
	if name := r.seq(); string(name) != b.seq {
		b.seq = string(name)
	}
	x.Seq, x.Span = b.seq, r.span(r.columns[1], r.columns[2], "", 0)
	if len(r.columns) > 3 && string(r.columns[3]) != "." {
		x.Name = string(r.columns[3])
	}
	if len(r.columns) > 4 && string(r.columns[4]) != "." {
		var err error
		if x.Score, err = strconv.ParseFloat(string(r.columns[4]), 64); err != nil {
			r.fail("score is %s, want a number", lines.Quote(string(r.columns[4])))
		}
	}
	if len(r.columns) > 5 {
		x.Strand = r.strand(r.columns[5])
	}
	if len(r.columns) == 10 {
		x.Summit = summit(string(r.columns[9]), x.Start)
	}
	if len(r.columns) >= 12 && r.err == nil {
		r.blocks(&x)
	}
	return x, r.err
}

// summit reads column 10 of narrowPeak, the offset of the summit from the start.
func summit(column string, start int) int {
	offset, err := strconv.ParseFloat(column, 64) // some programs write 80.0
	switch {
	case column == "." || column == "NA" || err == nil && !(offset >= 0):
		return SummitNotCalled
	case err != nil || offset != math.Trunc(offset):
		return SummitNoNumber
	case offset >= float64(math.MaxInt-start):
		return math.MaxInt
	}
	return start + int(offset) + 1
}

// blocks parses thickStart, thickEnd, itemRgb, blockCount, blockSizes and blockStarts.
func (r *row) blocks(x *Interval) {
	x.Thick = r.span(r.columns[6], r.columns[7], "thick part: ", 0)
	if x.Thick.Len() > 0 && (x.Thick.Start < x.Start || x.Thick.End > x.End) {
		r.fail("the thick part %d to %d is not within %d to %d", x.Thick.Start, x.Thick.End, x.Start, x.End)
	}
	count := r.number(r.columns[9], "", "the number of blocks", 1)
	sizes, starts := splitList(r.columns[10]), splitList(r.columns[11])
	if len(sizes) != count || len(starts) != count {
		r.fail("%d sizes and %d starts of blocks, want %d", len(sizes), len(starts), count)
	}
	if r.err != nil {
		return
	}
	x.Blocks = make([]Span, count)
	for i := range x.Blocks {
		size := r.number(sizes[i], "the size of block ", strconv.Itoa(i+1), 1)
		start := r.number(starts[i], "the start of block ", strconv.Itoa(i+1), 0)
		if start > x.Len() || size > x.Len()-start {
			r.fail("block %d, %d bases from base %d on, is not within the interval's %d", i+1, size, start, x.Len())
		}
		x.Blocks[i] = Span{x.Start + start, x.Start + start + size}
		if i > 0 && x.Blocks[i].Start < x.Blocks[i-1].End {
			r.fail("block %d begins before block %d ends", i+1, i)
		}
	}
	if x.Blocks[0].Start != x.Start || x.Blocks[count-1].End != x.End {
		r.fail("the blocks reach from %d to %d, want the whole interval from %d to %d", x.Blocks[0].Start,
			x.Blocks[count-1].End, x.Start, x.End)
	}
}

// splitList cuts a list at its commas, of which one may follow the last entry.
func splitList(column []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(column, []byte{','}), []byte{','})
}

// ReadPoints reads a list of places, such as transcription starts: lines of the name of a sequence, a position
// (1-based), a strand (+ or -) and optionally a name, separated by tabs. Lines that begin with '#' and blank lines are
// skipped. The input may be compressed; name identifies it in errors, and a nil r is the file of that name. Each point
// is an interval of one letter. A line that is not a point, and a file without any or with more than half of the memory
// holds, is an [*seqio.Error].
func ReadPoints(r io.Reader, name string) ([]Interval, error) {
	var list []Interval
	err := lines.ReadRows(r, name, func(rows *lines.Rows, line []byte) error {
		x, err := parsePoint(line)
		if err != nil {
			return rows.Errorf("%w", err)
		}
		x.Line = rows.Line
		list = append(list, x)
		return rows.Hold(x.held())
	})
	if err == nil && len(list) == 0 {
		err = lines.Errorf(name, 0, "no positions, want lines of sequence, position, strand")
	}
	return list, err
}

// parsePoint reads a line of a list.
func parsePoint(line []byte) (Interval, error) {
	r := row{columns: bytes.Split(line, []byte{'\t'})}
	x := Interval{Score: math.NaN()}
	if !r.width(3, 4, "3 or 4 separated by tabs: sequence, position, strand, name") {
		return x, r.err
	}
	x.Seq = string(r.seq())
	position := r.number(r.columns[1], "", "position", 1)
	x.Span = Span{position - 1, position}
	if x.Strand = r.strand(r.columns[2]); x.Strand == NoStrand {
		r.fail("strand is %s, want + or -", lines.Quote(string(r.columns[2])))
	}
	if len(r.columns) == 4 {
		x.Name = string(r.columns[3])
	}
	return x, r.err
}
