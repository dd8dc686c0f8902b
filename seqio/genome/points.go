package genome

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// ReadPoints reads a list of places, such as transcription starts: lines of the name of a sequence, a position
// (1-based), a strand (+ or -) and, if you like, a name, separated by tabs. Lines that begin with '#' and blank lines
// are skipped. The input may be compressed; name is what errors call it. Each point is an interval of one letter. A
// line that is no point, and a file without any or with more than half of the memory holds, is an [*seqio.Error].
func ReadPoints(r io.Reader, name string) ([]Interval, error) {
	rows, err := newRowReader(r, name)
	if err != nil {
		return nil, err
	}
	return rows.points()
}

// ReadPointsFile reads a file as ReadPoints does.
func ReadPointsFile(path string) ([]Interval, error) {
	rows, err := openRows(path)
	if err != nil {
		return nil, err
	}
	return rows.points()
}

// points reads to the end and closes.
func (t *rowReader) points() ([]Interval, error) {
	defer t.close()
	var list []Interval
	for {
		line, err := t.next()
		if err == io.EOF && len(list) == 0 {
			return nil, &seqio.Error{File: t.in.Name,
				Err: fmt.Errorf("no places, want lines of sequence, position, strand")}
		}
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if line[0] == '#' {
			continue
		}
		x, err := parsePoint(line)
		if err != nil {
			return nil, t.errorf("%w", err)
		}
		if err := t.hold(x.held()); err != nil {
			return nil, err
		}
		x.Line = t.lines.Line
		list = append(list, x)
	}
}

// parsePoint reads a line of a list.
func parsePoint(line []byte) (Interval, error) {
	columns := bytes.Split(line, []byte{'\t'})
	if len(columns) != 3 && len(columns) != 4 {
		return Interval{}, fmt.Errorf("%d column%s, want 3 or 4 with tabs between: sequence, position, strand, name",
			len(columns), lines.Plural(len(columns)))
	}
	x := Interval{Score: math.NaN()}
	if err := checkSeqName(columns[0]); err != nil {
		return x, err
	}
	x.Seq = string(columns[0])
	position, err := parseCoordinate(columns[1], "position", 1)
	if err != nil {
		return x, err
	}
	x.Span = Span{position - 1, position}
	if x.Strand, err = parseStrand(columns[2]); err != nil {
		return x, err
	}
	if x.Strand == NoStrand {
		return x, fmt.Errorf("strand is %s, want + or -", lines.Quote(string(columns[2])))
	}
	if len(columns) == 4 {
		x.Name = string(columns[3])
	}
	return x, nil
}
