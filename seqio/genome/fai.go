package genome

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// faiRecord locates the sequence of a record in a FASTA file whose lines, all but the last of a record, are equally
// long: a line of a .fai file as samtools faidx writes it.
type faiRecord struct {
	name      string
	length    int64 // letters
	offset    int64 // of the first letter, in bytes from the beginning of the file
	lineBases int64 // letters per line
	lineWidth int64 // bytes per line, line end included
	line      int   // of the .fai file, 1-based; 0 if there is none
}

// at returns the offset of letter i (0-based).
func (r *faiRecord) at(i int64) int64 {
	return r.offset + i/r.lineBases*r.lineWidth + i%r.lineBases
}

// check returns an error unless the record can be in a file of that size.
func (r *faiRecord) check(size int64) error {
	switch {
	case r.name == "":
		return fmt.Errorf("empty name")
	case r.length < 0 || r.offset < 0 || r.lineBases < 0 || r.lineWidth < r.lineBases:
		return fmt.Errorf("%d letters at %d, %d per line of %d bytes, want numbers ≥ 0 and lines no shorter than "+
			"their letters",
			r.length, r.offset, r.lineBases, r.lineWidth)
	case r.length == 0:
		return nil
	case r.lineBases == 0 || r.lineWidth == r.lineBases && r.length > r.lineBases:
		return fmt.Errorf("%d letters per line of %d bytes, want some letters and room for a line end", r.lineBases,
			r.lineWidth)
	}
	full := (r.length - 1) / r.lineBases // before the last
	// In this order no sum overflows.
	if r.offset > size || r.length > size-r.offset || full > (size-r.offset)/r.lineWidth || r.at(r.length-1) >= size {
		return fmt.Errorf("%d letters at byte %d do not fit a file of %d bytes; rebuild the index", r.length,
			r.offset, size)
	}
	return nil
}

// readFAI reads an index and checks it against the size of the file it belongs to.
func readFAI(path string, size int64) ([]faiRecord, error) {
	f, err := lines.Open(nil, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var records []faiRecord
	in := lines.NewReader(f)
	err = lines.Each(in.Next, func(p lines.Piece) error {
		data := lines.TrimRight(p.Data)
		if len(data) == 0 {
			return nil
		}
		r, err := parseFAI(data)
		if err == nil {
			err = r.check(size)
		}
		if err != nil {
			return lines.Errorf(path, in.Line, "%w", err)
		}
		r.line = in.Line
		records = append(records, r)
		return nil
	})
	if err == nil && len(records) == 0 {
		err = lines.Errorf(path, 0, "no records; rebuild the index")
	}
	return records, err
}

// parseFAI reads a line name, length, offset, letters per line, bytes per line.
func parseFAI(line []byte) (faiRecord, error) {
	columns := bytes.Split(line, []byte{'\t'})
	if len(columns) != 5 {
		return faiRecord{}, fmt.Errorf("%s, want 5: name, length, offset, letters per line, bytes per line",
			plural.Of(len(columns), "column"))
	}
	r := faiRecord{name: string(columns[0])}
	for i, target := range []*int64{&r.length, &r.offset, &r.lineBases, &r.lineWidth} {
		var err error
		if *target, err = strconv.ParseInt(string(columns[i+1]), 10, 64); err != nil {
			return r, fmt.Errorf("column %d is %s, want a whole number", i+2, lines.Quote(string(columns[i+1])))
		}
	}
	return r, nil
}

// indexFASTA makes the index of a file by one pass over it. regular reports whether its lines are such that there can
// be one; if not, the file may still be FASTA.
func indexFASTA(f *os.File) (records []faiRecord, regular bool, err error) {
	in, err := lines.Open(f, f.Name())
	if err != nil {
		return nil, false, err
	}
	x := faiIndexer{lines: lines.NewReader(in)}
	err = lines.Each(x.lines.Next, func(p lines.Piece) error {
		if !x.add(p) {
			return errIrregular
		}
		return nil
	})
	if err == errIrregular {
		return nil, false, nil
	}
	return x.records, len(x.records) > 0, err
}

var errIrregular = errors.New("the lines of the records are not equally long")

// faiIndexer collects index records from the pieces of a file.
type faiIndexer struct {
	lines   *lines.Reader
	records []faiRecord
	offset  int64 // of the next piece
	bases   int64 // letters of the line so far
	width   int64 // bytes of the line so far
	short   bool  // the record has had a line that must be its last
}

// add takes a piece, and reports false if the file cannot be indexed.
func (x *faiIndexer) add(p lines.Piece) bool {
	size := int64(len(p.Data))
	if p.Last {
		size++
	}
	defer func() { x.offset += size }()
	if p.First && len(p.Data) > 0 && p.Data[0] == '>' {
		id := headerID(p.Data[1:])
		x.records = append(x.records, faiRecord{name: string(id), offset: x.offset + size})
		x.short = false
		return p.Last && len(id) > 0 && bytes.IndexByte(lines.TrimRight(p.Data), '\r') < 0
	}
	if len(x.records) == 0 {
		return false
	}
	if p.First {
		x.bases, x.width = 0, 0
	}
	x.bases += int64(len(lines.TrimRight(p.Data)))
	x.width += size
	return !p.Last || x.endLine()
}

// endLine adds a whole line to the record.
func (x *faiIndexer) endLine() bool {
	r := &x.records[len(x.records)-1]
	if x.short {
		return x.bases == 0
	}
	if r.lineBases == 0 {
		r.lineBases, r.lineWidth = x.bases, x.width
	}
	x.short = x.bases < r.lineBases || x.bases == 0
	r.length += x.bases
	return x.bases <= r.lineBases && (x.short || x.width == r.lineWidth) && r.length < math.MaxInt64/2
}

// headerID returns the id of a header line without its '>'.
func headerID(h []byte) []byte {
	id, _ := lines.CutWord(lines.Trim(h))
	return id
}

// Size is a sequence of a genome with the number of its letters.
type Size struct {
	Name   string
	Length int
}

// ReadSizes reads a table of names and lengths, as UCSC's chrom.sizes and the .fai index of samtools have in their
// first two columns, separated by tabs; a nil r is the file of that name. Blank lines and those that begin with '#' are
// skipped. An error names the line.
func ReadSizes(r io.Reader, name string) ([]Size, error) {
	var list []Size
	var columns [][]byte
	seen := map[string]bool{}
	err := lines.ReadRows(r, name, func(rows *lines.Rows, line []byte) error {
		columns = lines.CutTabs(columns, line)
		t := row{columns: columns}
		if !t.width(2, 1<<16, "at least 2: name and length") {
			return rows.Errorf("%w", t.err)
		}
		size := Size{string(t.seq()), t.number(columns[1], "", "length", 0)}
		if seen[size.Name] {
			t.fail("a second length of %s", lines.Quote(size.Name))
		}
		if t.err != nil {
			return rows.Errorf("%w", t.err)
		}
		seen[size.Name] = true
		list = append(list, size)
		const entry = 128 // in the list and the map
		return rows.Hold(entry + 2*len(size.Name))
	})
	return list, err
}
