package genome

import (
	"bytes"
	"io"
	"math"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

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
